// SPDX-License-Identifier: Apache-2.0
//
// Writes the manual page gantry(1) as scdoc text, from the command table.
#pragma once

#include <string>

#include "core/cli/terminal/command.hpp"

namespace gantry::cli {

std::string manual(const CommandTable& table);

}  // namespace gantry::cli
