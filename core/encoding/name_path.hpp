// SPDX-License-Identifier: Apache-2.0
//
// Joins several names to one text and splits it again: "compute/c1/n1". A name may hold any character.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gantry {

// Joins the names with /. Within a name, / becomes %2F and % becomes %25.
std::string join_names(std::span<const std::string_view> names);
// Splits a text that join_names made into the original names.
std::vector<std::string> split_names(std::string_view path);

}  // namespace gantry
