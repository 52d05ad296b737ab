// SPDX-License-Identifier: Apache-2.0
//
// The cost of keeping decisions, and of making one again: the manager with the filter driver in this
// process, once with an archive of decisions and once without, in turns.
#pragma once

#include <vector>

#include "tests/bench/service/service_under_test.hpp"

namespace gantry::bench {

void print_recorded(const RunDirectory& run, const std::vector<std::size_t>& sizes);

}  // namespace gantry::bench
