// SPDX-License-Identifier: Apache-2.0
//
// Reads TOML 1.0 into trees.
#pragma once

#include <string_view>

#include "core/config/sources/tree.hpp"
#include "core/result.hpp"

namespace gantry::config {

// Reads the text of a file. `name` is the file's name. Origins in the tree say "<name>:12:3" with line and column,
// errors say "<name>:12:3: why".
Result<Table> parse_toml(std::string_view text, std::string_view name);

// Refuses keys of very many parts (a.b.c...) and values that are nested very deeply. The TOML library would run out of
// stack on them. parse_toml calls this function first.
Result<void> check_toml_depth(std::string_view text, std::string_view name);

// Reads a single value: 12, "text", [1, 2], {a = 1}.
Result<Node> parse_toml_value(std::string_view text);

}  // namespace gantry::config
