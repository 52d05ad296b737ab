// SPDX-License-Identifier: Apache-2.0
//
// The least and the greatest number of a weigher, between which its numbers are normalised, and the loops over a block
// that find and use these extremes.
#pragma once

#include <optional>

#include "rules/filter.hpp"

namespace filter_driver {

struct extremes {
  double low = 0;
  double high = 0;
};

// Maps a raw number to its position in the range: `low` to 0, `high` to 1. Returns 0 if the two are equal.
inline double normalised(double raw, const extremes& range) {
  return range.low == range.high ? 0.0 : (raw - range.low) / (range.high - range.low);
}

// The least and the greatest of all numbers added so far.
class observed_extremes {
 public:
  // Adds raw[i] for each candidate first + i. Returns false, and adds nothing, if one of these numbers is NaN.
  bool add(const block& candidates, const double* raw, vectors width = widest_vectors());

  bool any() const { return any_; }
  double least() const { return least_; }
  double greatest() const { return greatest_; }

 private:
  bool any_ = false;
  double least_ = 0;
  double greatest_ = 0;
};

// The bounds that raw numbers are clamped to before they are normalised (Zed).
struct bounds {
  double least;
  double greatest;
};

// Adds multiplier * normalised(clamped raw[i]) to total[i] for each i below `count`, exact to the last bit. If the
// clamped raw[i] is outside the range, total[i] is undefined. `cut` has the bounds to clamp to. nullptr if raw[i] is
// not clamped.
void add_normalised(const double* raw, std::uint32_t count, const extremes& range, const bounds* cut, double multiplier,
                    double* total, vectors width = widest_vectors());

}  // namespace filter_driver
