// SPDX-License-Identifier: Apache-2.0
//
// What a command is: its words, options, examples and what runs it. Parsing, help, completion and the manual are all
// made from this one description, so that they cannot disagree.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"

namespace gantry::cli {

class Arguments;
class Session;

enum class ValueKind { flag, text, integer, number };

struct Option {
  std::string name;  // without dashes
  char letter = 0;   // the short form; 0: none
  ValueKind kind = ValueKind::flag;
  std::string value_name{};  // "HOST"; empty for flags
  std::string help{};
  std::string fallback{};  // what holds if it is not given, as text; empty: nothing
  std::vector<std::string> choices{};
  bool repeatable = false;
  bool required = false;
  double minimum = 0;  // of integers and numbers
};

struct Positional {
  std::string name;  // "HOST"
  std::string help{};
  bool required = true;
  bool many = false;  // the last one only: takes all that follows
};

struct Example {
  std::string line;
  std::string what;
};

// Runs a command; the number is the exit code. An Error is printed by the caller, who derives the exit code from it.
using Run = Result<int> (*)(Session& session, const Arguments& arguments);

struct Command {
  std::string path;  // "server create"
  std::string summary;
  std::string description{};
  std::vector<Positional> positionals{};
  std::vector<Option> options{};
  std::vector<Example> examples{};
  Run run = nullptr;
  bool hidden = false;
};

// A word that several commands share: "server".
struct Group {
  std::string name;
  std::string summary;
};

struct CommandTable {
  std::vector<Option> global_options;
  std::vector<Group> groups;
  std::vector<Command> commands;

  // nullptr: there is none of that path.
  const Command* find(const std::string& path) const;
  bool is_group(const std::string& word) const;
  std::vector<const Command*> in_group(const std::string& word) const;  // those that are not hidden
};

// Every command of the program.
CommandTable command_table();

}  // namespace gantry::cli
