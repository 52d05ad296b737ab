// SPDX-License-Identifier: Apache-2.0
//
// The NUMA topology and the PCI pools of one host, read from its documents.
#pragma once

#include <optional>

#include "numa/topology.hpp"
#include "pci/pools.hpp"

namespace filter_driver {

// A part that the host does not report is nullopt.
struct host_documents {
  std::optional<host_topology> topology;
  std::optional<pci_pools> pools;
};

}  // namespace filter_driver
