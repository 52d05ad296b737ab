// SPDX-License-Identifier: Apache-2.0
//
// Writes help: the purpose, usage line, arguments, options and examples of a command, a group or the whole program.
#pragma once

#include <string>

#include "core/cli/terminal/arguments.hpp"
#include "core/cli/terminal/command.hpp"

namespace gantry::cli {

// `wanted` says whose help to write.
std::string help_text(const CommandTable& table, const Parsed& wanted);

// Returns a line such as "gantry server create [options] NAME".
std::string usage_line(const Command& command);
// Returns the option as help shows it, such as "-o, --output FORMAT".
std::string option_words(const Option& option);
// Returns the option's help sentence with its default and choices.
std::string option_help(const Option& option);

// An exit code of the program and its meaning, as help and the manual show them.
struct ExitStatus {
  int code;
  std::string meaning;
};
std::vector<ExitStatus> exit_statuses();

}  // namespace gantry::cli
