// SPDX-License-Identifier: Apache-2.0
//
// The `gantry` program between its words and its exit code.
#pragma once

#include <string>
#include <vector>

#include "core/cli/terminal/session.hpp"

namespace gantry::cli {

// `words` does not hold the program's name. Everything it says goes to the environment's streams.
int run_program(const std::vector<std::string>& words, Environment& environment);

// "gantry 0.1.0, driver ABI 0.1"
std::string version_text();

}  // namespace gantry::cli
