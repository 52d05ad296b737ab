// SPDX-License-Identifier: Apache-2.0
//
// Instances join their server group in memory before the driver decides, so that concurrent requests see each other's
// members. The store learns of the members with the decision.
#pragma once

#include <string>
#include <vector>

#include "core/scheduling/request/request_spec.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

struct Joined {
  std::string group;                 // uuid; empty: the request has no group
  std::vector<std::string> members;  // uuids of the instances that were not members before
};

// Adds the instances of `spec` to the group that its hint names. Takes State::changes.
Joined join_group(State& state, const RequestSpec& spec);

// The functions below are called under State::changes.

// Adds to `batch` the group with the members `joined`, once they have been decided about.
void store_group(State& state, const Joined& joined, store::Batch& batch);
// Undoes join_group if there was no decision.
void give_up_joining(State& state, const Joined& joined);
// Undoes join_group and store_group if the decision was not stored.
void leave_group(State& state, const Joined& joined);

}  // namespace gantry::scheduling
