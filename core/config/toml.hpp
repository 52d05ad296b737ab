// SPDX-License-Identifier: Apache-2.0
//
// Reads TOML 1.0. Only this folder and the manifests of drivers use the TOML library.
#pragma once

#include <string_view>

#include "core/config/tree.hpp"
#include "core/result.hpp"

namespace gantry::config {

// Reads a file's text. Origins and errors name `name`, line and column: "<name>:12:3: why".
Result<Table> parse_toml(std::string_view text, std::string_view name);

// Refuses keys of very many parts (a.b.c...), on which the library would run out of stack. parse_toml calls it first.
Result<void> check_toml_depth(std::string_view text, std::string_view name);

// Reads a single value: 12, "text", [1, 2], {a = 1}.
Result<Node> parse_toml_value(std::string_view text);

}  // namespace gantry::config
