// SPDX-License-Identifier: Apache-2.0
#include "python/blanks.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace filter_driver {
namespace {

// The blanks of more than one byte, in UTF-8.
constexpr auto wide_blanks = std::to_array<std::string_view>(
    {"\u0085", "\u00a0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006", "\u2007",
     "\u2008", "\u2009", "\u200a", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000"});

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
