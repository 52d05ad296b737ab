// SPDX-License-Identifier: Apache-2.0
//
// Checks a call's arguments against the method table before the method runs: their names, their types, and that the
// required ones are there.
#pragma once

#include <string_view>

#include "core/encoding/json.hpp"
#include "core/result.hpp"
#include "core/scheduling/methods/method_table.hpp"

namespace gantry::scheduling {

// Error invalid_argument: "create_group: argument 'name': expected text, found number". The methods themselves check
// ranges, choices, and arguments that exclude each other.
Result<void> check_arguments(const Method& method, const json::object& args);

// The type in words, for messages: "a whole number".
std::string_view words_for(ArgumentType type);

}  // namespace gantry::scheduling
