// SPDX-License-Identifier: Apache-2.0
//
// Parses the words of a command line against the command's options.
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

// The values of a command line, by the name of their option or positional. An option that was not given has its
// default, if there is one. The parser has checked that numbers are numbers.
class Arguments {
 public:
  bool has(std::string_view name) const;  // true if it was given or has a default
  bool flag(std::string_view name) const { return has(name); }
  std::string text(std::string_view name) const;              // the last value; empty if there is none
  std::vector<std::string> all(std::string_view name) const;  // all values of a repeated option
  // These return nullopt if the option was not given and has no default.
  std::optional<std::int64_t> integer(std::string_view name) const;
  std::optional<double> number(std::string_view name) const;
  std::optional<std::chrono::milliseconds> seconds(std::string_view name) const;

  void put(const std::string& name, std::string value) { values_[name].push_back(std::move(value)); }

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

// The meaning of a command line.
struct Parsed {
  enum class What { run, help, version };
  What what = What::run;
  const Command* command = nullptr;  // the command to run or to print help of; nullptr: no command
  std::string group;                 // the group to print help of; empty, and no command: help of the whole program
  Arguments arguments;
};

// `words` is the command line without the program's name. The error invalid_argument names the wrong word, the nearest
// known word and the help to read.
Result<Parsed> parse_command_line(const CommandTable& table, const std::vector<std::string>& words);

}  // namespace gantry::cli
