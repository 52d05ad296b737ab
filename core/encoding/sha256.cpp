// SPDX-License-Identifier: Apache-2.0
#include "core/encoding/sha256.hpp"

#include <openssl/evp.h>

#include <array>
#include <memory>
#include <string_view>

namespace gantry {

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

}  // namespace gantry
