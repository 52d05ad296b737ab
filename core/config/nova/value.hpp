// SPDX-License-Identifier: Apache-2.0
//
// Parses values of nova.conf by the types of oslo.config, the library that Nova reads them with.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/config/sources/tree.hpp"
#include "core/result.hpp"

namespace gantry::config::nova {

enum class Type { integer, real, boolean, text, list };

// Reads `text` as a value of `type`. The error says "expected ..., found ...".
Result<Node> read_value(Type type, std::string_view text);

// Returns true if oslo.config reads the text as no value at all: an empty number.
bool is_none(Type type, std::string_view text);

// Splits "a, b,c," into a, b, c. Drops empty items at the end and keeps other empty items.
std::vector<std::string> split_list(std::string_view text);

// Returns a node that holds the list of texts.
Node to_node(const std::vector<std::string>& texts);

}  // namespace gantry::config::nova
