// SPDX-License-Identifier: Apache-2.0
//
// `gantry restore`: puts a backup in the place of the store.
#pragma once

#include <vector>

#include "core/cli/terminal/command.hpp"

namespace gantry::cli {

std::vector<Command> restore_commands();

}  // namespace gantry::cli
