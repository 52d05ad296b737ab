// SPDX-License-Identifier: Apache-2.0
//
// Formats one event of the log as one line of text, JSON or logfmt.
#pragma once

#include <chrono>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "core/telemetry/log.hpp"

namespace gantry::telemetry {

struct LineForm {
  LogFormat format = LogFormat::text;
  // True for a line to the systemd journal. The line has no time, since the journal adds one. It begins with the syslog
  // priority as "<N>".
  bool journal = false;
};

// Returns the line without an end of line. For example as text:
//   2026-11-21T09:00:00.123456Z INFO driver loaded id=ip file="/opt/my drivers/ip.so"
// As JSON:
//   {"time":"2026-11-21T09:00:00.123456Z","level":"info","message":"driver loaded","id":"ip",...}
// As logfmt:
//   time=2026-11-21T09:00:00.123456Z level=info msg="driver loaded" id=ip file="/opt/my drivers/ip.so"
std::string log_line(const LineForm& form, std::chrono::system_clock::time_point time, Level level,
                     std::string_view message, std::span<const Field> fields);
inline std::string log_line(const LineForm& form, std::chrono::system_clock::time_point time, Level level,
                            std::string_view message, std::initializer_list<Field> fields) {
  return log_line(form, time, level, message, std::span(fields.begin(), fields.size()));
}

}  // namespace gantry::telemetry
