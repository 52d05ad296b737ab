// SPDX-License-Identifier: Apache-2.0
//
// Finds the known name that a misspelt word probably means.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gantry {

// Returns the name of `known` with the smallest edit distance to `word`. Empty if more than a third of the letters of
// each name differ.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

}  // namespace gantry
