// SPDX-License-Identifier: Apache-2.0
//
// Whether the host cells chosen for an instance are near the networks that it asks for.
#pragma once

#include <span>

#include "numa/topology.hpp"

namespace filter_driver {

// A physical network (or the tunnelled ones) that no cell of the host is near to binds nobody; one that only cells
// not chosen are near to refuses the choice.
bool near_networks(const host_topology& host, std::span<const host_cell* const> chosen, const network_metadata& wanted);

}  // namespace filter_driver
