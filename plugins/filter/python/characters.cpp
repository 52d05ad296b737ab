// SPDX-License-Identifier: Apache-2.0
#include "python/characters.hpp"

#include <array>

namespace filter_driver {

character first_character(std::string_view text) {
  const auto byte = [&](std::size_t place) {
    return place < text.size() ? static_cast<char32_t>(static_cast<unsigned char>(text[place])) : 0;
  };
  const char32_t first = byte(0);
  if (first < 0x80) return {first, 1};
  const character wrong = {0xdc00 + first, 1};
  const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return wrong;
  char32_t code = first & (0x7fU >> bytes);
  for (std::size_t place = 1; place < bytes; ++place) {
    if ((byte(place) & 0xc0) != 0x80) return wrong;
    code = (code << 6) | (byte(place) & 0x3f);
  }
  constexpr std::array<char32_t, 5> least = {0, 0, 0x80, 0x800, 0x10000};
  return code < least[bytes] || code > 0x10ffff ? wrong : character{code, bytes};
}

}  // namespace filter_driver
