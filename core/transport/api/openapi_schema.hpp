// SPDX-License-Identifier: Apache-2.0
//
// The method table's types and shapes as JSON schemas, as OpenAPI 3.1 has them.
#pragma once

#include <optional>
#include <string_view>

#include "core/encoding/json.hpp"
#include "core/scheduling/methods/method_table.hpp"

namespace gantry::transport {

// Of a shape as core/scheduling/record_table.hpp lays it down; a record is a reference to its component.
json::object schema_of_shape(std::string_view shape);

// Of an argument in a body, where null is as good as not given; and in a query, where all is text.
json::object schema_of_argument(const scheduling::Argument& argument);
json::object schema_of_parameter(const scheduling::Argument& argument);

// The argument's example, or what holds if it is not given; undefined: neither is there.
std::optional<json::value> example_of(const scheduling::Argument& argument);

// Every record by name.
json::object record_schemas();

// An object of these members and no others.
json::object closed_object(json::object properties, json::array required);

json::object reference(std::string_view kind, std::string_view name);  // {"$ref": "#/components/<kind>/<name>"}

}  // namespace gantry::transport
