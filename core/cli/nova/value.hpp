// SPDX-License-Identifier: Apache-2.0
//
// Parses values of nova.conf by oslo.config's types.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/config/tree.hpp"
#include "core/result.hpp"

namespace gantry::cli::nova {

enum class Type { integer, real, boolean, text, list };

// The error says "expected ..., found ...".
Result<config::Node> read_value(Type type, std::string_view text);

// Splits "a, b,c," into a, b, c. Keeps empty items, except at the end.
std::vector<std::string> split_list(std::string_view text);

config::Node to_node(const std::vector<std::string>& texts);

}  // namespace gantry::cli::nova
