// SPDX-License-Identifier: Apache-2.0
//
// Writes the commented configuration file with every key and its default.
#pragma once

#include <string>

namespace gantry::config {

// Returns the text of config/gantry.toml.
std::string sample();

}  // namespace gantry::config
