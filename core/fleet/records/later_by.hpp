// SPDX-License-Identifier: Apache-2.0
//
// Addition of times that stops at the earliest and the latest time instead of overflowing.
#pragma once

#include <limits>

#include "core/fleet/records/records.hpp"

namespace gantry::fleet {

// Returns `time` + `by`. The earliest or the latest time that Nanoseconds can hold if the sum overflows.
inline Nanoseconds later_by(Nanoseconds time, Nanoseconds by) {
  Nanoseconds sum = 0;
  if (!__builtin_add_overflow(time, by, &sum)) return sum;
  return by < 0 ? std::numeric_limits<Nanoseconds>::min() : std::numeric_limits<Nanoseconds>::max();
}

}  // namespace gantry::fleet
