// SPDX-License-Identifier: Apache-2.0
//
// Writes the scripts by which a shell completes commands and options of `gantry`. They are made from the command table.
#pragma once

#include <string>

#include "core/cli/terminal/command.hpp"

namespace gantry::cli {

std::string bash_completion(const CommandTable& table);
std::string zsh_completion(const CommandTable& table);
std::string fish_completion(const CommandTable& table);

}  // namespace gantry::cli
