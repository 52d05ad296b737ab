// SPDX-License-Identifier: Apache-2.0
//
// Log lines for operators: one event a line, a sentence and its fields. The only door to spdlog.
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
  // Drops everything; for tests.
  static std::shared_ptr<Logger> none();

  virtual ~Logger() = default;
  virtual bool enabled(Level level) const = 0;
  // Control characters in the message and in fields are escaped: a line stays a line.
  virtual void write(Level level, std::string_view message, std::initializer_list<Field> fields = {}) = 0;
  // Opens the file by its name again, after a rotation gave the old one another. If that fails, the old one is written
  // on. Without a file there is nothing to do.
  virtual Result<void> reopen() = 0;
};

}  // namespace gantry::telemetry
