// SPDX-License-Identifier: Apache-2.0
//
// Arguments and results of methods as JSON schemas of OpenAPI 3.1.
#pragma once

#include <optional>
#include <string_view>

#include "core/encoding/json.hpp"
#include "core/scheduling/methods/method_table.hpp"

namespace gantry::transport {

// Returns the schema of an argument in a body. Null is allowed where the argument is not required.
json::object schema_of_argument(const scheduling::Argument& argument);
// Returns the schema of an argument in a query, where every value is written as text and null does not exist.
json::object schema_of_parameter(const scheduling::Argument& argument);
// Returns the argument's example, else its default. nullopt if the argument has neither.
std::optional<json::value> example_of(const scheduling::Argument& argument);

// Returns the schema of a result. `result` is the text of Method::result: "Instance", or "[Instance]" for a list.
json::object schema_of_result(std::string_view result);

// Returns the schema of an object that may have these members and no others. `required` names the members that it must
// have.
json::object closed_object(json::object properties, json::array required);

// Returns {"$ref": "#/components/<kind>/<name>"}.
json::object reference(std::string_view kind, std::string_view name);

}  // namespace gantry::transport
