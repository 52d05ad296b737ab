// SPDX-License-Identifier: Apache-2.0
//
// The words of a command line, checked against the command they belong to.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/cli/terminal/command.hpp"

namespace gantry::cli {

// What was given for each option and positional; a fallback counts as given. Numbers were checked when parsed.
class Arguments {
 public:
  bool has(std::string_view name) const;  // options and positionals alike
  bool flag(std::string_view name) const { return has(name); }
  std::string text(std::string_view name) const;  // empty if not given
  std::vector<std::string> all(std::string_view name) const;
  std::optional<std::int64_t> integer(std::string_view name) const;
  std::optional<double> number(std::string_view name) const;
  std::optional<std::chrono::milliseconds> seconds(std::string_view name) const;

  void put(const std::string& name, std::string value) { values_[name].push_back(std::move(value)); }

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

// What a command line asks for.
struct Parsed {
  enum class What { run, help, version };
  What what = What::run;
  const Command* command = nullptr;  // run; help of a command
  std::string group;                 // help of a group; empty and no command: of the program
  Arguments arguments;
};

// invalid_argument says what was wrong, what is nearest, and where to read on. `words` does not hold the program's
// name.
Result<Parsed> parse_command_line(const CommandTable& table, const std::vector<std::string>& words);

}  // namespace gantry::cli
