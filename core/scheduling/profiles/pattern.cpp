// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/profiles/pattern.hpp"

#include <algorithm>
#include <functional>

namespace gantry::scheduling {

bool matches(std::string_view pattern, std::string_view text) {
  // Most patterns have one *, and are decided by what stands before and behind it.
  const auto first = pattern.find('*');
  if (first == std::string_view::npos) return pattern == text;
  const auto behind = pattern.substr(pattern.rfind('*') + 1);
  if (text.size() < first + behind.size() || !text.starts_with(pattern.substr(0, first)) || !text.ends_with(behind))
    return false;
  if (first + 1 + behind.size() == pattern.size()) return true;
  // Where the last * stands, and the text that is left to what follows it: a mismatch gives it one character more.
  std::size_t star = std::string_view::npos;
  std::size_t retry = 0;
  std::size_t at = 0;
  std::size_t read = 0;
  while (read < text.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      retry = read;
    } else if (at < pattern.size() && pattern[at] == text[read]) {
      ++at;
      ++read;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      read = ++retry;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

PatternList::PatternList(const std::vector<std::string>& patterns) {
  for (const auto& pattern : patterns) (pattern.find('*') == std::string::npos ? texts_ : patterns_).push_back(pattern);
  std::ranges::sort(texts_);
}

bool PatternList::takes(std::string_view text) const {
  if (std::ranges::binary_search(texts_, text, std::less<>())) return true;
  return std::ranges::any_of(patterns_, [text](const std::string& pattern) { return matches(pattern, text); });
}

}  // namespace gantry::scheduling
