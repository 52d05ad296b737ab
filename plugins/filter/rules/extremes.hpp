// SPDX-License-Identifier: Apache-2.0
//
// The extremes to which a weigher's numbers are normalised, and the loops over a block that find and use them.
#pragma once

#include <optional>

#include "rules/filter.hpp"

namespace filter_driver {

struct extremes {
  double low = 0;
  double high = 0;
};

// A raw number's place between the extremes: 0 where they are equal.
inline double normalised(double raw, const extremes& range) {
  return range.low == range.high ? 0.0 : (raw - range.low) / (range.high - range.low);
}

// The least and the greatest of what was seen.
class observed_extremes {
 public:
  // raw[i] of row first + i, for each candidate. False: one of them is no number, and nothing was taken.
  bool add(const block& candidates, const double* raw, vectors width = widest_vectors());

  bool any() const { return any_; }
  double least() const { return least_; }
  double greatest() const { return greatest_; }

 private:
  bool any_ = false;
  double least_ = 0;
  double greatest_ = 0;
};

// What a raw number is cut to first (Zed).
struct bounds {
  double least;
  double greatest;
};

// total[i] += multiplier * normalised(raw[i]), to the last bit, where raw[i], cut, is within the range; what is added where
// it is not means nothing. nullptr: uncut.
void add_normalised(const double* raw, std::uint32_t count, const extremes& range, const bounds* cut, double multiplier,
                    double* total, vectors width = widest_vectors());

}  // namespace filter_driver
