// SPDX-License-Identifier: Apache-2.0
//
// Checks whether a host's PCI pools can serve requests, and takes the requested devices from the pools.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "nova/release.hpp"
#include "pci/pools.hpp"
#include "pci/requests.hpp"
#include "pci/socket.hpp"
#include "python/outcome.hpp"

namespace filter_driver {

// The placement of an instance, for the NUMA policies of the requests.
struct pci_placement {
  // The ids of the instance's host cells. Empty: the instance has no NUMA topology, and policies have no effect.
  std::span<const std::int64_t> cells;
  // The sockets of the host's cells. Empty: the host has no NUMA topology. A request whose check reaches the policy
  // "socket" raises AttributeError then.
  std::optional<std::span<const cell_socket>> sockets;
  // Before Zed, texts match only exactly and lists only as a whole. The only policy is legacy, which takes devices
  // from the instance's cells and devices without a cell alike. Icehouse also gives physical functions to requests
  // that do not ask for them.
  release rules = release::zed;
};

// Returns whether all requests can be served one after another. Does not change the pools.
outcome<bool> supports(const pci_pools& pools, const pci_requests& requests, const pci_placement& placement);
// Takes the devices for the requests. Raises PciDeviceRequestFailed at the first request that cannot be served.
// Devices taken for earlier requests stay taken, as in Nova.
std::optional<raised> take(pci_pools& pools, const pci_requests& requests, const pci_placement& placement);

// Returns the verdict of the PciPassthroughFilter. Without requests every host passes. With requests a host without
// pools fails.
outcome<bool> passes_pci_passthrough(const std::optional<pci_pools>& pools, const pci_requests& requests,
                                     release rules = release::zed);

}  // namespace filter_driver
