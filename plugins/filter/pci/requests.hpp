// SPDX-License-Identifier: Apache-2.0
//
// The PCI devices that an instance requests. Each request is for a number of devices that match any of its
// specifications. A policy says how near the devices must be to the instance's NUMA cells.
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
  std::vector<std::vector<pci_value>> specifications;  // a device must match one of them
  bool has_specifications = false;                     // false: reading the specifications raises ValueError
  pci_numa_policy numa_policy = pci_numa_policy::legacy;
  bool wants_pf = false;
  bool wants_vdpa = false;
  bool wants_remote_managed = false;
  boost::json::object fields;  // the original fields, kept for writing the request back
};

using pci_requests = std::vector<pci_request>;

// Reads InstancePCIRequests or a list of InstancePCIRequest, as versioned objects or in the plain form. Null gives an
// empty list.
outcome<pci_requests> read_pci_requests(const boost::json::value& value);
// Returns the requests as a list of InstancePCIRequest.
boost::json::array to_json(const pci_requests& requests);

}  // namespace filter_driver
