// SPDX-License-Identifier: Apache-2.0
#include "core/cli/driver_kit/kit_commands.hpp"

namespace gantry::cli {

std::vector<Command> driver_kit_commands() {
  return {driver_new_command(),     driver_build_command(),  driver_dev_command(),
          driver_install_command(), driver_remove_command(), driver_diff_command()};
}

}  // namespace gantry::cli
