// SPDX-License-Identifier: Apache-2.0
//
// Reads the process's environment and finds the settings and the configuration file that it names.
#pragma once

#include <map>
#include <string>

#include "core/config/load.hpp"

namespace gantry::config {

// Returns all variables of this process.
std::map<std::string, std::string> environment_variables();

// Returns sources with these variables as settings. $GANTRY_CONFIG names the file, which must then exist.
Sources sources_from(std::map<std::string, std::string> environment);

}  // namespace gantry::config
