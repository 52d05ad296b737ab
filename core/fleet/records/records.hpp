// SPDX-License-Identifier: Apache-2.0
//
// The facts that decisions rest on, one struct a kind, as they are stored and as they are shown. Times are nanoseconds
// since 1970 UTC; 0: never.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "core/encoding/json.hpp"

namespace gantry::fleet {

using Nanoseconds = std::int64_t;

struct Service {
  std::string topic;
  std::string host;
  std::string binary;  // "nova-compute", "gantry-agent"
  bool disabled = false;
  std::string disabled_reason;
  bool forced_down = false;
  Nanoseconds last_seen_up = 0;
  std::uint64_t report_count = 0;
};

// The last report of a host or, if the host has nodes, of one of its nodes.
struct ComputeNode {
  std::string topic;
  std::string host;
  std::string node;    // empty: the host has no nodes
  json::object stats;  // compute_nodes fields and whatever else came; a nested JSON text of Nova's is kept as object
  Nanoseconds sampled_at = 0;
  Nanoseconds updated_at = 0;
};

struct Capabilities {
  std::string topic;
  std::string host;
  json::object capabilities;
  Nanoseconds updated_at = 0;
};

struct Aggregate {
  std::int64_t id = 0;
  std::string uuid;
  std::string name;
  std::map<std::string, std::string> metadata;  // availability_zone names the zone
  std::vector<std::string> hosts;               // of the compute topic
};

struct Group {
  std::string uuid;
  std::string name;
  std::string project_id;
  std::string user_id;
  std::string policy;  // affinity, anti-affinity, soft-affinity, soft-anti-affinity
  json::object rules;
  std::vector<std::string> members;  // instance uuids
};

struct Instance {
  std::string uuid;
  std::string name;
  std::string project_id;
  std::string user_id;
  std::string host;  // empty: not placed
  std::string node;
  std::string availability_zone;
  std::string vm_state;    // building, active, error, deleted
  std::string task_state;  // scheduling, spawning, empty
  std::string fault;       // why it is in error
  json::object flavor;     // name, vcpus, memory_mb, root_gb, ephemeral_gb, swap
  std::string image;
  std::int64_t launch_index = 0;
  std::string request_id;
  Nanoseconds created_at = 0;
  Nanoseconds updated_at = 0;
  Nanoseconds active_at = 0;
  json::object decision;  // driver, seed, steps, weight: why it is where it is
};

struct ClaimItem {
  std::string resource;
  double amount = 0;
  double limit = std::numeric_limits<double>::quiet_NaN();  // NaN: unbounded
};

// The resources of a row that a pick holds until the host's own report shows them as used.
struct Claim {
  std::string consumer;  // an instance's uuid, or any id of a custom method
  std::string topic;
  std::string host;
  std::string node;
  std::vector<ClaimItem> items;
  bool durable = false;     // false: the claim is stored after its request was answered
  bool cast_waits = false;  // the cast that starts the instance is not acknowledged yet: the claim does not age
  Nanoseconds created_at = 0;
};

json::object to_json(const Service& service, const json::storage_ptr& memory = {});
json::object to_json(const ComputeNode& node, const json::storage_ptr& memory = {});
json::object to_json(const Capabilities& capabilities, const json::storage_ptr& memory = {});
json::object to_json(const Aggregate& aggregate, const json::storage_ptr& memory = {});
json::object to_json(const Group& group, const json::storage_ptr& memory = {});
json::object to_json(const Instance& instance, const json::storage_ptr& memory = {});
json::object to_json(const Claim& claim, const json::storage_ptr& memory = {});  // a NaN limit is left out

// The inverse, for documents that the store gives back: an absent member is its default.
Result<Service> service_from_json(const json::object& document);
Result<ComputeNode> compute_node_from_json(const json::object& document);
Result<Capabilities> capabilities_from_json(const json::object& document);
Result<Aggregate> aggregate_from_json(const json::object& document);
Result<Group> group_from_json(const json::object& document);
Result<Instance> instance_from_json(const json::object& document);
Result<Claim> claim_from_json(const json::object& document);

}  // namespace gantry::fleet
