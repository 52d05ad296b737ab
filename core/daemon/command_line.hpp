// SPDX-License-Identifier: Apache-2.0
//
// Reads gantryd's command line.
#pragma once

#include <string>

#include "core/config/load.hpp"
#include "core/result.hpp"

namespace gantry::daemon {

struct CommandLine {
  config::Sources sources;
  bool check_config = false;  // true: check the configuration and end
  bool version = false;
  bool help = false;
};

// The error invalid_argument names the wrong word.
Result<CommandLine> parse_command_line(int argc, const char* const* argv);

std::string help_text();
std::string version_text();

}  // namespace gantry::daemon
