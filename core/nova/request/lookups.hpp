// SPDX-License-Identifier: Apache-2.0
//
// Facts that a request's question for placement needs beside the request. The caller supplies them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace gantry::nova {

struct AggregateFacts {
  std::string uuid;
  std::map<std::string, std::string> metadata;
};

struct ComputeNodeFacts {
  std::string host;
  std::string hypervisor_hostname;
  std::string uuid;
};

struct PortFacts {
  std::string network_id;
  std::optional<std::string> subnet_id;  // the subnet of the first fixed address
  bool is_remote_managed = false;        // the VNIC type
};

// Neutron, and placement's view of its segments. An error of the class InvalidRoutedNetworkConfiguration
// (core/nova/request/failure.hpp) means that Neutron answered, and that the network cannot be used.
class NetworkLookups {
 public:
  virtual ~NetworkLookups() = default;
  virtual Result<PortFacts> port(const std::string& id) const = 0;
  virtual Result<std::vector<std::string>> segments_of_network(const std::string& id) const = 0;
  virtual Result<std::optional<std::string>> segment_of_subnet(const std::string& id) const = 0;
  // Returns the aggregates of the segment's resource provider.
  virtual Result<std::vector<std::string>> aggregates_of_segment(const std::string& id) const = 0;
};

class RequestLookups {
 public:
  virtual ~RequestLookups() = default;
  // Returns all host aggregates, in the order of the database. They stay as they are during the call.
  virtual std::span<const AggregateFacts> aggregates() const = 0;
  // Returns the compute nodes of the host, the node of that name, or the host's node of that name. At least one name is
  // given. Searches one cell if it is given.
  virtual Result<std::vector<ComputeNodeFacts>> compute_nodes(const std::optional<std::string>& host,
                                                              const std::optional<std::string>& node,
                                                              const std::optional<std::string>& cell_uuid) const = 0;
  // Returns whether Nova's database takes both texts for equal. MariaDB's usual collation ignores case.
  virtual bool are_equal_in_database(std::string_view a, std::string_view b) const { return a == b; }
  // Returns the lowest service version of a nova-compute that is not forced down, over all cells. A cell with one of no
  // version does not count. 0: there is none.
  virtual std::int64_t lowest_compute_version() const { return 0; }
  // Returns nullptr where Neutron cannot be asked.
  virtual const NetworkLookups* networks() const { return nullptr; }
};

}  // namespace gantry::nova
