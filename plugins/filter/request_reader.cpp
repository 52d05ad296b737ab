// SPDX-License-Identifier: Apache-2.0
#include "request_reader.hpp"

#include "nova/object.hpp"

namespace filter_driver {

namespace {

namespace json = boost::json;

std::optional<std::int64_t> whole(const json::value* value) {
  if (value == nullptr || !value->is_number()) return std::nullopt;
  boost::system::error_code inexact;
  const auto number = value->to_number<std::int64_t>(inexact);
  return inexact ? std::nullopt : std::optional<std::int64_t>(number);
}
std::int64_t integer(const json::object& object, std::string_view name) {
  return whole(nova_field(object, name)).value_or(0);
}
json::value copy(const json::object& object, std::string_view name) {
  const auto* const found = nova_field(object, name);
  return found == nullptr ? json::value(nullptr) : *found;
}
flavor_facts flavor_of(const json::object& flavor) {
  flavor_facts facts;
  facts.id = whole(nova_field(flavor, "id"));
  facts.name = nova_text(flavor, "name").value_or("");
  facts.vcpus = integer(flavor, "vcpus");
  facts.memory_mb = integer(flavor, "memory_mb");
  facts.root_gb = integer(flavor, "root_gb");
  facts.ephemeral_gb = integer(flavor, "ephemeral_gb");
  facts.swap = integer(flavor, "swap");
  if (const auto* const specs = nova_object_field(flavor, "extra_specs")) {
    auto& all = facts.extra_specs.emplace();
    for (const auto& [key, value] : *specs)
      all.emplace_back(key, value.is_string() ? std::string(value.as_string()) : json::serialize(value));
  }
  return facts;
}

image_facts image_of(const json::object& image) {
  image_facts facts;
  facts.id = nova_text(image, "id");
  if (const auto* const properties = nova_object_field(image, "properties")) facts.properties = *properties;
  return facts;
}

group_facts group_of(const json::object& group) {
  group_facts facts;
  facts.policy = nova_text(group, "policy");
  facts.policy_is_set = group.contains("policy");
  if (const auto* const policies = nova_field(group, "policies")) facts.policies = nova_texts(policies);
  for (const auto* const name : {"_rules", "rules"}) {
    const auto* const rules = nova_object_field(group, name);
    const auto* const most = rules == nullptr ? nullptr : rules->if_contains("max_server_per_host");
    if (most != nullptr) facts.max_server_per_host.emplace(*most, json::storage_ptr());
  }
  if (const auto* const members = nova_field(group, "members")) facts.members = nova_texts(members);
  if (const auto* const hosts = nova_field(group, "hosts")) facts.hosts = nova_texts(hosts);
  facts.hosts_are_none = !facts.hosts && group.contains("hosts");
  return facts;
}

destination_facts destination_of(const json::object& destination) {
  destination_facts facts;
  facts.host = nova_text(destination, "host");
  facts.host_is_set = destination.contains("host");
  facts.node = nova_text(destination, "node");
  facts.node_is_set = destination.contains("node");
  if (const auto* const cell = nova_object_field(destination, "cell")) facts.cell_uuid = nova_text(*cell, "uuid");
  const auto* const crosses = nova_field(destination, "allow_cross_cell_move");
  facts.allow_cross_cell_move = crosses != nullptr && crosses->is_bool() && crosses->as_bool();
  return facts;
}

// Pairs, or objects with a host and its hypervisor_hostname.
std::vector<std::pair<std::string, std::string>> tried(const json::value* hosts) {
  std::vector<std::pair<std::string, std::string>> all;
  if (hosts != nullptr && hosts->is_object()) hosts = hosts->as_object().if_contains("objects");
  const auto* const list = hosts == nullptr ? nullptr : hosts->if_array();
  if (list == nullptr) return all;
  for (const auto& each : *list) {
    if (const auto* const node = each.if_object()) {
      all.emplace_back(nova_text(*node, "host").value_or(""), nova_text(*node, "hypervisor_hostname").value_or(""));
    } else if (const auto pair = nova_texts(&each); pair.size() == 2) {
      all.emplace_back(pair[0], pair[1]);
    }
  }
  return all;
}

}  // namespace

request_facts read_request(const json::object& spec) {
  request_facts facts;
  if (const auto* const flavor = nova_object_field(spec, "flavor")) facts.flavor = flavor_of(*flavor);
  if (const auto* const image = nova_object_field(spec, "image")) facts.image = image_of(*image);
  if (const auto* const group = nova_object_field(spec, "instance_group")) facts.group = group_of(*group);
  if (const auto* const destination = nova_object_field(spec, "requested_destination"))
    facts.destination = destination_of(*destination);
  facts.instance_uuid = nova_text(spec, "instance_uuid").value_or("");
  facts.project_id = nova_text(spec, "project_id");
  facts.availability_zone = nova_text(spec, "availability_zone");
  if (const auto* const hints = nova_object_field(spec, "scheduler_hints"))
    facts.hints.emplace(*hints, json::storage_ptr());
  const auto* const hints = spec.if_contains("scheduler_hints");
  facts.hints_are_none = hints != nullptr && hints->is_null();
  facts.force_hosts = nova_texts(nova_field(spec, "force_hosts"));
  facts.force_nodes = nova_texts(nova_field(spec, "force_nodes"));
  facts.ignore_hosts = nova_texts(nova_field(spec, "ignore_hosts"));
  if (const auto* const retry = nova_object_field(spec, "retry"))
    facts.retry_hosts = tried(nova_field(*retry, "hosts"));
  facts.numa_topology = copy(spec, "numa_topology");
  facts.pci_requests = copy(spec, "pci_requests");
  facts.network_metadata = copy(spec, "network_metadata");
  return facts;
}

}  // namespace filter_driver
