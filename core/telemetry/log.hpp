// SPDX-License-Identifier: Apache-2.0
//
// Writes log lines for operators. A line tells one event: a sentence, then fields (key=value). Only this folder uses
// spdlog.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace gantry::telemetry {

enum class Level { debug, info, warning, error };

// Returns the level's name: "debug", "info", "warning" or "error".
std::string_view name_of(Level level);
// nullopt: no level has that name.
std::optional<Level> level_of(std::string_view name);

// The form of a line.
enum class LogFormat : std::uint8_t {
  text,    // for people
  json,    // a JSON object
  logfmt,  // key=value, the time, level and message among them
};
// Returns the format of that name, as the configuration has it. Another name is text.
LogFormat format_of(std::string_view name);

struct Field {
  std::string_view key;
  std::string value;
};

// A line that is prepared before it is known whether and how it will be written.
struct Line {
  Level level = Level::info;
  std::string message;
  std::vector<Field> fields;
};

struct LogSettings {
  Level level = Level::info;  // the lowest level that is written
  LogFormat format = LogFormat::text;
  std::string file;  // empty: standard error
};

// [any thread]
class Logger {
 public:
  // Makes a log file with mode 0640 at most. A strict umask takes more bits away.
  static Result<std::shared_ptr<Logger>> open(const LogSettings& settings);
  // Returns the error that open would return, as far as it can be told without making a file or directory.
  static Result<void> check(const LogSettings& settings);
  // Returns a logger that writes nothing.
  static std::shared_ptr<Logger> none();

  virtual ~Logger() = default;
  // Returns whether lines of the level are written.
  virtual bool enabled(Level level) const = 0;
  // Returns the lowest level that is written, and sets it from now on.
  virtual Level level() const { return Level::error; }
  virtual void set_level(Level /*level*/) {}
  // Returns the newest lines of warnings and errors, oldest first, in the log's format. A few hundred are kept.
  virtual std::vector<std::string> kept_lines() const { return {}; }
  // Writes one line without buffering. Escapes control characters in the message and in fields, so an event is one
  // line.
  virtual void write(Level level, std::string_view message, std::span<const Field> fields) = 0;
  void write(Level level, std::string_view message, std::initializer_list<Field> fields = {}) {
    write(level, message, std::span(fields.begin(), fields.size()));
  }
  // Opens a log file of the same name again, after log rotation has renamed the old file. After an error the logger
  // goes on with the old file. Does nothing if the log goes to standard error.
  virtual Result<void> reopen() = 0;
};

}  // namespace gantry::telemetry
