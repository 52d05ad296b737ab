// SPDX-License-Identifier: Apache-2.0
//
// Whether a typed value makes sense for the key that it is to stand under.
#pragma once

#include <string>

#include "core/cli/nova/options.hpp"
#include "core/cli/nova/translation.hpp"
#include "core/config/tree.hpp"

namespace gantry::cli::nova {

// Empty, or "expected ..., found ...".
std::string fault_of(const CarriedOption& option, const config::Node& value, Release release);
// As the core judges the value of a key of its own: "scheduling.service_down_time".
std::string fault_of_core_key(std::string_view key, const config::Node& value);

}  // namespace gantry::cli::nova
