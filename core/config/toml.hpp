// SPDX-License-Identifier: Apache-2.0
//
// Reads TOML 1.0. The only door to the TOML library.
#pragma once

#include <string_view>

#include "core/config/tree.hpp"
#include "core/result.hpp"

namespace gantry::config {

// `name` stands in front of line and column in origins and in errors: "<name>:12:3: why".
Result<Table> parse_toml(std::string_view text, std::string_view name);

// Refuses keys of more parts (a.b.c...) than anyone writes: the library would run out of stack on them. parse_toml asks
// it.
Result<void> check_toml_depth(std::string_view text, std::string_view name);

// One value alone: 12, "text", [1, 2], {a = 1}.
Result<Node> parse_toml_value(std::string_view text);

}  // namespace gantry::config
