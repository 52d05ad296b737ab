// SPDX-License-Identifier: Apache-2.0
//
// Nova's numa_fit_instance_to_host by the rules of Zed and later releases: chooses the host cells for an instance's
// NUMA cells. This is a faithful port, including a fault of Nova's search. A trial checks one cell of the instance on
// one cell of the host. Nova remembers earlier trials by the ids of the two cells and overwrites these ids during the
// search. So a few instances get cells that they do not fit, or are refused cells that they would fit. The fit also
// follows Ocata's rules: Ocata remembers no trials and tries the cells in the host's order. The rules for a single cell
// that differ in Ocata are in fit_cell_of_ocata().
#pragma once

#include <optional>

#include "nova/release.hpp"
#include "numa/topology.hpp"
#include "pci/providers.hpp"
#include "pci/requests.hpp"
#include "python/outcome.hpp"

namespace filter_driver {

// The inputs of a fit besides the two topologies. All pointers are borrowed. nullptr means that there is no such input.
struct fit_terms {
  const numa_limits* limits = nullptr;
  const pci_requests* requests = nullptr;
  const pci_pools* pools = nullptr;
  bool packing_host_numa_cells_allocation_strategy = false;  // Nova's option in [compute], default False in Zed
  release rules = release::zed;
  bool requests_name_providers = false;          // as in pci_placement
  const request_providers* providers = nullptr;  // as in pci_placement
};

// Returns whether the instance fits. Changes nothing. Returns false if a topology is nullptr.
outcome<bool> fits(const host_topology* host, const instance_topology* instance, const fit_terms& terms);

// Returns the fitted instance. Its cells have the ids of the chosen host cells, their page sizes and the pinning. Empty
// if the instance does not fit or a topology is nullptr. `instance` is changed too, as in Nova: completely if it fits,
// partly if it does not fit or an error is raised.
outcome<std::optional<instance_topology>> fit(const host_topology* host, instance_topology* instance,
                                              const fit_terms& terms);

}  // namespace filter_driver
