// SPDX-License-Identifier: Apache-2.0
//
// The requests that bench_filter has decided: one plain, others with one thing more.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gantry::bench {

struct AskedFor {
  std::uint32_t instances = 1;
  std::vector<std::string> apart_from = {};  // members of its server group, of the policy anti-affinity
  bool numa = false;                         // two cells with dedicated processors and pages of 2 MiB
};

// Nova's versioned RequestSpec.
std::string request_spec(const AskedFor& asked);

}  // namespace gantry::bench
