// SPDX-License-Identifier: Apache-2.0
//
// The method `receive_casts`, which waits; sdk/methods.md says what it takes and answers.
#pragma once

#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

// Its arguments' names have been checked.
void receive_casts(State& state, const MethodCall& call, const Done& done);

}  // namespace gantry::scheduling
