// SPDX-License-Identifier: Apache-2.0
//
// Writes a line of the log from a signal handler. The process may be broken in any way then: its heap, its locks and
// its descriptors may be unusable.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "core/telemetry/log.hpp"
#include "core/telemetry/log_line.hpp"

namespace gantry::telemetry {

class CrashLog {
 public:
  struct Field {
    std::string_view key;
    std::string_view value;  // empty: the field is left out
  };

  explicit CrashLog(const LogSettings& settings);

  // Writes one line of level error to standard error and to the log file, if the settings name one. Opens the log file
  // by its name, so the line is kept although all descriptors are closed. Cuts long texts. Replaces characters that
  // steer terminals by "?". [signal handler]
  void write(std::string_view message, std::initializer_list<Field> fields) const noexcept;

 private:
  const LineForm on_standard_error_;
  const LineForm in_file_;
  const std::string file_;  // absolute; empty: standard error alone
  const int link_flag_;
};

}  // namespace gantry::telemetry
