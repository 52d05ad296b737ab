// SPDX-License-Identifier: Apache-2.0
//
// Nova's numa_fit_instance_to_host, as Zed has it: which cells of a host an instance's NUMA cells go to. It is a
// faithful port, not a correct search: what Nova remembers between its trials goes by ids that it overwrites on the
// way, so that a few instances get cells that they would not fit, or are refused cells that they would. Ocata remembers
// nothing and tries the cells in the host's order; that of its fit which is another than Zed's is in fit_cell_of_ocata().
#pragma once

#include <optional>

#include "nova/release.hpp"
#include "numa/topology.hpp"
#include "pci/requests.hpp"
#include "python/outcome.hpp"

namespace filter_driver {

// What an instance is fitted with besides its topology. All of it is borrowed; null: there is none.
struct fit_terms {
  const numa_limits* limits = nullptr;
  const pci_requests* requests = nullptr;
  const pci_pools* pools = nullptr;
  // The sockets that a PCI request with the policy "socket" sees are those of the topology fitted to.
  bool packing_host_numa_cells_allocation_strategy = false;  // [compute], default False in Zed
  release rules = release::zed;                              // or Ocata's
};

// Whether the instance fits; nothing is changed. null topologies fit nowhere.
outcome<bool> fits(const host_topology* host, const instance_topology* instance, const fit_terms& terms);

// The instance as fitted, with the ids of the host's cells, page sizes and pinning; none: it does not fit. The
// instance is left as Nova leaves it, which is half changed where it does not fit or an error is raised.
outcome<std::optional<instance_topology>> fit(const host_topology* host, instance_topology* instance,
                                              const fit_terms& terms);

}  // namespace filter_driver
