// SPDX-License-Identifier: Apache-2.0
//
// The rules for the values in a manifest: names, columns, methods and versions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/drivers/manifest/manifest.hpp"

namespace gantry::drivers {

// True for 1 to 64 letters, digits, _ and -.
bool is_id(std::string_view text);
// True for 1 to 64 letters, digits, _, - and dots that do not begin with a dot.
bool is_topic(std::string_view text);
// True for 1 to 64 letters, digits and _ that do not begin with a digit.
bool is_method(std::string_view text);

// True for a line's end, NUL, escape and the like.
bool is_control_character(char c);

// True for the name of an operation of driver.h. A custom method must not have such a name.
bool is_operation(std::string_view method);
// True for a key of [driver.<id>] that belongs to the core: path, required, sha256, libraries, options and so on. An
// option must not have the name of such a key.
bool is_core_key(std::string_view option);
// True for a name that begins with gantry_. An option or a method must not have such a name: all names that the host takes
// within a major begin so.
bool is_hosts_name(std::string_view option_or_method);

// Parses an ABI version: "0.1" gives {0, 1}. nullopt for any other form.
std::optional<std::pair<std::uint32_t, std::uint32_t>> parse_abi(std::string_view text);

// Parses a column as "vcpus", "claims.volumes" or "stats.rack:string" into `out`. Returns nullopt if the text has one
// of these forms, otherwise a refusal with the expected form.
struct ColumnRefusal {
  std::string expected;
};
std::optional<ColumnRefusal> parse_column(std::string_view text, ColumnUse& out);
// Returns the name of a column type, e.g. "string" for GANTRY_TYPE_STRING.
std::string_view name_of_column_type(std::int32_t type);

}  // namespace gantry::drivers
