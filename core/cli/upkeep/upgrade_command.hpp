// SPDX-License-Identifier: Apache-2.0
//
// `gantry upgrade check`: whether this version can take over what an earlier one left.
#pragma once

#include <vector>

#include "core/cli/terminal/command.hpp"

namespace gantry::cli {

std::vector<Command> upgrade_commands();

}  // namespace gantry::cli
