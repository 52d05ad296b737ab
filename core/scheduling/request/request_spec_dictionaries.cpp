// SPDX-License-Identifier: Apache-2.0
//
// Nova's older interface (to Kilo, and the 4.0 form later) passed two dictionaries. RequestSpec.from_primitives in
// Nova gives the correspondence.
#include "core/scheduling/request/request_spec.hpp"

namespace gantry::scheduling {

namespace {

void adopt(json::object& into, std::string_view key, const json::value* value) {
  if (value != nullptr && !into.contains(key)) into.emplace(key, *value);
}

// Older conductors put group_policies, group_hosts and group_members beside the hints.
void adopt_group(json::object& into, const json::object& filter_properties) {
  const auto* policies = json::find_array(filter_properties, "group_policies");
  const auto* hosts = json::find(filter_properties, "group_hosts");
  const bool names_policy = policies != nullptr && !policies->empty();
  if ((!names_policy && hosts == nullptr) || into.contains("instance_group")) return;
  json::object group;
  if (names_policy) group["policy"] = policies->front();
  adopt(group, "hosts", hosts);
  adopt(group, "members", json::find(filter_properties, "group_members"));
  if (const auto* hints = json::find_object(filter_properties, "scheduler_hints")) {
    adopt(group, "uuid", json::find(*hints, "group"));
  }
  into["instance_group"] = std::move(group);
}

}  // namespace

void adopt_dictionaries(json::object& request_spec, const json::object& filter_properties) {
  // Reserves space for all new members, so that members stay in place while new ones are made of them.
  constexpr std::size_t most_adopted = 16;
  request_spec.reserve(request_spec.size() + most_adopted);
  adopt(request_spec, "flavor", json::find(request_spec, "instance_type"));
  adopt(request_spec, "flavor", json::find(filter_properties, "instance_type"));
  if (const auto* properties = json::find_object(request_spec, "instance_properties")) {
    for (const auto* key :
         {"project_id", "user_id", "availability_zone", "numa_topology", "pci_requests", "image_ref"}) {
      adopt(request_spec, key, json::find(*properties, key));
    }
    adopt(request_spec, "instance_uuid", json::find(*properties, "uuid"));
    // A request without a flavor takes it from the properties of its instances.
    if (!request_spec.contains("flavor")) {
      json::object flavor;
      for (const auto* key : {"vcpus", "memory_mb", "root_gb", "ephemeral_gb", "swap"}) {
        adopt(flavor, key, json::find(*properties, key));
      }
      if (!flavor.empty()) request_spec["flavor"] = std::move(flavor);
    }
  }
  for (const auto* key : {"scheduler_hints", "force_hosts", "force_nodes", "ignore_hosts", "retry", "limits",
                          "requested_destination", "pci_requests"}) {
    adopt(request_spec, key, json::find(filter_properties, key));
  }
  adopt_group(request_spec, filter_properties);
}

}  // namespace gantry::scheduling
