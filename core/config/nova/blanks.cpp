// SPDX-License-Identifier: Apache-2.0
#include "core/config/nova/blanks.hpp"

#include <algorithm>
#include <array>

namespace gantry::config::nova {

namespace {

constexpr std::string_view of_ascii = " \t\n\r\f\v\x1c\x1d\x1e\x1f";
constexpr std::array<std::string_view, 19> of_unicode{
    "\xc2\x85", "\u00a0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006",
    "\u2007",   "\u2008", "\u2009", "\u200a", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000"};

}  // namespace

std::string_view left_stripped(std::string_view text) {
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(of_ascii), text.size()));
    const auto* const blank =
        std::ranges::find_if(of_unicode, [text](std::string_view one) { return text.starts_with(one); });
    if (blank == of_unicode.end()) return text;
    text.remove_prefix(blank->size());
  }
}

std::string_view right_stripped(std::string_view text) {
  for (;;) {
    text = text.substr(0, text.find_last_not_of(of_ascii) + 1);
    const auto* const blank =
        std::ranges::find_if(of_unicode, [text](std::string_view one) { return text.ends_with(one); });
    if (blank == of_unicode.end()) return text;
    text.remove_suffix(blank->size());
  }
}

std::string_view stripped(std::string_view text) {
  return left_stripped(right_stripped(text));
}

}  // namespace gantry::config::nova
