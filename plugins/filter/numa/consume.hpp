// SPDX-License-Identifier: Apache-2.0
//
// Applies the placement of an instance to a host's NUMA topology and PCI pools and to the instance's own topology.
// Corresponds to the part of Nova's consume_from_request between the plain counters and num_io_ops.
#pragma once

#include <optional>

#include "numa/fit.hpp"

namespace filter_driver {

// Fits the instance again, adds its use to the host's topology and takes its PCI devices from the host's pools. An
// empty `host`, `pools` or `instance` means that there is no such topology or list. `instance` becomes empty if it does
// not fit. `limits`: the limits that the NUMATopologyFilter left on the host; nullptr if it left none. `providers`: those
// of the claimed candidate, as in pci_placement; nullptr if the requests name them or there are none. Returns nullopt
// on success. The caller changes num_io_ops and `updated`. An error ends the call. Changes made before the error stay
// in all three objects, as in Nova, which logs a warning and continues.
std::optional<raised> consume(std::optional<host_topology>& host, std::optional<pci_pools>& pools,
                              std::optional<instance_topology>& instance, const pci_requests& requests,
                              const numa_limits* limits, bool packing_host_numa_cells_allocation_strategy,
                              release rules = release::zed, const request_providers* providers = nullptr);

}  // namespace filter_driver
