// SPDX-License-Identifier: Apache-2.0
//
// From settings to a serving process and back: every part is made here, in order, and ends in the reverse order.
#pragma once

#include "core/config/load.hpp"
#include "core/result.hpp"

namespace gantry::daemon {

// Config and driver files judged; nothing runs, nothing is opened. Returns one line for each driver.
Result<std::string> check(const config::Settings& settings);

// Serves until SIGTERM or SIGINT. invalid_configuration: config or a required driver refused.
Result<void> run(const config::Loaded& loaded);

}  // namespace gantry::daemon
