// SPDX-License-Identifier: Apache-2.0
//
// A claim with the notes that the fleet keeps on it in memory. The store has the claim without the notes.
#pragma once

#include <cstdint>

#include "core/fleet/records/records.hpp"

namespace gantry::fleet {

// The picture at the top of core/fleet/claims/claims.hpp shows who moves a claim from state to state.
enum class ClaimState : std::uint8_t {
  tried,   // in memory only, until its request confirms the claim or fails
  held,    // stored, or a store transaction that stores the claim is under way
  ending,  // a store transaction that erases the claim is under way
};

struct TrackedClaim {
  Claim claim;
  ClaimState state = ClaimState::tried;
  std::uint64_t id = 0;       // number of the claim, never changes
  std::uint64_t version = 0;  // grows at each confirmation; a release removes only the version that it saw
  // The request was answered, and then the transaction failed that should have stored the claim. The claim stays held.
  // The next sweep stores it again.
  bool unstored = false;
  Nanoseconds ages_from = 0;      // claim.created_at in steady time; 0: not known yet
  std::uint64_t replaced_by = 0;  // in ClaimRecord::replaced: the id of the claim that has replaced this one
};

}  // namespace gantry::fleet
