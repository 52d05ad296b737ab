// SPDX-License-Identifier: Apache-2.0
//
// Whether a host's PCI pools can serve requests, and taking the devices out of them.
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

// Where an instance lies, for the requests' NUMA policies.
struct pci_placement {
  // The host cells of the instance; none: it has no NUMA topology, and policies do not matter.
  std::span<const std::int64_t> cells;
  // The sockets of the host's cells; none: the host has no NUMA topology, and a request with the policy "socket" that
  // gets as far raises AttributeError.
  std::optional<std::span<const cell_socket>> sockets;
  // Before Zed texts match as they are written and lists as a whole, and of all policies there is only legacy, which takes
  // from the instance's cells and from no cell alike; Icehouse gives physical functions to anyone.
  release rules = release::zed;
};

// Whether all requests can be served one after another. The pools are not changed.
outcome<bool> supports(const pci_pools& pools, const pci_requests& requests, const pci_placement& placement);
// Takes the requests' devices. Raises PciDeviceRequestFailed at the first request that cannot be served; what the
// requests before it took stays taken, as in Nova.
std::optional<raised> take(pci_pools& pools, const pci_requests& requests, const pci_placement& placement);

// The PciPassthroughFilter's verdict. Without requests every host passes, without pools none other does.
outcome<bool> passes_pci_passthrough(const std::optional<pci_pools>& pools, const pci_requests& requests,
                                     release rules = release::zed);

}  // namespace filter_driver
