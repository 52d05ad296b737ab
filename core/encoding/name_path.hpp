// SPDX-License-Identifier: Apache-2.0
//
// Several names as one text: "compute/c1/n1". Names may hold any character, and the parts do not run into each other.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gantry {

// Separated by /; within a name, / is %2F and % is %25.
std::string join_names(std::span<const std::string_view> names);
// The inverse.
std::vector<std::string> split_names(std::string_view path);

}  // namespace gantry
