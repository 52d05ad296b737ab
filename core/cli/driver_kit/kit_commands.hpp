// SPDX-License-Identifier: Apache-2.0
//
// The verbs of `gantry driver` for those who write, install or compare drivers. Each source named *_command.cpp defines one
// of the functions that return one command.
#pragma once

#include <vector>

#include "core/cli/terminal/command.hpp"

namespace gantry::cli {

std::vector<Command> driver_kit_commands();

Command driver_build_command();
Command driver_dev_command();
Command driver_diff_command();
Command driver_install_command();
Command driver_new_command();
Command driver_remove_command();

}  // namespace gantry::cli
