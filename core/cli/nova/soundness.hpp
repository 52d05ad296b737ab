// SPDX-License-Identifier: Apache-2.0
//
// Checks that a typed value is valid for its key.
#pragma once

#include <string>

#include "core/cli/nova/options.hpp"
#include "core/cli/nova/translation.hpp"
#include "core/config/tree.hpp"

namespace gantry::cli::nova {

// Returns "expected ..., found ...". Empty if the value is valid.
std::string fault_of(const CarriedOption& option, const config::Node& value, Release release);
// The same for a key of the core, for example "scheduling.service_down_time".
std::string fault_of_core_key(std::string_view key, const config::Node& value);

}  // namespace gantry::cli::nova
