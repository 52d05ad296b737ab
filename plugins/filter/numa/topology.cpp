// SPDX-License-Identifier: Apache-2.0
#include "numa/topology.hpp"

#include <algorithm>
#include <numeric>

namespace filter_driver {

void host_cell::count_free() {
  cpus = static_cast<std::uint32_t>(cpuset.size());
  pcpus = static_cast<std::uint32_t>(pcpuset.size());
  free_pcpus = static_cast<std::uint32_t>(pcpuset.missing_in(pinned_cpus));
  cores = static_cast<std::uint32_t>(siblings.size());
  threads_per_core = 0;
  free_threads = 0;
  cores_with.clear();
  for (std::size_t core = 0; core < siblings.size(); ++core) {
    const std::span<const cpu_number> threads = siblings[core];
    threads_per_core = std::max(threads_per_core, static_cast<std::uint32_t>(threads.size()));
    const auto free = static_cast<std::uint32_t>(std::count_if(threads.begin(), threads.end(), [&](cpu_number cpu) {
      return pcpuset.contains(cpu) && !pinned_cpus.contains(cpu);
    }));
    free_threads += free;
    if (cores_with.size() <= free) cores_with.resize(free + 1);
    for (std::size_t n = 1; n <= free; ++n) ++cores_with[n];
  }
  large_first.resize(mempages.size());
  std::iota(large_first.begin(), large_first.end(), 0);
  std::stable_sort(large_first.begin(), large_first.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return mempages[a].size_kb > mempages[b].size_kb; });
}

}  // namespace filter_driver
