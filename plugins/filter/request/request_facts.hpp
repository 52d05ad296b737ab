// SPDX-License-Identifier: Apache-2.0
//
// The parts of a request that Nova's filters and weighers read. One form stands for the RequestSpec of Zed and Ocata
// and for the filter properties of Icehouse. An absent part is std::nullopt. A Python value is a boost::json::value.
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
  // Name and value, in the order of the request. nullopt if the flavor has no extra_specs field.
  std::optional<std::vector<std::pair<std::string, std::string>>> extra_specs;
};

struct image_facts {
  std::optional<std::string> id;
  boost::json::object properties;  // by the names in the request: hw_architecture, ... (Icehouse: architecture, ...)
};

// The server group of a request. Nova refuses a request if a rule reads a field that is not set, or that is null
// instead of a list.
struct group_facts {
  std::optional<std::string> policy;  // Zed. nullopt if null or not set
  bool policy_is_set = true;
  std::optional<std::vector<std::string>> policies;       // the list of older releases. Affinity still reads it
  std::optional<boost::json::value> max_server_per_host;  // from the group's rules, unconverted: Nova reads it by int()
  std::optional<std::vector<std::string>> members;        // instance uuids
  std::optional<std::vector<std::string>> hosts;          // nullopt if null or not loaded
  bool hosts_are_none = false;                            // true if hosts is null: empty, and no host can be added
  bool is_joined = false;  // true if each instance of the request becomes a member when it is placed
};

struct destination_facts {
  std::optional<std::string> host;  // nullopt if null or not set
  bool host_is_set = false;
  std::optional<std::string> node;  // nullopt if null or not set
  bool node_is_set = true;
  std::optional<std::string> cell_uuid;
  bool allow_cross_cell_move = false;
};

struct request_facts {
  // nullopt if Icehouse's request lacks instance_type or request_spec.
  std::optional<flavor_facts> flavor;
  std::optional<image_facts> image;
  std::optional<group_facts> group;
  std::optional<destination_facts> destination;
  std::string instance_uuid;
  std::optional<std::string> project_id;
  std::optional<std::string> availability_zone;
  // The value of each hint as Nova stores it: a list, one text, or (Icehouse) any value. nullopt if there are no hints.
  std::optional<boost::json::object> hints;
  bool hints_are_none = false;  // true if the request has scheduler_hints and the value is null
  std::vector<std::string> force_hosts;
  std::vector<std::string> force_nodes;
  std::vector<std::string> ignore_hosts;
  std::optional<std::vector<std::pair<std::string, std::string>>> retry_hosts;  // (host, node)
  std::optional<std::string> image_ref;  // Icehouse: from the instance properties
  std::string needs_placement;           // a member that only a placement service can check. Empty if there is none
  boost::json::value numa_topology;      // the versioned object, or null
  boost::json::value pci_requests;       // the versioned object, or null
  boost::json::value network_metadata;   // the versioned object, or null

  // Returns the hint as Nova's get_scheduler_hint does: the element of a list with one element. Null if absent.
  boost::json::value hint(std::string_view name) const;
  // Returns true if the hint _nova_check_type is ['rebuild'].
  bool is_rebuild() const;
};

}  // namespace filter_driver
