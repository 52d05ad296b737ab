// SPDX-License-Identifier: Apache-2.0
//
// Arguments and results of methods as JSON schemas of OpenAPI 3.1.
#pragma once

#include <optional>
#include <string_view>

#include "core/encoding/json.hpp"
#include "core/scheduling/methods/method_table.hpp"

namespace gantry::transport {

// The schema of an argument in a body. Null is allowed where the argument is not required.
json::object schema_of_argument(const scheduling::Argument& argument);
// The schema of an argument in a query, where every value is text.
json::object schema_of_parameter(const scheduling::Argument& argument);
// The argument's example, else its default. Empty if the argument has neither.
std::optional<json::value> example_of(const scheduling::Argument& argument);

// The schema of a result as Method::result names it.
json::object schema_of_result(std::string_view result);

// The schema of an object that has these members and no others.
json::object closed_object(json::object properties, json::array required);

// {"$ref": "#/components/<kind>/<name>"}
json::object reference(std::string_view kind, std::string_view name);

}  // namespace gantry::transport
