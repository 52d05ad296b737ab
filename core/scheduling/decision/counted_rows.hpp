// SPDX-License-Identifier: Apache-2.0
//
// How many more instances like the requested one each host takes, by the policy of the compute driver.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/scheduling/decision/pinned_moment.hpp"
#include "core/scheduling/request/request_spec.hpp"

namespace gantry::scheduling {

struct CountedRows {
  // By row of the view: requests for one instance that the row takes, one after the other, each claiming what it takes.
  std::vector<std::uint64_t> counts;
  bool is_exact = true;
  std::string reason;  // why the counts are not exact

  // The count of a row that takes any number.
  static constexpr std::uint64_t any_number = UINT64_MAX;
};

// Counts on the pinned moment. Changes nothing. Asks the driver to count (gantry.capacity/1). If it cannot, counts by
// deciding: the driver places many instances at once, and the picks are checked against the view alone. That ends at
// `deadline`, and then the counts are at least so many. Fails as a decision about the request fails. `spec` asks for one
// instance, and is changed.
Result<CountedRows> count_rows(const PinnedMoment& pinned, State& state, drivers::Driver& driver, RequestSpec& spec,
                               std::chrono::steady_clock::time_point deadline);

}  // namespace gantry::scheduling
