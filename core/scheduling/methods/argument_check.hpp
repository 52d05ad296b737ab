// SPDX-License-Identifier: Apache-2.0
//
// A call's arguments held against the method table, before the method sees them: names, types, required ones.
#pragma once

#include <string_view>

#include "core/encoding/json.hpp"
#include "core/result.hpp"
#include "core/scheduling/methods/method_table.hpp"

namespace gantry::scheduling {

// "create_group: argument 'name': expected text, found number". What a type does not say (ranges, choices, which
// arguments exclude each other) the methods check themselves.
Result<void> check_arguments(const Method& method, const json::object& args);

// "a whole number" and so on, for messages.
std::string_view words_for(ArgumentType type);

}  // namespace gantry::scheduling
