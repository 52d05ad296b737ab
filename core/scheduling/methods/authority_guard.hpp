// SPDX-License-Identifier: Apache-2.0
//
// Which calls concern the authority, where there is one.
#pragma once

#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

// Error failed_precondition if the call would change facts of topic compute, which are the authority's.
Result<void> check_authority(const State& state, const Method& method, const MethodCall& call);

// Returns whether the method asks the authority, and so blocks until placement has answered.
bool asks_authority(const Method& method);

}  // namespace gantry::scheduling
