// SPDX-License-Identifier: Apache-2.0
#include "core/encoding/uuid.hpp"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace gantry {

namespace {

constexpr bool hyphen_at(std::size_t position) {
  return position == 8 || position == 13 || position == 18 || position == 23;
}

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Random bytes fetched ahead, for many ids at one call of the kernel. One thread's.
class RandomBytes {
 public:
  static RandomBytes& of_this_thread() {
    thread_local RandomBytes bytes;
    return bytes;
  }

  void take(void* into, std::size_t size) {
    if (bytes_.size() - used_ < size) fetch();
    std::copy_n(bytes_.data() + used_, size, static_cast<std::uint8_t*>(into));
    used_ += size;
  }

 private:
  void fetch() {
    // A kernel that has no random bytes for us leaves nothing sensible to do; it cannot happen after early boot.
    if (getrandom(bytes_.data(), bytes_.size(), 0) != static_cast<ssize_t>(bytes_.size())) std::abort();
    used_ = 0;
  }

  std::array<std::uint8_t, 256> bytes_{};  // up to 256 bytes come whole
  std::size_t used_ = bytes_.size();
};

}  // namespace

std::optional<gantry_uuid> parse_uuid(std::string_view text) {
  if (text.size() != 36) return std::nullopt;
  gantry_uuid uuid{};
  std::size_t digits = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (hyphen_at(i)) {
      if (text[i] != '-') return std::nullopt;
      continue;
    }
    const int value = digit_value(text[i]);
    if (value < 0) return std::nullopt;
    auto& byte = uuid.bytes[digits++ / 2];
    byte = static_cast<std::uint8_t>((byte << 4) | value);
  }
  return uuid;
}

std::string to_text(const gantry_uuid& uuid) {
  constexpr char hex[] = "0123456789abcdef";
  std::string text(36, '-');
  std::size_t at = 0;
  for (const auto byte : uuid.bytes) {
    if (hyphen_at(at)) ++at;
    text[at++] = hex[byte >> 4];
    text[at++] = hex[byte & 15];
  }
  return text;
}

gantry_uuid random_uuid() {
  gantry_uuid uuid{};
  RandomBytes::of_this_thread().take(uuid.bytes, sizeof uuid.bytes);
  uuid.bytes[6] = static_cast<std::uint8_t>((uuid.bytes[6] & 0x0f) | 0x40);
  uuid.bytes[8] = static_cast<std::uint8_t>((uuid.bytes[8] & 0x3f) | 0x80);
  return uuid;
}

std::uint64_t random_number() {
  std::uint64_t number = 0;
  RandomBytes::of_this_thread().take(&number, sizeof number);
  return number;
}

}  // namespace gantry
