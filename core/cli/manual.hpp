// SPDX-License-Identifier: Apache-2.0
//
// Writes the manual page gantry(1) from the command table, in the format of the tool scdoc, which makes man pages.
#pragma once

#include <string>

#include "core/cli/terminal/command.hpp"

namespace gantry::cli {

std::string manual(const CommandTable& table);

}  // namespace gantry::cli
