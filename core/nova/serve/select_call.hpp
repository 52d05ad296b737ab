// SPDX-License-Identifier: Apache-2.0
//
// Nova's select_destinations, as the service has it.
#pragma once

#include <string_view>

#include "core/encoding/json.hpp"

namespace gantry::nova {

inline constexpr std::string_view select_destinations = "select_destinations";

// Returns the arguments that the service has, too.
json::object select_arguments(const json::object& given);

}  // namespace gantry::nova
