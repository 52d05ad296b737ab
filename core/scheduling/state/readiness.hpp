// SPDX-License-Identifier: Apache-2.0
//
// Whether requests are welcome now, and if not, why.
#pragma once

#include <string>
#include <vector>

#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

// Returns a sentence for each thing that keeps the service from serving as it should. Empty: the service is ready.
std::vector<std::string> unready_reasons(const State& state);

}  // namespace gantry::scheduling
