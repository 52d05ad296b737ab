// SPDX-License-Identifier: Apache-2.0
#include "blanks.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace filter_driver {
namespace {

using std::string_view_literals::operator""sv;

// The blanks of more than one byte, in UTF-8.
constexpr std::array wide_blanks = {"\u0085"sv, "\u00a0"sv, "\u1680"sv, "\u2000"sv, "\u2001"sv, "\u2002"sv, "\u2003"sv,
                                    "\u2004"sv, "\u2005"sv, "\u2006"sv, "\u2007"sv, "\u2008"sv, "\u2009"sv, "\u200a"sv,
                                    "\u2028"sv, "\u2029"sv, "\u202f"sv, "\u205f"sv, "\u3000"sv};

bool is_narrow_blank(char character) {
  return character == ' ' || (character >= '\t' && character <= '\r') || (character >= '\x1c' && character <= '\x1f');
}

// Bytes of the blank that the text begins with; 0: it begins with another character.
std::size_t leading_blank(std::string_view text) {
  if (text.empty()) return 0;
  if (static_cast<unsigned char>(text.front()) < 0x80) return is_narrow_blank(text.front()) ? 1 : 0;
  for (const std::string_view blank : wide_blanks) {
    if (text.starts_with(blank)) return blank.size();
  }
  return 0;
}

std::size_t trailing_blank(std::string_view text) {
  if (text.empty()) return 0;
  if (static_cast<unsigned char>(text.back()) < 0x80) return is_narrow_blank(text.back()) ? 1 : 0;
  for (const std::string_view blank : wide_blanks) {
    if (text.ends_with(blank)) return blank.size();
  }
  return 0;
}

}  // namespace

std::string_view without_blanks(std::string_view text) {
  while (const std::size_t bytes = leading_blank(text)) text.remove_prefix(bytes);
  while (const std::size_t bytes = trailing_blank(text)) text.remove_suffix(bytes);
  return text;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  text = without_blanks(text);
  while (!text.empty()) {
    std::size_t end = 0;
    while (end < text.size() && leading_blank(text.substr(end)) == 0) ++end;
    words.push_back(text.substr(0, end));
    text = without_blanks(text.substr(end));
  }
  return words;
}

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  parts.reserve(static_cast<std::size_t>(std::count(text.begin(), text.end(), separator)) + 1);
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

}  // namespace filter_driver
