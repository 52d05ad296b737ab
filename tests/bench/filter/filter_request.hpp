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
  // Of each of two NUMA cells with dedicated processors and pages of 2 MiB; 0: no NUMA.
  std::int64_t numa_memory_mb = 0;
  // The flavor's sizes.
  std::int64_t vcpus = 4;
  std::int64_t memory_mb = 4096;
  std::int64_t root_gb = 40;
};

// Nova's versioned RequestSpec.
std::string request_spec(const AskedFor& asked);

}  // namespace gantry::bench
