// SPDX-License-Identifier: Apache-2.0
//
// Finds the least of many numbers while single numbers change. Level 0 holds the numbers. Each number of a higher level
// is the least of 64 numbers of the level below.
#pragma once

#include <algorithm>
#include <cstddef>
#include <gantry/driver.hpp>
#include <limits>
#include <vector>

namespace simple_driver {

// Stands for no number, and is greater than every number.
constexpr double none = std::numeric_limits<double>::infinity();

class tournament {
 public:
  // Uses the call's scratch memory. All `count` numbers begin as `none`. Fill them by operator[], then call rebuild().
  // Later changes go through set(), which needs no rebuild().
  tournament(gantry::call& call, std::size_t count) {
    do {
      levels_.push_back(call.scratch<double>(count));
      std::fill(levels_.back().begin(), levels_.back().end(), none);
      count = (count + 63) / 64;
    } while (levels_.back().size() > 1);
  }

  double& operator[](std::size_t index) { return levels_[0][index]; }

  void rebuild() {
    for (std::size_t level = 1; level < levels_.size(); ++level) {
      for (std::size_t index = 0; index < levels_[level].size(); ++index) levels_[level][index] = least(level, index);
    }
  }

  void set(std::size_t index, double value) {
    levels_[0][index] = value;
    for (std::size_t level = 1; level < levels_.size(); ++level) {
      index /= 64;
      levels_[level][index] = least(level, index);
    }
  }

  // Returns the least number. `none` if there is no number.
  double best() const { return levels_.back().empty() ? none : levels_.back()[0]; }

  // Returns the first index whose number equals best().
  std::size_t best_index() const {
    std::size_t index = 0;
    for (std::size_t level = levels_.size() - 1; level > 0; --level) {
      index *= 64;
      while (levels_[level - 1][index] != best()) ++index;
    }
    return index;
  }

 private:
  double least(std::size_t level, std::size_t index) const {
    const gantry::span<double>& below = levels_[level - 1];
    const std::size_t end = std::min(below.size(), (index + 1) * 64);
    return *std::min_element(below.begin() + index * 64, below.begin() + end);
  }

  std::vector<gantry::span<double>> levels_;
};

}  // namespace simple_driver
