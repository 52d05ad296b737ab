// SPDX-License-Identifier: Apache-2.0
//
// From settings to a serving process and back: every part is made here, in order, and ends in the reverse order.
#pragma once

#include <string>

#include "core/config/load.hpp"
#include "core/result.hpp"

namespace gantry::daemon {

struct Checked {
  bool is_valid = false;
  std::string drivers;  // a line for each that would be loaded
  std::string remarks;  // a line for each warning and each problem
};
// Config, driver files, certificate and key judged; nothing runs, nothing is made.
Checked check(const config::Loaded& loaded);

// Serves until SIGTERM or SIGINT. invalid_configuration: config or a required driver refused.
Result<void> run(const config::Loaded& loaded);

}  // namespace gantry::daemon
