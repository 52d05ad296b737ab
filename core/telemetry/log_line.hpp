// SPDX-License-Identifier: Apache-2.0
//
// Formats one event as one line, without the end of line.
#pragma once

#include <chrono>
#include <initializer_list>
#include <string>
#include <string_view>

#include "core/telemetry/log.hpp"

namespace gantry::telemetry {

struct LineForm {
  bool json = false;
  // The form for the systemd journal: no time, since the journal adds one, and the priority as "<N>" in front.
  bool journal = false;
};

// Returns "2026-11-21T09:00:00.123456Z INFO driver loaded id=ip file=\"/opt/my drivers/ip.so\"" or
// {"time":"2026-11-21T09:00:00.123456Z","level":"info","message":"driver loaded","id":"ip",...}.
std::string log_line(const LineForm& form, std::chrono::system_clock::time_point time, Level level,
                     std::string_view message, std::initializer_list<Field> fields);

}  // namespace gantry::telemetry
