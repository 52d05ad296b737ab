// SPDX-License-Identifier: Apache-2.0
//
// Checks that the value of a Nova option, already parsed by its type, is valid for the key that takes it.
#pragma once

#include <string>

#include "core/cli/nova/options.hpp"
#include "core/cli/nova/translation.hpp"
#include "core/config/tree.hpp"

namespace gantry::cli::nova {

// Returns "expected ..., found ..." if the value is invalid, otherwise an empty string. Some bounds hold only in later
// releases.
std::string fault_of(const CarriedOption& option, const config::Node& value, Release release);
// Does the same for a key of the core, such as "scheduling.service_down_time".
std::string fault_of_core_key(std::string_view key, const config::Node& value);

}  // namespace gantry::cli::nova
