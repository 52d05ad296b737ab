// SPDX-License-Identifier: Apache-2.0
//
// Writes log lines for operators: one event a line, as a sentence with fields. Only this folder uses spdlog.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace gantry::telemetry {

enum class Level { debug, info, warning, error };

struct Field {
  std::string_view key;
  std::string value;
};

struct LogSettings {
  Level level = Level::info;
  bool json = false;  // one JSON object a line instead of text
  std::string file;   // empty: standard error
};

// [any thread]
class Logger {
 public:
  static Result<std::shared_ptr<Logger>> open(const LogSettings& settings);
  // Returns a logger that drops each line, for tests.
  static std::shared_ptr<Logger> none();

  virtual ~Logger() = default;
  virtual bool enabled(Level level) const = 0;
  // Writes one line at once. Escapes control characters in the message and in fields, so that an event is one line.
  virtual void write(Level level, std::string_view message, std::initializer_list<Field> fields = {}) = 0;
  // Opens the file by its name again, after a rotation renamed it. After an error the logger goes on with the old file.
  // Does nothing for standard error.
  virtual Result<void> reopen() = 0;
};

}  // namespace gantry::telemetry
