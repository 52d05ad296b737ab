// SPDX-License-Identifier: Apache-2.0
//
// A claim with the notes that the fleet keeps on it in memory. The store has the claim alone.
#pragma once

#include <cstdint>

#include "core/fleet/records/records.hpp"

namespace gantry::fleet {

// The picture at the top of core/fleet/claims/claims.hpp shows who moves a claim from state to state.
enum class ClaimState : std::uint8_t {
  tried,   // in memory only, until its request confirms the claim or fails
  held,    // stored, or part of a store transaction under way
  ending,  // held, and a store transaction that erases the claim is under way
};

struct TrackedClaim {
  Claim claim;
  ClaimState state = ClaimState::tried;
  std::uint64_t id = 0;       // never changes
  std::uint64_t version = 0;  // grows at each confirmation: an older release does not remove a newer version
  bool unstored = false;      // held, but a transaction behind the answer failed: the next sweep stores the claim again
};

}  // namespace gantry::fleet
