// SPDX-License-Identifier: Apache-2.0
//
// Takes back what an earlier placement of an instance left: its claims, and its casts that wait for their receiver.
#pragma once

#include <string>
#include <vector>

#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

// Adds to `outcome` the release of the instance's claims but `kept` (may be nullptr), and the erasing of its casts.
// Returns the ids of these casts. The caller calls forget_casts with them once the outcome is committed: a failed
// commit could not take back a cast that was handed out. Under State::changes.
std::vector<std::string> withdraw(State& state, const std::string& instance, const fleet::Claim* kept,
                                  Outcome& outcome);
void forget_casts(State& state, const std::vector<std::string>& ids);

}  // namespace gantry::scheduling
