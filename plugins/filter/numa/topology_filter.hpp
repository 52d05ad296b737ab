// SPDX-License-Identifier: Apache-2.0
//
// The NUMATopologyFilter's verdict on one host, as Zed and Ocata have it.
#pragma once

#include <optional>

#include "numa/fit.hpp"

namespace filter_driver {

// The parts of a request that the filter needs, read once for all hosts. Pointers are borrowed. nullptr: the request
// does not have the part.
struct numa_wishes {
  const instance_topology* topology = nullptr;
  const pci_requests* requests = nullptr;
  const network_metadata* networks = nullptr;
  // True if hw:cpu_policy or hw_cpu_policy is "dedicated" and hw:cpu_thread_policy or hw_cpu_thread_policy is
  // "require". Hosts that have a topology but no hyperthreads are refused then.
  bool requires_threads = false;
  bool packing_host_numa_cells_allocation_strategy = false;
  release rules = release::zed;                  // or Ocata's
  const request_providers* providers = nullptr;  // as in pci_placement
};

// The parts of a host that the filter needs. nullptr or an empty ratio: the host does not have the part.
struct numa_supply {
  const host_topology* topology = nullptr;
  const pci_pools* pools = nullptr;
  std::optional<double> cpu_allocation_ratio;
  std::optional<double> ram_allocation_ratio;
};

// Returns whether the host has hyperthreads. By Ocata's rules every host that reports a core has them.
bool has_threads(const host_topology& host, release rules = release::zed);

// Returns the limits that the filter leaves on a host that passes. Empty if the instance or the host has no topology.
// Raises ValueError if both have one and a ratio of the host is unset.
outcome<std::optional<numa_limits>> numa_limits_of(const numa_wishes& wishes, const numa_supply& host);

// Returns false if the host is rejected by any choice of providers. Needs no fit.
outcome<bool> may_pass_numa_topology(const numa_wishes& wishes, const numa_supply& host);

// Returns whether the host passes. Raises the errors of the fit.
outcome<bool> passes_numa_topology(const numa_wishes& wishes, const numa_supply& host);

// The same for one of several allocation candidates of the host, one after the other. `instance` is in the place of
// wishes.topology. The fit changes it, and Nova judges the next candidate with the changed one.
outcome<bool> passes_numa_topology(const numa_wishes& wishes, const numa_supply& host, instance_topology& instance);

}  // namespace filter_driver
