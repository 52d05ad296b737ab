// SPDX-License-Identifier: Apache-2.0
//
// The files that a runner may read while its driver is loaded and created. Afterwards it may open none
// (confinement.hpp).
#pragma once

#include <string>
#include <vector>

#include "core/drivers/isolated/runner_start.hpp"
#include "core/drivers/judge/driver_file.hpp"

namespace gantry::drivers::isolated {

// Returns all that a driver may need: the system's libraries and those that its files name, the linker's index, time
// zones, locales, what the kernel says of the processors and of the process itself, and each absolute path among the
// options.
std::vector<std::string> readable_paths(const RunnerStart& start, const std::vector<const DriverFile*>& files);

// From now on the process can read these paths, what lies below them, and the files of open descriptors. It can change
// nothing. A path that is not there is passed over. Call it after confine(). Returns false if the kernel has no
// Landlock: nothing has changed then.
bool read_nothing_but(const std::vector<std::string>& paths, const std::vector<int>& descriptors);

}  // namespace gantry::drivers::isolated
