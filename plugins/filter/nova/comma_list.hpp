// SPDX-License-Identifier: Apache-2.0
//
// Metadata values that hold several items: "a, b" (Nova's aggregate helpers from Kilo on).
#pragma once

#include <string_view>

#include "python/blanks.hpp"

namespace filter_driver {

// Calls visit(item) for each item between commas, without surrounding blanks. An empty text has one empty item. Stops
// and returns true once visit returns true. Returns false if visit never does.
template <class Visit>
bool any_item(std::string_view text, Visit&& visit) {
  for (;;) {
    const auto comma = text.find(',');
    if (visit(without_blanks(text.substr(0, comma)))) return true;
    if (comma == std::string_view::npos) return false;
    text.remove_prefix(comma + 1);
  }
}

inline bool has_item(std::string_view text, std::string_view wanted) {
  return any_item(text, [wanted](std::string_view item) { return item == wanted; });
}

}  // namespace filter_driver
