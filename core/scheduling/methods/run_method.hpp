// SPDX-License-Identifier: Apache-2.0
//
// Runs a method of the table.
#pragma once

#include "core/scheduling/methods/method_table.hpp"

namespace gantry::scheduling {

// Runs a method that does not wait. An exception, from the JSON library or for want of memory, becomes the error
// `internal`. Takes the call apart, unless its idempotency key will need the arguments again.
Outcome run_method(const Method& method, State& state, MethodCall& call);

}  // namespace gantry::scheduling
