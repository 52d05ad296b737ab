// SPDX-License-Identifier: Apache-2.0
//
// Reads the environment variables of the process and makes sources of the configuration from them.
#pragma once

#include <map>
#include <string>

#include "core/config/load.hpp"

namespace gantry::config {

// Returns all variables of this process.
std::map<std::string, std::string> environment_variables();

// Returns the default sources with the variables `environment`. If $GANTRY_CONFIG is set, it names the configuration
// file, and that file must exist.
Sources sources_from(std::map<std::string, std::string> environment);

}  // namespace gantry::config
