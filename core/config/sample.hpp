// SPDX-License-Identifier: Apache-2.0
//
// Writes the sample configuration file. It has every key with its default, and comments that explain the keys.
#pragma once

#include <string>

namespace gantry::config {

// Returns the text of config/gantry.toml.
std::string sample();

}  // namespace gantry::config
