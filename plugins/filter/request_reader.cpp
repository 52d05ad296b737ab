// SPDX-License-Identifier: Apache-2.0
#include "request_reader.hpp"

#include <charconv>

namespace filter_driver {

namespace {

namespace json = boost::json;

const json::value* field(const json::object& object, std::string_view name) {
  const auto* const found = object.if_contains(name);
  return found == nullptr || found->is_null() ? nullptr : found;
}
const json::object* object_at(const json::object& object, std::string_view name) {
  const auto* const found = field(object, name);
  return found == nullptr ? nullptr : found->if_object();
}
std::optional<std::string> text(const json::object& object, std::string_view name) {
  const auto* const found = field(object, name);
  if (found == nullptr || !found->is_string()) return std::nullopt;
  return std::string(found->as_string());
}
std::optional<std::int64_t> whole(const json::value* value) {
  if (value == nullptr || !value->is_number()) return std::nullopt;
  boost::system::error_code inexact;
  const auto number = value->to_number<std::int64_t>(inexact);
  return inexact ? std::nullopt : std::optional<std::int64_t>(number);
}
std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}
std::int64_t integer(const json::object& object, std::string_view name) {
  return whole(field(object, name)).value_or(0);
}
json::value copy(const json::object& object, std::string_view name) {
  const auto* const found = field(object, name);
  return found == nullptr ? json::value(nullptr) : *found;
}
std::vector<std::string> texts(const json::value* list) {
  std::vector<std::string> all;
  if (list == nullptr) return all;
  const auto* const items = list->if_array();
  if (items == nullptr) return all;
  for (const auto& each : *items) {
    if (each.is_string()) all.emplace_back(each.as_string());
  }
  return all;
}

flavor_facts flavor_of(const json::object& flavor) {
  flavor_facts facts;
  facts.id = whole(field(flavor, "id"));
  facts.name = text(flavor, "name").value_or("");
  facts.vcpus = integer(flavor, "vcpus");
  facts.memory_mb = integer(flavor, "memory_mb");
  facts.root_gb = integer(flavor, "root_gb");
  facts.ephemeral_gb = integer(flavor, "ephemeral_gb");
  facts.swap = integer(flavor, "swap");
  if (const auto* const specs = object_at(flavor, "extra_specs")) {
    auto& all = facts.extra_specs.emplace();
    for (const auto& [key, value] : *specs)
      all.emplace_back(key, value.is_string() ? std::string(value.as_string()) : json::serialize(value));
  }
  return facts;
}

image_facts image_of(const json::object& image) {
  image_facts facts;
  facts.id = text(image, "id");
  if (const auto* const properties = object_at(image, "properties")) facts.properties = *properties;
  return facts;
}

group_facts group_of(const json::object& group) {
  group_facts facts;
  facts.policy = text(group, "policy");
  if (const auto* const policies = field(group, "policies")) facts.policies = texts(policies);
  for (const auto* const name : {"_rules", "rules"}) {
    const auto* const rules = object_at(group, name);
    const auto* const most = rules == nullptr ? nullptr : field(*rules, "max_server_per_host");
    if (most != nullptr) facts.max_server_per_host = most->is_string() ? number_in(most->as_string()) : whole(most);
  }
  facts.members = texts(field(group, "members"));
  if (const auto* const hosts = field(group, "hosts")) facts.hosts = texts(hosts);
  return facts;
}

destination_facts destination_of(const json::object& destination) {
  destination_facts facts;
  facts.host = text(destination, "host");
  facts.node = text(destination, "node");
  if (const auto* const cell = object_at(destination, "cell")) facts.cell_uuid = text(*cell, "uuid");
  const auto* const crosses = field(destination, "allow_cross_cell_move");
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
      all.emplace_back(text(*node, "host").value_or(""), text(*node, "hypervisor_hostname").value_or(""));
    } else if (const auto pair = texts(&each); pair.size() == 2) {
      all.emplace_back(pair[0], pair[1]);
    }
  }
  return all;
}

}  // namespace

request_facts read_request(const json::object& spec) {
  request_facts facts;
  if (const auto* const flavor = object_at(spec, "flavor")) facts.flavor = flavor_of(*flavor);
  if (const auto* const image = object_at(spec, "image")) facts.image = image_of(*image);
  if (const auto* const group = object_at(spec, "instance_group")) facts.group = group_of(*group);
  if (const auto* const destination = object_at(spec, "requested_destination"))
    facts.destination = destination_of(*destination);
  facts.instance_uuid = text(spec, "instance_uuid").value_or("");
  facts.project_id = text(spec, "project_id");
  facts.availability_zone = text(spec, "availability_zone");
  if (const auto* const hints = object_at(spec, "scheduler_hints")) facts.hints = *hints;
  facts.force_hosts = texts(field(spec, "force_hosts"));
  facts.force_nodes = texts(field(spec, "force_nodes"));
  facts.ignore_hosts = texts(field(spec, "ignore_hosts"));
  if (const auto* const retry = object_at(spec, "retry")) facts.retry_hosts = tried(field(*retry, "hosts"));
  facts.numa_topology = copy(spec, "numa_topology");
  facts.pci_requests = copy(spec, "pci_requests");
  facts.network_metadata = copy(spec, "network_metadata");
  return facts;
}

}  // namespace filter_driver
