// SPDX-License-Identifier: Apache-2.0
//
// What an instance asks for in PCI devices: requests, each for a number of devices that match one of some
// specifications, near the instance's NUMA cells as its policy says.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <vector>

#include "pci/pools.hpp"
#include "python/outcome.hpp"

namespace filter_driver {

enum class pci_numa_policy : std::uint8_t { legacy, preferred, required, socket };

struct pci_request {
  std::int64_t count = 0;
  std::vector<std::vector<pci_value>> specifications;  // any of them
  bool has_specifications = false;                     // false: raises ValueError where they are asked for
  pci_numa_policy numa_policy = pci_numa_policy::legacy;
  bool wants_pf = false;
  bool wants_vdpa = false;
  bool wants_remote_managed = false;
  boost::json::object fields;  // as read, to be written again
};

using pci_requests = std::vector<pci_request>;

// Reads InstancePCIRequests or a list of InstancePCIRequest, as versioned objects or in the plain form; null: none.
outcome<pci_requests> read_pci_requests(const boost::json::value& value);
// A list of InstancePCIRequest.
boost::json::array to_json(const pci_requests& requests);

}  // namespace filter_driver
