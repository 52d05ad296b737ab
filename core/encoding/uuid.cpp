// SPDX-License-Identifier: Apache-2.0
#include "core/encoding/uuid.hpp"

#include "core/encoding/random.hpp"

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
  random_bytes(uuid.bytes, sizeof uuid.bytes);
  uuid.bytes[6] = static_cast<std::uint8_t>((uuid.bytes[6] & 0x0f) | 0x40);
  uuid.bytes[8] = static_cast<std::uint8_t>((uuid.bytes[8] & 0x3f) | 0x80);
  return uuid;
}

}  // namespace gantry
