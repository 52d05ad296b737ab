// SPDX-License-Identifier: Apache-2.0
//
// The method `events`, which waits as receive_casts does; sdk/methods.md says what it takes and answers.
#pragma once

#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

// Its arguments' names have been checked.
void receive_events(State& state, const MethodCall& call, const Done& done);

// After the commit that they were part of.
void tell(State& state, std::vector<Event> events, const std::string& request_id);

}  // namespace gantry::scheduling
