// SPDX-License-Identifier: Apache-2.0
//
// A plain request for one small server, and facts about a small cloud.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/encoding/json.hpp"
#include "core/nova/request/failure.hpp"
#include "core/nova/request/placement_question.hpp"

namespace gantry::nova {

// Returns a request for 2 CPUs, 512 MiB and 10 GiB, as a conductor sends it without its envelopes.
inline json::object small_server() {
  return *json::parse_object(R"({
    "flavor": {"name": "m1", "vcpus": 2, "memory_mb": 512, "root_gb": 10, "ephemeral_gb": 0, "swap": 0,
               "extra_specs": {}},
    "image": {"id": "i1", "name": "jammy", "disk_format": "qcow2", "properties": {}},
    "project_id": "p1", "availability_zone": null, "is_bfv": false, "num_instances": 1,
    "force_hosts": null, "force_nodes": null, "requested_destination": null, "requested_resources": [],
    "scheduler_hints": {}, "requested_networks": [],
    "request_level_params": {"root_required": [], "root_forbidden": [], "same_subtree": []}})");
}

inline json::object with_extra_specs(const json::object& extra_specs, const json::object& properties = {}) {
  auto spec = small_server();
  spec["flavor"].as_object()["extra_specs"] = extra_specs;
  spec["image"].as_object()["properties"] = properties;
  return spec;
}

inline json::object with_member(std::string_view name, const json::value& value) {
  auto spec = small_server();
  spec[name] = value;
  return spec;
}

class FakeNetworks : public NetworkLookups {
 public:
  Result<PortFacts> port(const std::string& id) const override { return ports.at(id); }
  Result<std::vector<std::string>> segments_of_network(const std::string& id) const override { return segments.at(id); }
  Result<std::optional<std::string>> segment_of_subnet(const std::string& id) const override {
    if (!segments.contains(id)) return raised("InvalidRoutedNetworkConfiguration", "Subnet " + id + " not found");
    return segments.at(id).empty() ? std::optional<std::string>() : segments.at(id).front();
  }
  Result<std::vector<std::string>> aggregates_of_segment(const std::string& id) const override {
    return aggregates.at(id);
  }

  std::map<std::string, PortFacts> ports;
  std::map<std::string, std::vector<std::string>> segments;    // by network or subnet
  std::map<std::string, std::vector<std::string>> aggregates;  // by segment
};

class FakeCloud : public RequestLookups {
 public:
  std::span<const AggregateFacts> aggregates() const override { return known_aggregates; }
  Result<std::vector<ComputeNodeFacts>> compute_nodes(const std::optional<std::string>& host,
                                                      const std::optional<std::string>& node,
                                                      const std::optional<std::string>& cell_uuid) const override {
    asked_cell = cell_uuid;
    std::vector<ComputeNodeFacts> found;
    for (const auto& each : nodes) {
      if ((!host || each.host == *host) && (!node || each.hypervisor_hostname == *node)) found.push_back(each);
    }
    return found;
  }
  const NetworkLookups* networks() const override { return neutron ? &*neutron : nullptr; }

  std::vector<AggregateFacts> known_aggregates;
  std::vector<ComputeNodeFacts> nodes;
  std::optional<FakeNetworks> neutron;
  mutable std::optional<std::string> asked_cell;
};

// Returns the query, or the class and the words of the failure.
inline std::string asked(const json::object& spec, const RequestOptions& options = {}, const FakeCloud& cloud = {}) {
  const auto question = placement_question(spec, options, cloud);
  return question ? question->query : exception_of(question.error()) + ": " + question.error().message;
}

// The beginning of each query, and what compute_status_filter adds to each.
inline const std::string every_limit = "limit=1000&";
inline const std::string disabled_forbidden = "root_required=%21COMPUTE_STATUS_DISABLED";

// Returns the query for `resources` alone, written as in "VCPU:2,DISK_GB:1".
inline std::string query_of(const std::string& resources, const std::string& before = {}) {
  std::string encoded;
  for (const char c : resources) encoded += c == ':' ? "%3A" : c == ',' ? "%2C" : std::string(1, c);
  return every_limit + before + "resources=" + encoded + "&" + disabled_forbidden;
}

}  // namespace gantry::nova
