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

// The members that join_group added to a group.
struct Joined {
  std::string group;                 // uuid of the group; empty: the request joined no group
  std::vector<std::string> members;  // uuids of the instances that were not members before
};

// Adds the instances of `spec` to the group that it asks for, if the fleet knows that group. Locks State::changes.
Joined join_group(State& state, const RequestSpec& spec);

// The functions below are called under State::changes.

// Adds the group's document to `batch`, with the members of `joined`. Called once these are decided about. Members of
// requests that are still undecided are left out of the document.
void store_group(State& state, const Joined& joined, store::Batch& batch);
// Undoes join_group. Called if there was no decision.
void give_up_joining(State& state, const Joined& joined);
// Removes the members of `joined` from the group in memory. Called after store_group if the store failed.
void leave_group(State& state, const Joined& joined);

}  // namespace gantry::scheduling
