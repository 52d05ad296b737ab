// SPDX-License-Identifier: Apache-2.0
//
// Finds the known name that a misspelt word probably means.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gantry {

// Returns the name in `known` that takes the fewest changes of letters to become `word`. Empty if every name takes
// changes to more than a third of its letters.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

}  // namespace gantry
