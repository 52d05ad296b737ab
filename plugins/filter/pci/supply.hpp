// SPDX-License-Identifier: Apache-2.0
//
// Checks whether a host's PCI pools can serve requests, and takes the requested devices from the pools.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "nova/release.hpp"
#include "pci/pools.hpp"
#include "pci/providers.hpp"
#include "pci/requests.hpp"
#include "pci/socket.hpp"
#include "python/outcome.hpp"

namespace filter_driver {

// The NUMA cells in which an instance is placed, for the NUMA policies of its PCI requests.
struct pci_placement {
  // The ids of the instance's host cells. Empty: the instance has no NUMA topology, and policies have no effect.
  std::span<const std::int64_t> cells;
  // The CPU sockets of the host's cells. nullopt: the host has no NUMA topology. Then a request with the policy
  // "socket" raises AttributeError if the pools have enough devices, but too few in the instance's cells.
  std::optional<std::span<const cell_socket>> sockets;
  // The release of Nova whose rules apply. Before Zed, texts match only exactly and lists only as a whole. The only
  // policy is legacy, which takes devices from the instance's cells and devices without a cell alike. Icehouse also
  // gives physical functions to requests that do not ask for them.
  release rules = release::zed;
  // From Antelope on, the requests name in rp_uuids the resource providers that serve them. False: no provider has been
  // chosen yet.
  bool requests_name_providers = false;
  // The providers that serve the requests of flavors, in place of those that the requests name. nullptr: none are given.
  const request_providers* providers = nullptr;
};

// Returns whether all requests can be served, in order: each request finds only the devices that the earlier requests
// left. Does not change the pools.
outcome<bool> supports(const pci_pools& pools, const pci_requests& requests, const pci_placement& placement);
// Takes the devices for the requests. Returns nullopt on success. Raises PciDeviceRequestFailed if a request cannot be
// served. Devices taken for other requests stay taken, as in Nova: for the earlier requests in Zed, and before Zed for
// the later requests too.
std::optional<raised> take(pci_pools& pools, const pci_requests& requests, const pci_placement& placement);

// Returns the verdict of Nova's PciPassthroughFilter on a host. Without requests every host passes. With requests the
// host fails if it reports no pools (nullopt) or if they do not serve all requests. `providers`: as in pci_placement.
outcome<bool> passes_pci_passthrough(const std::optional<pci_pools>& pools, const pci_requests& requests,
                                     release rules = release::zed, const request_providers* providers = nullptr);

}  // namespace filter_driver
