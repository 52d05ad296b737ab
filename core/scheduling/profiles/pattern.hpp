// SPDX-License-Identifier: Apache-2.0
//
// Patterns of texts in which * stands for any text, the empty one included. Every other character stands for itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gantry::scheduling {

bool matches(std::string_view pattern, std::string_view text);

// A list of patterns, made ready to be asked often. [any thread]
class PatternList {
 public:
  PatternList() = default;
  explicit PatternList(const std::vector<std::string>& patterns);

  bool is_empty() const { return texts_.empty() && patterns_.empty(); }
  // Returns whether one of the patterns matches the text.
  bool takes(std::string_view text) const;

 private:
  std::vector<std::string> texts_;  // the patterns without a *, sorted
  std::vector<std::string> patterns_;
};

}  // namespace gantry::scheduling
