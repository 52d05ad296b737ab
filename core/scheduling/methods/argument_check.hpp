// SPDX-License-Identifier: Apache-2.0
//
// Checks a call's arguments against the method table before the method runs: their names, their types, the rules of
// their texts, and that the required ones are there.
#pragma once

#include <string_view>

#include "core/encoding/json.hpp"
#include "core/result.hpp"
#include "core/scheduling/methods/method_table.hpp"

namespace gantry::scheduling {

// Returns the error invalid_argument for the first fault, for example "create_group: argument 'name': expected text,
// found number". Ranges, choices, and arguments that exclude each other are left to the methods themselves.
Result<void> check_arguments(const Method& method, const json::object& args);

// The same for the names in a call's context: "context.user_id: expected at most 255 characters, found 300".
Result<void> check_context(const json::object& context);

// Returns the type in words for messages, for example "a whole number".
std::string_view words_for(ArgumentType type);

}  // namespace gantry::scheduling
