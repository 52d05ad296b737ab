// SPDX-License-Identifier: Apache-2.0
//
// What placing an instance does to a host's NUMA topology and PCI pools, and to the instance's own topology: the part
// of Nova's consume_from_request between the plain counters and num_io_ops.
#pragma once

#include <optional>

#include "numa/fit.hpp"

namespace filter_driver {

// Fits the instance again (limits: those that the NUMATopologyFilter left on the host; null: it left none), counts it
// on the topology and takes its PCI devices, where the host has pools. none: done; num_io_ops and updated are the caller's to count. An error
// ends it there, as in Nova, which warns and goes on: what was done before it stays, in all three.
std::optional<raised> consume(std::optional<host_topology>& host, std::optional<pci_pools>& pools,
                              std::optional<instance_topology>& instance, const pci_requests& requests,
                              const numa_limits* limits, bool packing_host_numa_cells_allocation_strategy,
                              release rules = release::zed);

}  // namespace filter_driver
