// SPDX-License-Identifier: Apache-2.0
//
// Conversion of a reported JSON value to a cell. Each function returns nullopt, a null cell, for nullptr and for a
// value that does not fit. A number that is sent as text counts as the number: agents send many of their counters so.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/encoding/json.hpp"

namespace gantry::fleet {

std::optional<double> f64_of(const json::value* value);
// nullopt for a number with a fraction: 2.0 is 2, 2.5 is null.
std::optional<std::int64_t> i64_of(const json::value* value);
// Rounds down: a cell never shows more capacity than was reported.
std::optional<std::int64_t> floor_of(const json::value* value);
std::optional<bool> bool_of(const json::value* value);
std::optional<std::string_view> text_of(const json::value* value);

// Parse JSON text that this process wrote. Return an empty object or null for a text that does not parse, such as the
// empty text.
json::object parsed_object(std::string_view text);
json::value parsed_value(std::string_view text);

}  // namespace gantry::fleet
