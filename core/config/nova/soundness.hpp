// SPDX-License-Identifier: Apache-2.0
//
// Checks that the value of a Nova option, already parsed by its type, is valid for the key that takes it.
#pragma once

#include <string>

#include "core/config/nova/options.hpp"
#include "core/config/nova/translation.hpp"
#include "core/config/sources/tree.hpp"

namespace gantry::config::nova {

// Returns "expected ..., found ..." if the value is invalid, otherwise an empty string. Some bounds hold only in later
// releases.
std::string fault_of(const CarriedOption& option, const Node& value, Release release);

}  // namespace gantry::config::nova
