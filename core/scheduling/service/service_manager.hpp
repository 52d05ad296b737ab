// SPDX-License-Identifier: Apache-2.0
//
// The manager of the service: runs a call through the checks of access and arguments, its method, the commit and the
// answer.
#pragma once

#include <memory>

#include "core/scheduling/manager.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

// Makes the manager and loads the store into memory. Requires: nothing was submitted to the store yet.
Result<std::unique_ptr<Manager>> make_manager(Parts parts);

}  // namespace gantry::scheduling
