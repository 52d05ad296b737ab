// SPDX-License-Identifier: Apache-2.0
//
// The PCI devices that an instance requests. Each request is for a number of devices that match any of its
// specifications. A policy says how near the devices must be to the instance's NUMA cells.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "pci/pools.hpp"
#include "python/outcome.hpp"

namespace filter_driver {

// required: only devices of the instance's cells. socket: also devices of cells on the same CPU sockets. legacy: also
// devices without a cell. preferred: any devices, the nearest first.
enum class pci_numa_policy : std::uint8_t { legacy, preferred, required, socket };

struct pci_request {
  std::int64_t count = 0;                              // number of devices
  std::vector<std::vector<pci_value>> specifications;  // a device must match one of these, in all its values
  bool has_specifications = false;  // false: the field spec is unset. Using the request raises ValueError
  pci_numa_policy numa_policy = pci_numa_policy::legacy;
  bool is_of_flavor = false;           // by an alias. Otherwise of a network's port
  bool wants_pf = false;               // a specification names dev_type type-PF, a physical function
  bool wants_vdpa = false;             // a specification names dev_type vdpa
  bool wants_remote_managed = false;   // a specification sets remote_managed to true
  bool wants_migratable = false;       // all specifications set live_migratable to "true"
  bool wants_unmigratable = false;     // all specifications set live_migratable to "false"
  std::vector<std::string> providers;  // rp_uuids of the first specification, with repetitions
  std::string id;                      // request_id. The ids of the request's groups at placement begin with it
  boost::json::object fields;          // the original fields, kept for writing the request back
};

using pci_requests = std::vector<pci_request>;

// Reads InstancePCIRequests or a list of InstancePCIRequest, as versioned objects or in the plain form
// (nova/object.hpp). Null gives an empty list.
outcome<pci_requests> read_pci_requests(const boost::json::value& value);
// Returns the requests as a list of InstancePCIRequest.
boost::json::array to_json(const pci_requests& requests);

}  // namespace filter_driver
