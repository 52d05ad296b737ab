// SPDX-License-Identifier: Apache-2.0
//
// The extremes of a weigher: the least and the greatest number, between which its numbers are normalised. Also the
// loops over a block that find the extremes and normalise by them.
#pragma once

#include <cmath>
#include <optional>

#include "rules/filter.hpp"

namespace filter_driver {

// The ends of the range that normalised() maps to 0 and 1.
struct extremes {
  double low = 0;
  double high = 0;
};

// Maps a raw number to its position in the range: `low` to 0, `high` to 1. Returns 0 if the two are equal. Finite ends
// may be so far apart that their difference is infinite. The numbers are then halved first.
inline double normalised(double raw, const extremes& range) {
  if (range.low == range.high) return 0.0;
  const double divisor = range.high - range.low;
  if (std::isinf(divisor) && std::isfinite(range.low) && std::isfinite(range.high)) [[unlikely]]
    return (raw / 2 - range.low / 2) / (range.high / 2 - range.low / 2);
  return (raw - range.low) / divisor;
}

// The least and the greatest of all numbers added so far.
class observed_extremes {
 public:
  // Adds raw[i] for each candidate first + i. Adds nothing and returns false if one of these numbers is NaN.
  bool add(const block& candidates, const double* raw, vectors width = widest_vectors());

  // Returns true if a number has been added. Without one, least() and greatest() return 0.
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

// Adds multiplier * normalised(clamped raw[i]) to total[i] for each i below `count`. The result is the same to the last
// bit for each `width`. `cut` has the bounds that raw[i] is clamped to. If `cut` is nullptr, raw[i] is not clamped.
// range.low and range.high must differ. If the clamped raw[i] is outside the range, total[i] is undefined.
void add_normalised(const double* raw, std::uint32_t count, const extremes& range, const bounds* cut, double multiplier,
                    double* total, vectors width = widest_vectors());

}  // namespace filter_driver
