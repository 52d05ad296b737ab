// SPDX-License-Identifier: Apache-2.0
//
// Makes each part of the daemon in order, serves, and ends the parts in the reverse order.
#pragma once

#include <string>

#include "core/config/load.hpp"
#include "core/result.hpp"

namespace gantry::daemon {

struct Checked {
  bool is_valid = false;
  std::string drivers;  // one line for each driver that a start would load
  std::string remarks;  // one line for each warning and each problem
};
// Checks the settings, driver files, certificate and key. Runs no driver and makes no file.
Checked check(const config::Loaded& loaded);

// Serves until SIGTERM or SIGINT. invalid_configuration: the settings or a required driver are refused.
Result<void> run(const config::Loaded& loaded);

}  // namespace gantry::daemon
