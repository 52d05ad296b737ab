// SPDX-License-Identifier: Apache-2.0
//
// How `gantry whatif --compatibility` shows what it has found.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/cli/terminal/session.hpp"
#include "core/whatif/comparison.hpp"

namespace gantry::cli {

// Prints a summary, each request that differs with the rules that make the difference, and the requests that were not
// judged. `ids`: the names of the requests.
void print_differences(Session& session, const whatif::Compared& compared, const std::vector<std::string>& ids,
                       std::uint64_t seed);

}  // namespace gantry::cli
