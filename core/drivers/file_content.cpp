// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/file_content.hpp"

#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>

#include "core/drivers/refusal.hpp"

namespace gantry::drivers {

Result<std::vector<std::byte>> read_content(int descriptor, std::string_view path) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) {
    return refuse(path, {"readable", "a file that can be read", describe_errno(errno)});
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0 || size > largest_driver_file) {
    return refuse(path, {"size", "1 to " + std::to_string(largest_driver_file) + " bytes", std::to_string(size),
                         "copy the file again from where it was built"});
  }
  std::vector<std::byte> content(size);
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = ::pread(descriptor, content.data() + done, size - done, static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return refuse(path, {"readable", "a file that can be read", describe_errno(errno)});
    if (got == 0) {
      return refuse(path, {"size", std::to_string(size) + " bytes, as when it was opened",
                           std::to_string(done) + " bytes", "something is writing to it: install drivers by renaming"});
    }
    done += static_cast<std::size_t>(got);
  }
  return content;
}

Result<std::string> sha256_of(std::span<const std::byte> content) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (!context || EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) != 1 ||
      EVP_DigestUpdate(context.get(), content.data(), content.size()) != 1 ||
      EVP_DigestFinal_ex(context.get(), digest.data(), &size) != 1) {
    return Error{ErrorCode::internal, "SHA-256: expected a digest from the OpenSSL library, found a failure", {}};
  }
  return to_hexadecimal(std::as_bytes(std::span(digest.data(), size)));
}

std::string to_hexadecimal(std::span<const std::byte> bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const std::byte byte : bytes) {
    text.push_back(digits[std::to_integer<unsigned>(byte) >> 4U]);
    text.push_back(digits[std::to_integer<unsigned>(byte) & 15U]);
  }
  return text;
}

}  // namespace gantry::drivers
