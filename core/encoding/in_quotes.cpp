// SPDX-License-Identifier: Apache-2.0
#include "core/encoding/in_quotes.hpp"

namespace gantry {

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 200;
  constexpr char hex[] = "0123456789abcdef";
  std::string safe = "'";
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) {
      safe += c;
    } else {
      safe.append("\\x").append(1, hex[byte >> 4]).append(1, hex[byte & 15]);
    }
  }
  if (text.size() > longest) safe.append("...");
  return safe += '\'';
}

}  // namespace gantry
