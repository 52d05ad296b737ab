// SPDX-License-Identifier: Apache-2.0
//
// Checks whether the host cells chosen for an instance are near the networks that the instance requests.
#pragma once

#include <span>

#include "numa/topology.hpp"

namespace filter_driver {

// Returns true if, for each wanted network, a chosen cell is near the network or no cell of the host is near the
// network. A cell is near the networks in its network_metadata. All tunnelled networks count as one network.
bool near_networks(const host_topology& host, std::span<const host_cell* const> chosen, const network_metadata& wanted);

}  // namespace filter_driver
