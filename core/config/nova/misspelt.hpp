// SPDX-License-Identifier: Apache-2.0
//
// Finds options of a Nova deployment's files that are probably misspelt: no library of Nova's reads the name, and a name
// that Gantry reads is near.
#pragma once

#include <string>
#include <vector>

#include "core/config/nova/conf.hpp"

namespace gantry::config::nova {

// Returns a sentence for each: file, line, the name found and the name meant.
std::vector<std::string> misspelt_options(const Conf& conf);

}  // namespace gantry::config::nova
