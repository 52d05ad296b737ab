// SPDX-License-Identifier: Apache-2.0
//
// The files and directories that a driver's options name. An option does not say that it is a path: each text that begins
// with "/" counts as one.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/config/settings.hpp"

namespace gantry::drivers {

// Returns the paths in the options of a driver and of its libraries' offers.
std::vector<std::string> option_paths(const config::DriverSettings& section);

// The system's facts about each of the paths: a file that was written or replaced has another text. Empty: nothing is
// there.
using FileStamps = std::map<std::string, std::string>;
FileStamps stamps_of(const std::vector<std::string>& paths);

// Returns the paths whose stamp is another now.
std::vector<std::string> changed_since(const FileStamps& before);

}  // namespace gantry::drivers
