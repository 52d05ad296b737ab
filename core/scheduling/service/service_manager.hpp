// SPDX-License-Identifier: Apache-2.0
//
// The manager of the service. It checks a call's access and arguments, runs the method, commits the method's changes to
// the store, and answers.
#pragma once

#include <memory>

#include "core/scheduling/manager.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

// Makes the manager and loads the store into memory. Error if the store cannot be loaded. Requires: nothing was
// submitted to the store yet.
Result<std::unique_ptr<Manager>> make_manager(Parts parts);

}  // namespace gantry::scheduling
