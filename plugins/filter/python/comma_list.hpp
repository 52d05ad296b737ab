// SPDX-License-Identifier: Apache-2.0
//
// Metadata values that hold several items: "a, b" (Nova's aggregate helpers from Kilo on).
#pragma once

#include <string_view>

namespace filter_driver {

// Without the blanks around it, as Python's str.strip().
constexpr std::string_view stripped(std::string_view text) {
  constexpr std::string_view blanks = " \t\n\r\f\v";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// visit(item) for each item between commas, stripped; the empty text has one, the empty item. Stops at true.
template <class Visit>
constexpr bool any_item(std::string_view text, Visit&& visit) {
  for (;;) {
    const auto comma = text.find(',');
    if (visit(stripped(text.substr(0, comma)))) return true;
    if (comma == std::string_view::npos) return false;
    text.remove_prefix(comma + 1);
  }
}

constexpr bool has_item(std::string_view text, std::string_view wanted) {
  return any_item(text, [wanted](std::string_view item) { return item == wanted; });
}

}  // namespace filter_driver
