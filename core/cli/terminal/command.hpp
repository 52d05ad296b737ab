// SPDX-License-Identifier: Apache-2.0
//
// Describes a command: its words, options, examples and function. Parsing, help, completion and the manual are made
// from this description, so that they agree.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace gantry::cli {

class Arguments;
class Session;

// The type of an option's value. A flag takes no value.
enum class ValueKind { flag, text, integer, number };

struct Option {
  std::string name;  // without dashes
  char letter = 0;   // the short form; 0: no short form
  ValueKind kind = ValueKind::flag;
  std::string value_name{};  // how help names the value: "HOST"; empty for flags
  std::string help{};
  std::string fallback{};              // the default as text; empty: no default
  std::vector<std::string> choices{};  // the allowed values; empty: any value
  bool repeatable = false;
  bool required = false;
  double minimum = 0;                      // the lowest allowed integer or number
  std::optional<double> maximum{};         // the greatest
  std::vector<std::string> suggestions{};  // values that a shell offers, where others are allowed, too
};

// An argument that is recognized by its position, without a dash.
struct Positional {
  std::string name;  // "HOST"
  std::string help{};
  bool required = true;
  bool many = false;        // true for the last positional only: takes all further words
  std::string listed_by{};  // the command that lists the values in its first column: "server list"; may be empty
};

struct Example {
  std::string line;
  std::string what;  // what the line is for
};

// Runs a command and returns the exit code. The caller prints an Error and derives the exit code from it.
using Run = Result<int> (*)(Session& session, const Arguments& arguments);

struct Command {
  std::string path;  // "server create"
  std::string summary;
  std::string description{};
  std::vector<Positional> positionals{};
  std::vector<Option> options{};
  std::vector<Example> examples{};
  Run run = nullptr;
  bool hidden = false;  // true: left out of help, completion and the manual
};

// The common first word of several commands, such as "server".
struct Group {
  std::string name;
  std::string summary;
};

struct CommandTable {
  std::vector<Option> global_options;
  std::vector<Group> groups;
  std::vector<Command> commands;

  // Returns the command of a path such as "server create". nullptr if there is none.
  const Command* find(const std::string& path) const;
  bool is_group(const std::string& word) const;
  std::vector<const Command*> in_group(
      const std::string& word) const;  // commands whose first word this is, without hidden ones
};

// Returns the table of all commands.
CommandTable command_table();

}  // namespace gantry::cli
