// SPDX-License-Identifier: Apache-2.0
//
// Puts the manager together and brings it to the state that the store holds.
#pragma once

#include <memory>

#include "core/scheduling/manager.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

// Reads the whole store; nothing may have been submitted to it yet.
Result<std::unique_ptr<Manager>> make_manager(Parts parts);

}  // namespace gantry::scheduling
