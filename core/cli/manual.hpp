// SPDX-License-Identifier: Apache-2.0
//
// The manual page gantry(1) as scdoc text, made from the command table.
#pragma once

#include <string>

#include "core/cli/terminal/command.hpp"

namespace gantry::cli {

std::string manual(const CommandTable& table);

}  // namespace gantry::cli
