// SPDX-License-Identifier: Apache-2.0
//
// Members join their server group before the decision about them, so that requests at the same time see each other's;
// the store learns of them with the decision.
#pragma once

#include <string>
#include <vector>

#include "core/scheduling/request/request_spec.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

struct Joined {
  std::string group;                 // empty: none
  std::vector<std::string> members;  // who had not been one
};

// The instances of `spec`, to the group that its hint names. Takes State::changes.
Joined join_group(State& state, const RequestSpec& spec);

// What follows is called under State::changes.

// What is stored of the group when `joined` have been decided about.
void store_group(State& state, const Joined& joined, store::Batch& batch);
// When nothing has been decided.
void give_up_joining(State& state, const Joined& joined);
// When the decision was not stored.
void leave_group(State& state, const Joined& joined);

}  // namespace gantry::scheduling
