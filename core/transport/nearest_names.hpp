// SPDX-License-Identifier: Apache-2.0
//
// Names near to a mistyped one, for "did you mean".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gantry::transport {

// At most three of `names`, nearest first: by edit distance, or because one contains the other. Empty if none is near.
std::vector<std::string> nearest_names(std::string_view wanted, const std::vector<std::string>& names);

}  // namespace gantry::transport
