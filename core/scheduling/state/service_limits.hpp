// SPDX-License-Identifier: Apache-2.0
//
// How far callers may make what the service keeps and answers grow, beside the facts of the fleet (fleet_limits.hpp).
#pragma once

#include <cstddef>

namespace gantry::scheduling {

struct ServiceLimits {
  std::size_t tokens = 20'000;
  std::size_t cast_bytes = std::size_t{1} << 30;    // all casts that wait, as JSON
  std::size_t events = 10'000;                      // that are kept; the oldest is evicted
  std::size_t event_bytes = std::size_t{16} << 20;  // all events that are kept, as JSON
};

// The rows of a list's answer, if the call does not say how many.
inline constexpr std::size_t usual_page_items = 1000;
// An answer ends with the row that brings its rows beyond so many bytes.
inline constexpr std::size_t most_page_bytes = std::size_t{8} << 20;

}  // namespace gantry::scheduling
