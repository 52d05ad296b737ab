// SPDX-License-Identifier: Apache-2.0
//
// A claim and the claims that it has replaced: oldest first, the claim itself last. A claim may replace several that
// stood side by side on its row, so that a stack is a tree: TrackedClaim::replaced_by names the parent, which is always
// newer. Under the fleet's lock.
#pragma once

#include <cstdint>
#include <vector>

#include "core/fleet/records/tracked_claim.hpp"

namespace gantry::fleet {

using ClaimStack = std::vector<TrackedClaim>;

// Returns whether both claims are on one row by their names.
bool is_on_row_of(const Claim& a, const Claim& b);
// Returns whether both claims have one document in the store.
bool has_same_key(const Claim& a, const Claim& b);

ClaimStack::iterator find_id(ClaimStack& stack, std::uint64_t id);
// Removes the claim with this id, if the stack has it. The claims that it replaced count as replaced by its parent.
void remove_id(ClaimStack& stack, std::uint64_t id);
// Lets the older of two stacks count as replaced by the newest claim of the other.
ClaimStack joined(ClaimStack a, ClaimStack b);
// Returns the stacks that stand side by side once the claim that has replaced them is gone, the oldest first. No two
// of them have one key.
std::vector<ClaimStack> parted(ClaimStack stack);
// Returns whether the store has the claim `replaced`, one of those that `newest` has replaced: the claim is held, and
// no claim that has replaced it was confirmed.
bool is_stored(const TrackedClaim& replaced, const ClaimStack& all_replaced, const TrackedClaim& newest);

}  // namespace gantry::fleet
