// SPDX-License-Identifier: Apache-2.0
//
// The facts that decisions rest on: one struct for each kind, and its JSON document in the store. Times are nanoseconds
// since 1970 UTC. 0 means never.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/encoding/json.hpp"

namespace gantry::fleet {

using Nanoseconds = std::int64_t;

// A host's clock may run this far ahead. Beyond it somebody is told, and a report's time is not believed.
inline constexpr Nanoseconds tolerated_clock_skew = 5'000'000'000;

// A process on a host that reports itself alive under a topic.
struct Service {
  std::string topic;
  std::string host;
  std::string binary;  // "nova-compute", "gantry-agent"
  bool disabled = false;
  std::string disabled_reason;
  bool forced_down = false;
  Nanoseconds last_seen_up = 0;    // time of the last heartbeat
  std::uint64_t report_count = 0;  // number of heartbeats
};

// The last report of a host or, if the host has nodes, of one of its nodes.
struct ComputeNode {
  std::string topic;
  std::string host;
  std::string node;  // empty if the host has no nodes
  // The reported values: those of Nova's compute_nodes table and any others. JSON that Nova sends as text, such as
  // cpu_info, is kept as an object or a list.
  json::object stats;
  Nanoseconds sampled_at = 0;
  Nanoseconds updated_at = 0;
};

// The properties that a service reports for its host, free in form.
struct Capabilities {
  std::string topic;
  std::string host;
  json::object capabilities;
  Nanoseconds updated_at = 0;
};

// A named set of hosts with metadata.
struct Aggregate {
  std::int64_t id = 0;
  std::string uuid;
  std::string name;
  std::map<std::string, std::string> metadata;  // the key availability_zone names the zone of the hosts
  std::vector<std::string> hosts;               // hosts of the compute topic
};

// Returns the availability zone of the aggregate's hosts. Empty: the aggregate is not one of a zone.
inline std::string_view zone_in(const Aggregate& aggregate) {
  const auto found = aggregate.metadata.find("availability_zone");
  return found == aggregate.metadata.end() ? std::string_view() : found->second;
}

// A server group: instances that a policy places together or apart.
struct Group {
  std::string uuid;
  std::string name;
  std::string project_id;
  std::string user_id;
  std::string policy;  // affinity, anti-affinity, soft-affinity, soft-anti-affinity
  json::object rules;
  std::vector<std::string> members;  // uuids of instances
};

struct Instance {
  std::string uuid;
  std::string name;
  std::string project_id;
  std::string user_id;
  std::string host;  // empty if not placed
  std::string node;
  std::string availability_zone;
  std::string vm_state;    // building, active, error, deleted
  std::string task_state;  // scheduling, spawning; empty if no task runs
  std::string fault;       // why the instance is in error
  json::object flavor;     // name, vcpus, memory_mb, root_gb, ephemeral_gb, swap
  std::string image;
  // The properties of the image, as far as they are known: texts as image services store them, or Nova's own types.
  json::object image_properties;
  std::int64_t launch_index = 0;  // position among the instances of its request
  std::string request_id;
  Nanoseconds created_at = 0;
  Nanoseconds updated_at = 0;
  Nanoseconds active_at = 0;
  json::object decision;  // how the host was chosen: driver, seed, steps, weight
};

// The largest amount that a claim may hold, in any unit that somebody counts a host's resource in. Claims are summed up.
inline constexpr double most_claimed = 1e18;

// The amount of one resource that a claim holds.
struct ClaimItem {
  std::string resource;
  double amount = 0;
  // The most that claims and reported use of the resource may reach together. NaN: unbounded.
  double limit = std::numeric_limits<double>::quiet_NaN();
};

// The resources of a row that a driver's pick or claim holds until the host's own report shows them as used. A row is a
// host and a node, or a host without nodes.
struct Claim {
  std::string consumer;  // an instance's uuid, or an id that a custom method of a driver chose
  std::string topic;
  std::string host;
  std::string node;
  std::vector<ClaimItem> items;
  bool durable = false;  // stored before its request is answered; false: stored after the answer
  // The cast, the message that starts the instance, is not acknowledged yet. Until then the claim does not age.
  bool cast_waits = false;
  Nanoseconds created_at = 0;
  // Empty: the claim of a pick, of which a consumer has at most one on a row. Else the id of a claim that a driver's
  // method made: a claim with an id stands beside the others of its consumer.
  std::string id = {};
  // The server group in which the pick makes its instance a member: its uuid, or the name of a group that a request
  // carries without one. Empty: none.
  std::string group = {};
};

json::object to_json(const Service& service, const json::storage_ptr& memory = {});
json::object to_json(const ComputeNode& node, const json::storage_ptr& memory = {});
json::object to_json(const Capabilities& capabilities, const json::storage_ptr& memory = {});
json::object to_json(const Aggregate& aggregate, const json::storage_ptr& memory = {});
json::object to_json(const Group& group, const json::storage_ptr& memory = {});
json::object to_json(const Instance& instance, const json::storage_ptr& memory = {});
json::object to_json(const Claim& claim, const json::storage_ptr& memory = {});  // a NaN limit is left out

// Read a document that to_json made. A member that is absent keeps its default. Fail if a member is of a wrong type.
Result<Service> service_from_json(const json::object& document);
Result<ComputeNode> compute_node_from_json(const json::object& document);
Result<Capabilities> capabilities_from_json(const json::object& document);
Result<Aggregate> aggregate_from_json(const json::object& document);
Result<Group> group_from_json(const json::object& document);
Result<Instance> instance_from_json(const json::object& document);
Result<Claim> claim_from_json(const json::object& document);

}  // namespace gantry::fleet
