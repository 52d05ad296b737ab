// SPDX-License-Identifier: Apache-2.0
//
// Takes back the claims of an instance's earlier placement, and the casts that still wait for their receiver.
#pragma once

#include <string>
#include <vector>

#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

// Adds to `outcome` the release of the instance's claims, except `kept` (may be nullptr), and the erasing of the
// instance's casts from the store. Returns the ids of these casts. Once the outcome is committed, the caller passes the
// ids to forget_casts. Until then the casts stay in memory, because the commit may fail. Called under State::changes.
std::vector<std::string> withdraw(State& state, const std::string& instance, const fleet::Claim* kept,
                                  Outcome& outcome);
// Removes the casts from State::casts.
void forget_casts(State& state, const std::vector<std::string>& ids);

}  // namespace gantry::scheduling
