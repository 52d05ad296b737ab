// SPDX-License-Identifier: Apache-2.0
//
// Runs the daemon: makes its parts in order, serves requests, and ends the parts in the reverse order.
#pragma once

#include "core/config/load.hpp"
#include "core/result.hpp"

namespace gantry::daemon {

// Serves until SIGTERM or SIGINT. exit_status.hpp says which status each error has.
Result<void> run(const config::Loaded& loaded);

}  // namespace gantry::daemon
