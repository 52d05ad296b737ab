// SPDX-License-Identifier: Apache-2.0
#include "core/encoding/utf8.hpp"

#include <cstdint>
#include <cstring>

namespace gantry {

namespace {

// The range of the second byte carries all the rules: overlong forms, surrogates and the upper end are ruled out there.
struct Lead {
  std::size_t length;
  unsigned char second_from;
  unsigned char second_to;
};

constexpr Lead lead_of(unsigned char byte) {
  if (byte >= 0xc2 && byte <= 0xdf) return {2, 0x80, 0xbf};
  if (byte == 0xe0) return {3, 0xa0, 0xbf};
  if (byte == 0xed) return {3, 0x80, 0x9f};
  if (byte >= 0xe1 && byte <= 0xef) return {3, 0x80, 0xbf};
  if (byte == 0xf0) return {4, 0x90, 0xbf};
  if (byte >= 0xf1 && byte <= 0xf3) return {4, 0x80, 0xbf};
  if (byte == 0xf4) return {4, 0x80, 0x8f};
  return {0, 0, 0};
}

constexpr unsigned char byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

}  // namespace

std::size_t utf8_front_length(std::string_view text) {
  if (text.empty()) return 0;
  if (byte_at(text, 0) < 0x80) return 1;
  const Lead lead = lead_of(byte_at(text, 0));
  if (lead.length == 0 || text.size() < lead.length) return 0;
  if (byte_at(text, 1) < lead.second_from || byte_at(text, 1) > lead.second_to) return 0;
  for (std::size_t i = 2; i < lead.length; ++i) {
    if ((byte_at(text, i) & 0xc0) != 0x80) return 0;
  }
  return lead.length;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    std::uint64_t eight = 0;
    if (text.size() >= sizeof eight) {
      std::memcpy(&eight, text.data(), sizeof eight);
      if ((eight & 0x8080808080808080U) == 0) {
        text.remove_prefix(sizeof eight);
        continue;
      }
    }
    const std::size_t length = utf8_front_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace gantry
