// SPDX-License-Identifier: Apache-2.0
//
// What may stand in a manifest beyond its keys and their types: names, columns, methods and versions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/drivers/manifest/manifest.hpp"

namespace gantry::drivers {

// Letters, digits, _ and -, 1 to 64 of them.
bool is_id(std::string_view text);
// The same and dots: topics.
bool is_topic(std::string_view text);
// Letters, digits and _, not a digit first: methods.
bool is_method(std::string_view text);

// A driver's operations: a custom method cannot have such a name.
bool is_operation(std::string_view method);
// path, required, sha256, libraries, options and those to come: keys of [driver.<id>] that are the core's own.
bool is_core_key(std::string_view option);

// "0.1" -> {0, 1}.
std::optional<std::pair<std::uint32_t, std::uint32_t>> parse_abi(std::string_view text);

// "vcpus", "claims.volumes", "stats.rack:string". Otherwise what was expected instead.
struct ColumnRefusal {
  std::string expected;
};
std::optional<ColumnRefusal> parse_column(std::string_view text, ColumnUse& out);
// "string" for GANTRY_TYPE_STRING.
std::string_view name_of_column_type(std::int32_t type);

}  // namespace gantry::drivers
