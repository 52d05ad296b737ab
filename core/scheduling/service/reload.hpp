// SPDX-License-Identifier: Apache-2.0
//
// Runs a reload of the configuration for a caller and keeps account of it: its audit line, its counter, its event, and
// what `status` tells of the last one.
#pragma once

#include "core/scheduling/manager.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

// Calls `done` once, later or at once.
void reload(State& state, const MethodCall& call, const Done& done);

}  // namespace gantry::scheduling
