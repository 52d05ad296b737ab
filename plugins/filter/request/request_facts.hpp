// SPDX-License-Identifier: Apache-2.0
//
// What Nova's filters and weighers read of a request: the RequestSpec of Zed and Ocata, the filter properties of
// Icehouse, in one form. Absent is std::nullopt; a Python value is a boost::json::value.
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
  // In their order; nullopt: the flavor has no such field.
  std::optional<std::vector<std::pair<std::string, std::string>>> extra_specs;
};

struct image_facts {
  std::optional<std::string> id;
  boost::json::object properties;  // hw_architecture, ...: as the request gives them (Icehouse: architecture, ...)
};

// Nova refuses requests of which a rule reads a field that is not set, or null where a list is wanted.
struct group_facts {
  std::optional<std::string> policy;  // Zed; nullopt: null, or not set
  bool policy_is_set = true;
  std::optional<std::vector<std::string>> policies;       // the list of older releases, still read by affinity
  std::optional<boost::json::value> max_server_per_host;  // of its rules, as it is there: int() is to read it
  std::optional<std::vector<std::string>> members;        // instance uuids
  std::optional<std::vector<std::string>> hosts;          // nullopt: null, or not loaded
  bool hosts_are_none = false;                            // null: no host yet, and none can be added
  bool is_joined = false;  // the request's instances become members where they are placed
};

struct destination_facts {
  std::optional<std::string> host;  // nullopt: null, or not set
  bool host_is_set = false;
  std::optional<std::string> node;  // likewise
  bool node_is_set = true;
  std::optional<std::string> cell_uuid;
  bool allow_cross_cell_move = false;
};

struct request_facts {
  // nullopt: Icehouse's instance_type, or its request_spec, may be missing.
  std::optional<flavor_facts> flavor;
  std::optional<image_facts> image;
  std::optional<group_facts> group;
  std::optional<destination_facts> destination;
  std::string instance_uuid;
  std::optional<std::string> project_id;
  std::optional<std::string> availability_zone;
  // Each hint's values as Nova keeps them: a list, a single text, or (Icehouse) anything. nullopt: no hints at all.
  std::optional<boost::json::object> hints;
  bool hints_are_none = false;  // they are there and null
  std::vector<std::string> force_hosts;
  std::vector<std::string> force_nodes;
  std::vector<std::string> ignore_hosts;
  std::optional<std::vector<std::pair<std::string, std::string>>> retry_hosts;  // (host, node)
  std::optional<std::string> image_ref;                                         // Icehouse: of the instance properties
  std::string needs_placement;          // a member that only a placement service could judge; empty: it has none
  boost::json::value numa_topology;     // the versioned object, or null
  boost::json::value pci_requests;      // likewise
  boost::json::value network_metadata;  // likewise

  // The hint as Nova's get_scheduler_hint gives it: a list of one is its element. Null: absent.
  boost::json::value hint(std::string_view name) const;
  // The hint _nova_check_type is ['rebuild'].
  bool is_rebuild() const;
};

}  // namespace filter_driver
