// SPDX-License-Identifier: Apache-2.0
//
// The rows that an authority leaves to a decision, and the picks that it has refused. Without them, every row may be
// used, and every pick that the fleet admits stands.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/fleet/tables/moment.hpp"
#include "core/scheduling/authority.hpp"

namespace gantry::scheduling {

// Bitmaps of the rows of one view, 64 rows to a word: the bit of row r is bit r%64 of word r/64. Bits beyond the last row
// are 0.
struct RowBounds {
  std::vector<std::uint64_t> eligible;            // rows that the driver may see
  std::vector<std::uint64_t> claimable;           // rows that can be picked
  std::string reason;                             // why the other rows are not eligible: of the step "placement"
  std::optional<CandidateTable> candidates = {};  // nullopt: there is nothing to choose
};

// Rows that a request avoids, and why: "c1 failed 3 builds of flavor m1.large since 10:02 UTC".
using AvoidedRows = std::map<std::uint32_t, std::string>;

// Picks that were refused: (index of the instance, row of the view).
using LostPicks = std::set<std::pair<std::uint32_t, std::uint32_t>>;

// Asks the admission about each row of the view, a view of `moment`. A row without a uuid is not eligible.
RowBounds bounds_of(const Admission& admission, const fleet::Moment& moment, const gantry_view& view);

}  // namespace gantry::scheduling
