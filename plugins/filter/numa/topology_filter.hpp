// SPDX-License-Identifier: Apache-2.0
//
// The NUMATopologyFilter's verdict on one host, as Zed and Ocata have it.
#pragma once

#include <optional>

#include "numa/fit.hpp"

namespace filter_driver {

// What a request means to the filter, read once for all hosts. Borrowed; null: the request has none.
struct numa_wishes {
  const instance_topology* topology = nullptr;
  const pci_requests* requests = nullptr;
  const network_metadata* networks = nullptr;
  // "dedicated" among hw:cpu_policy and hw_cpu_policy, and "require" among hw:cpu_thread_policy and
  // hw_cpu_thread_policy: hosts with a topology but without hyperthreads are refused.
  bool requires_threads = false;
  bool packing_host_numa_cells_allocation_strategy = false;
  release rules = release::zed;  // or Ocata's
};

// One host's share; null: the host has none.
struct numa_supply {
  const host_topology* topology = nullptr;
  const pci_pools* pools = nullptr;
  std::optional<double> cpu_allocation_ratio;
  std::optional<double> ram_allocation_ratio;
};

// Ocata takes a host that tells of any core for one with threads.
bool has_threads(const host_topology& host, release rules = release::zed);

// The limits that the filter leaves on a host that passes; none where it sets none. Raises ValueError where the
// instance has to be fitted and a ratio of the host is unset.
outcome<std::optional<numa_limits>> numa_limits_of(const numa_wishes& wishes, const numa_supply& host);

// Whether the host passes; what the fit raises.
outcome<bool> passes_numa_topology(const numa_wishes& wishes, const numa_supply& host);

}  // namespace filter_driver
