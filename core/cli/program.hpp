// SPDX-License-Identifier: Apache-2.0
//
// Runs the `gantry` program: from the words of its command line to its exit code.
#pragma once

#include <string>
#include <vector>

#include "core/cli/terminal/session.hpp"

namespace gantry::cli {

// Runs one command line and returns the exit code. `words` is the command line without the program's name. All output
// goes to the streams of `environment`.
int run_program(const std::vector<std::string>& words, Environment& environment);

// Returns the versions, such as "gantry 0.1.0, driver ABI 0.1".
std::string version_text();

}  // namespace gantry::cli
