// SPDX-License-Identifier: Apache-2.0
//
// The parts of a request that Nova's filters and weighers read. The same structs serve all releases of Nova that the
// driver follows: they hold the RequestSpec of Zed and Ocata, or the filter properties of Icehouse. An absent part is
// std::nullopt. A value that may have any Python type is a boost::json::value.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace filter_driver {

struct flavor_facts {
  std::optional<std::int64_t> id;
  std::string name;
  std::int64_t vcpus = 0;
  std::int64_t memory_mb = 0;
  std::int64_t root_gb = 0;
  std::int64_t ephemeral_gb = 0;
  std::int64_t swap = 0;  // MiB
  // (name, value) pairs in the order of the request. nullopt if extra_specs is absent, or is not an object.
  std::optional<std::vector<std::pair<std::string, std::string>>> extra_specs;
};

struct image_facts {
  std::optional<std::string> id;
  boost::json::object properties;  // by name, as in the request: hw_architecture (Icehouse: architecture), ...
};

// The server group of a request. A request fails, as in Nova, if a filter or weigher reads a field that is not set, or
// that is null instead of a list.
struct group_facts {
  std::optional<std::string> policy;  // the policy that Zed reads. nullopt if null or not set
  bool policy_is_set = true;          // also true if policy is null
  // The list of policies that releases before Zed read. Zed's affinity filter reads it too. nullopt if null or not set.
  std::optional<std::vector<std::string>> policies;
  // A number or a text, as in the group's rules: Nova converts it by int(). nullopt if the rules do not have it.
  std::optional<boost::json::value> max_server_per_host;
  std::optional<std::vector<std::string>> members;  // uuids of instances. nullopt if null or not set
  std::optional<std::vector<std::string>> hosts;    // names of the members' hosts. nullopt if null or not set
  // True if `hosts` is null in the request. Unlike other nulls, filters read this one as an empty list.
  bool hosts_are_none = false;
  bool is_joined = false;  // true if each instance of the request becomes a member when it is placed
};

// The request's requested_destination: the host, node or cell that the request is limited to.
struct destination_facts {
  std::optional<std::string> host;  // nullopt if null or not set
  bool host_is_set = false;         // also true if host is null
  std::optional<std::string> node;  // nullopt if null or not set
  bool node_is_set = true;          // also true if node is null
  std::optional<std::string> cell_uuid;
  bool allow_cross_cell_move = false;  // true: hosts of other cells are allowed too
};

struct request_facts {
  // nullopt if the request has no flavor (Icehouse: no instance_type). This holds for every release. A decision then
  // sets a flavor from the request's numbers of vCPUs, memory and disk.
  std::optional<flavor_facts> flavor;
  std::optional<image_facts> image;
  std::optional<group_facts> group;
  std::optional<destination_facts> destination;
  std::string instance_uuid;
  std::optional<std::string> project_id;
  std::optional<std::string> availability_zone;
  // The scheduler hints by name, as Nova stores them. A hint is a list, one text, or (Icehouse) any value. nullopt if
  // scheduler_hints is absent or null.
  std::optional<boost::json::object> hints;
  bool hints_are_none = false;  // true if scheduler_hints is in the request and is null
  bool is_bfv = false;          // true if the instances boot from a volume
  std::vector<std::string> force_hosts;
  std::vector<std::string> force_nodes;
  std::vector<std::string> ignore_hosts;
  std::optional<std::vector<std::pair<std::string, std::string>>> retry_hosts;  // (host, node) pairs tried before
  std::optional<std::string> image_ref;  // id of the image, as Icehouse reads it: from the instance properties
  // A member of the request that only a placement service can check, such as "requested_resources". Empty if there is
  // none.
  std::string needs_placement;
  bool has_requested_groups = false;  // requested_resources is not empty
  // Objects of Nova as JSON, in one of the forms that nova/object.hpp names.
  boost::json::value numa_topology;     // InstanceNUMATopology, or null
  boost::json::value pci_requests;      // InstancePCIRequests, or null
  boost::json::value network_metadata;  // NetworkMetadata, or null

  // Returns the value of a hint as Nova's get_scheduler_hint does: instead of a list with one element, that element.
  // JSON null if the hint is absent.
  boost::json::value hint(std::string_view name) const;
  // Returns true if the request checks a host for a rebuild of its instance: the hint _nova_check_type is ['rebuild'].
  bool is_rebuild() const;
  // Returns true if a rebuild of Nova itself may ask so: it forces the one host and the one node of its instance.
  // nova-api before 31.3.1, 32.2.1 and 33.0.2 takes the hint also from users.
  bool forces_one_host_and_node() const { return force_hosts.size() == 1 && force_nodes.size() == 1; }
  // Returns the DISK_GB that Zed claims at its placement service: ephemeral disk and swap in whole GiB, and the root
  // disk unless the instance boots from a volume. The request must have a flavor.
  double disk_gb_to_allocate() const;
};

}  // namespace filter_driver
