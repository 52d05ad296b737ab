// SPDX-License-Identifier: Apache-2.0
//
// Runs the daemon: makes its parts in order, serves requests, and ends the parts in the reverse order.
#pragma once

#include <string>

#include "core/config/load.hpp"
#include "core/result.hpp"

namespace gantry::daemon {

// The findings of check.
struct Checked {
  bool is_valid = false;
  std::string drivers;  // one line for each driver that a start would load
  std::string remarks;  // one line for each warning and each problem
};
// Checks the driver files that the settings name, the certificate and its key. Runs no driver and makes no file.
Checked check(const config::Loaded& loaded);

// Serves until SIGTERM or SIGINT. The error invalid_configuration means that the settings or a required driver were
// refused.
Result<void> run(const config::Loaded& loaded);

}  // namespace gantry::daemon
