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
// The same with a store that another process still uses (open_sqlite_ahead). Manager::take_over and Manager::begin are
// called before the first call.
Result<std::unique_ptr<Manager>> make_manager_ahead(Parts parts);

}  // namespace gantry::scheduling
