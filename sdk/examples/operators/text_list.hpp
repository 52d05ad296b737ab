// SPDX-License-Identifier: Apache-2.0
//
// Lists of words in one text, separated by commas, and truth as Nova spells it.
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

namespace operators {

inline std::string_view stripped(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\n");
  return begin == text.npos ? std::string_view() : text.substr(begin, text.find_last_not_of(" \t\n") + 1 - begin);
}

// Returns whether test(word) is true for a word of the list. An empty text is a list of one empty word.
template <class Test>
bool any_word(std::string_view list, Test test) {
  for (;;) {
    const std::size_t comma = list.find(',');
    if (test(stripped(list.substr(0, comma)))) return true;
    if (comma == list.npos) return false;
    list.remove_prefix(comma + 1);
  }
}

inline bool has_word(std::string_view list, std::string_view wanted) {
  return any_word(list, [&](std::string_view word) { return word == wanted; });
}

inline bool is_true(std::string_view text) {
  static constexpr std::array<std::string_view, 6> truths = {"1", "t", "true", "on", "y", "yes"};
  std::string lower(stripped(text));
  for (char& letter : lower) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return std::find(truths.begin(), truths.end(), lower) != truths.end();
}

}  // namespace operators
