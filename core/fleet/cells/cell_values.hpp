// SPDX-License-Identifier: Apache-2.0
//
// Conversion of a reported JSON value to a cell. nullopt if the cell is null. Text that is a number counts as the
// number: agents send many of their counters as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/encoding/json.hpp"

namespace gantry::fleet {

std::optional<double> f64_of(const json::value* value);
// Whole numbers only.
std::optional<std::int64_t> i64_of(const json::value* value);
// Any number, rounded down: never more capacity than was reported.
std::optional<std::int64_t> floor_of(const json::value* value);
std::optional<bool> bool_of(const json::value* value);
std::optional<std::string_view> text_of(const json::value* value);

// Parses text that this process wrote. Returns an empty object for an empty text.
json::object parsed_object(std::string_view text);
json::value parsed_value(std::string_view text);

}  // namespace gantry::fleet
