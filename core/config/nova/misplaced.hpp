// SPDX-License-Identifier: Apache-2.0
//
// Finds options about scheduling that no Nova reads where they stand: in a misspelt section, or in another's section.
#pragma once

#include <string>

#include "core/config/nova/conf.hpp"

namespace gantry::config::nova {

// Returns why no Nova reads the option there, and where it would, or what was probably meant. Empty for an option that
// has nothing to do with scheduling. The option is none that the release reads.
std::string fault_of_place(const Place& place);

}  // namespace gantry::config::nova
