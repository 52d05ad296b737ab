// SPDX-License-Identifier: Apache-2.0
//
// Takes back the claims of an instance, and the casts that still wait for their receiver.
#pragma once

#include <string>
#include <vector>

#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

// The functions below add to `outcome` the release of claims and the erasing of casts from the store. They return the
// ids of these casts. Once the outcome is committed, the caller passes the ids to forget_casts. Until then the casts
// stay in memory, because the commit may fail. Called under State::changes.

// Withdraws all that the instance holds, for an instance that is deleted.
std::vector<std::string> withdraw(State& state, const std::string& instance, Outcome& outcome);
// Withdraws the instance's earlier placement: the claims of its picks, except `kept` (may be nullptr), and its
// run_instance casts. The claims and casts of drivers' methods stay.
std::vector<std::string> withdraw_placement(State& state, const std::string& instance, const fleet::Claim* kept,
                                            Outcome& outcome);
// Returns the cast that asks the instance's host to end it. `shown`: the instance as callers see it.
Cast termination(const fleet::Instance& instance, json::object shown);
// Removes the casts from State::casts.
void forget_casts(State& state, const std::vector<std::string>& ids);

}  // namespace gantry::scheduling
