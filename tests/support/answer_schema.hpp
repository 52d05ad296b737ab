// SPDX-License-Identifier: Apache-2.0
//
// The answers of the daemon as the OpenAPI document describes them, for tests whose daemon is not real.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/encoding/json.hpp"

namespace gantry::support {

// Returns a line for each part of the answer that the daemon would not give: a member that the schema does not have, or
// a value of another type. Members may be left out. A method without a row in the method table answers anything.
std::vector<std::string> invented_in(std::string_view method, const json::value& answer);

// Returns an answer of the method with all members that its schema has, each list with one item. null: there is no such method.
json::value whole_answer(std::string_view method);

}  // namespace gantry::support
