// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/profiles/pattern.hpp"

#include <algorithm>

namespace gantry::scheduling {

bool matches(std::string_view pattern, std::string_view text) {
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
  for (const auto& pattern : patterns) {
    if (pattern.find('*') == std::string::npos)
      texts_.insert(pattern);
    else
      patterns_.push_back(pattern);
  }
}

bool PatternList::takes(std::string_view text) const {
  if (!texts_.empty() && texts_.contains(text)) return true;
  return std::ranges::any_of(patterns_, [text](const std::string& pattern) { return matches(pattern, text); });
}

}  // namespace gantry::scheduling
