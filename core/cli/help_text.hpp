// SPDX-License-Identifier: Apache-2.0
//
// Writes the help of a command: its purpose, words, options and examples to copy.
#pragma once

#include <string>

#include "core/cli/terminal/arguments.hpp"
#include "core/cli/terminal/command.hpp"

namespace gantry::cli {

std::string help_text(const CommandTable& table, const Parsed& wanted);

// Returns "gantry server create [options] NAME".
std::string usage_line(const Command& command);
// Returns "-o, --output FORMAT".
std::string option_words(const Option& option);
// Returns the option's help with its default and choices.
std::string option_help(const Option& option);

// An exit code of the program, for the help and the manual.
struct ExitStatus {
  int code;
  std::string meaning;
};
std::vector<ExitStatus> exit_statuses();

}  // namespace gantry::cli
