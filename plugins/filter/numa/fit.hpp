// SPDX-License-Identifier: Apache-2.0
//
// Nova's numa_fit_instance_to_host by Zed's rules: chooses the host cells for an instance's NUMA cells. This is a
// faithful port, including a fault of Nova's search. Nova remembers earlier trials by cell ids and overwrites these
// ids during the search. So a few instances get cells that they do not fit, or are refused cells that they would fit.
// Ocata remembers no trials and tries the cells in the host's order. The rules for a single cell that differ in Ocata
// are in fit_cell_of_ocata().
#pragma once

#include <optional>

#include "nova/release.hpp"
#include "numa/topology.hpp"
#include "pci/requests.hpp"
#include "python/outcome.hpp"

namespace filter_driver {

// The inputs of a fit besides the two topologies. All pointers are borrowed. Null means that there is no such input.
struct fit_terms {
  const numa_limits* limits = nullptr;
  const pci_requests* requests = nullptr;
  const pci_pools* pools = nullptr;
  // For a PCI request with the policy "socket", the sockets are those of the fitted host topology.
  bool packing_host_numa_cells_allocation_strategy = false;  // [compute], default False in Zed
  release rules = release::zed;                              // or Ocata's
};

// Returns whether the instance fits. Changes nothing. A null topology never fits.
outcome<bool> fits(const host_topology* host, const instance_topology* instance, const fit_terms& terms);

// Returns the fitted instance with the host cells' ids, page sizes and pinning. Empty if the instance does not fit.
// `instance` is left as Nova leaves it: partly changed if it does not fit or an error is raised.
outcome<std::optional<instance_topology>> fit(const host_topology* host, instance_topology* instance,
                                              const fit_terms& terms);

}  // namespace filter_driver
