// SPDX-License-Identifier: Apache-2.0
//
// Help that teaches: what a command is for, its words, its options and examples to copy.
#pragma once

#include <string>

#include "core/cli/terminal/arguments.hpp"
#include "core/cli/terminal/command.hpp"

namespace gantry::cli {

std::string help_text(const CommandTable& table, const Parsed& wanted);

// "gantry server create [options] NAME"
std::string usage_line(const Command& command);
// "-o, --output FORMAT"
std::string option_words(const Option& option);
// Its help with fallback and choices.
std::string option_help(const Option& option);

// The exit codes, for help and manual alike.
struct ExitStatus {
  int code;
  std::string meaning;
};
std::vector<ExitStatus> exit_statuses();

}  // namespace gantry::cli
