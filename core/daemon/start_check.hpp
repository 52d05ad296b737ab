// SPDX-License-Identifier: Apache-2.0
//
// Judges whether gantryd would start with a configuration. The start itself, `gantryd --check-config` and
// `gantry config check` all ask here.
#pragma once

#include <string>
#include <vector>

#include "core/config/load.hpp"
#include "core/drivers/driver_check.hpp"
#include "core/fleet/fleet.hpp"
#include "core/result.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::daemon {

telemetry::LogSettings log_settings(const config::Settings& settings);

// The findings on this machine as it is now.
struct StartCheck {
  drivers::CheckedDrivers drivers;    // the problems are in `problems` below
  std::vector<std::string> warnings;  // one line each
  std::vector<Error> problems;        // each prevents the start; a message may have several lines

  // Returns all messages, one on each line.
  std::string problem_lines() const;
};

// How far the drivers of the configuration are checked.
enum class DriverCheck {
  left_out,   // not at all
  judged,     // their files and sections are judged, none of their code runs
  tried_out,  // the same, then each is loaded and created in a process of its own. Needs a process without threads.
};

// The check of the start itself, which goes on to load the drivers: drivers (judged), certificate, key, the socket's
// group and directory, the log file and the store's directory. Makes no file. Declares the topics and columns of the
// drivers to `fleet`.
StartCheck check_start(const config::Loaded& loaded, fleet::Fleet& fleet);
// The same check without a start, for the user that the service runs as (service_user.hpp).
StartCheck check_start(const config::Loaded& loaded, DriverCheck drivers);

}  // namespace gantry::daemon
