// SPDX-License-Identifier: Apache-2.0
#include "request/request_reader.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "nova/object.hpp"
#include "python/python_json.hpp"

namespace filter_driver {

namespace {

namespace json = boost::json;

std::optional<std::int64_t> whole_of(const json::value& value) {
  if (!value.is_number()) return std::nullopt;
  boost::system::error_code inexact;
  const auto number = value.to_number<std::int64_t>(inexact);
  return inexact ? std::nullopt : std::optional<std::int64_t>(number);
}

std::int64_t read_integer(json_cursor& from) {
  return whole_of(from.read()).value_or(0);
}

using text_list = std::vector<std::pair<std::string, std::string>>;

std::optional<text_list> extra_specs_of(json_cursor& from) {
  text_list all;
  const bool is_object = from.members([&](std::string_view key) {
    auto known = std::find_if(all.begin(), all.end(), [key](const auto& each) { return each.first == key; });
    if (known == all.end()) known = all.emplace(all.end(), key, std::string());
    const auto value = from.read();
    known->second = value.is_string() ? std::string(value.get_string()) : json::serialize(value);
  });
  if (is_object) return all;
  from.skip();
  return std::nullopt;
}

// Reads an object. Skips any other value and returns nullopt.
template <class Facts, class Visit>
std::optional<Facts> object_of(json_cursor& from, const Visit& visit) {
  Facts facts;
  if (from.members([&](std::string_view key) { visit(key, facts); })) return facts;
  from.skip();
  return std::nullopt;
}

std::optional<flavor_facts> flavor_of(json_cursor& from) {
  return object_of<flavor_facts>(from, [&from](std::string_view key, flavor_facts& facts) {
    if (key == "id")
      facts.id = whole_of(from.read());
    else if (key == "name")
      facts.name = from.read_text().value_or("");
    else if (key == "vcpus")
      facts.vcpus = read_integer(from);
    else if (key == "memory_mb")
      facts.memory_mb = read_integer(from);
    else if (key == "root_gb")
      facts.root_gb = read_integer(from);
    else if (key == "ephemeral_gb")
      facts.ephemeral_gb = read_integer(from);
    else if (key == "swap")
      facts.swap = read_integer(from);
    else if (key == "extra_specs")
      facts.extra_specs = extra_specs_of(from);
    else
      from.skip();
  });
}

std::optional<image_facts> image_of(json_cursor& from) {
  return object_of<image_facts>(from, [&from](std::string_view key, image_facts& facts) {
    if (key == "id") {
      facts.id = from.read_text();
    } else if (key == "properties") {
      auto properties = from.read();
      facts.properties = properties.is_object() ? std::move(properties.as_object()) : json::object();
    } else {
      from.skip();
    }
  });
}

group_facts group_of(const json::object& group) {
  group_facts facts;
  facts.policy = nova_text(group, "policy");
  facts.policy_is_set = group.contains("policy");
  if (const auto* const policies = nova_field(group, "policies")) facts.policies = nova_texts(policies);
  for (const auto* const name : {"_rules", "rules"}) {
    const auto* const rules = nova_object_field(group, name);
    const auto* const most = rules == nullptr ? nullptr : rules->if_contains("max_server_per_host");
    if (most != nullptr) facts.max_server_per_host = *most;
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

// Reads a list of pairs, or of objects with host and hypervisor_hostname.
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

// Reads a member that is null in most requests. Empty if the member is not an object.
template <class Read>
auto part_of(json_cursor& from, const Read& read) -> std::optional<decltype(read(json::object()))> {
  const auto value = from.read();
  if (const auto* const fields = nova_fields(value)) return read(*fields);
  return std::nullopt;
}

std::vector<std::string> texts_of(json_cursor& from) {
  const auto value = from.read();
  return nova_texts(&value);
}

bool is_filled(const json::value* list) {
  return list != nullptr && list->is_array() && !list->get_array().empty();
}

// Sets needs_placement to the first of the named lists that is not empty, if needs_placement is not set already.
void need_one_of(request_facts& facts, std::string_view whose, const json::object& object,
                 std::initializer_list<const char*> lists) {
  for (const auto* const name : lists) {
    if (facts.needs_placement.empty() && is_filled(nova_field(object, name)))
      facts.needs_placement = std::string(whose) + "." + name;
  }
}

void read_destination(json_cursor& from, request_facts& facts) {
  const auto value = from.read();
  const auto* const fields = nova_fields(value);
  if (fields == nullptr) return;
  facts.destination = destination_of(*fields);
  need_one_of(facts, "requested_destination", *fields, {"aggregates", "forbidden_aggregates"});
}

void read_level_params(json_cursor& from, request_facts& facts) {
  const auto value = from.read();
  if (const auto* const fields = nova_fields(value))
    need_one_of(facts, "request_level_params", *fields, {"root_required", "root_forbidden", "same_subtree"});
}

void read_member(json_cursor& from, std::string_view key, request_facts& facts) {
  if (key == "flavor") {
    facts.flavor = flavor_of(from);
  } else if (key == "image") {
    facts.image = image_of(from);
  } else if (key == "instance_group") {
    facts.group = part_of(from, group_of);
  } else if (key == "requested_destination") {
    read_destination(from, facts);
  } else if (key == "request_level_params") {
    read_level_params(from, facts);
  } else if (key == "requested_resources") {
    const auto groups = from.read();
    facts.has_requested_groups = is_filled(&groups);
    if (facts.has_requested_groups) facts.needs_placement = "requested_resources";
  } else if (key == "image_ref") {
    facts.image_ref = from.read_text();
  } else if (key == "instance_uuid") {
    facts.instance_uuid = from.read_text().value_or("");
  } else if (key == "project_id") {
    facts.project_id = from.read_text();
  } else if (key == "is_bfv") {
    const auto given = from.read();
    facts.is_bfv = given.is_bool() && given.get_bool();
  } else if (key == "availability_zone") {
    facts.availability_zone = from.read_text();
  } else if (key == "scheduler_hints") {
    const auto hints = from.read();
    facts.hints_are_none = hints.is_null();
    const auto* const fields = nova_fields(hints);
    facts.hints = fields == nullptr ? std::nullopt : std::optional(*fields);
  } else if (key == "force_hosts") {
    facts.force_hosts = texts_of(from);
  } else if (key == "force_nodes") {
    facts.force_nodes = texts_of(from);
  } else if (key == "ignore_hosts") {
    facts.ignore_hosts = texts_of(from);
  } else if (key == "retry") {
    facts.retry_hosts = part_of(from, [](const json::object& retry) { return tried(nova_field(retry, "hosts")); });
  } else if (key == "numa_topology") {
    facts.numa_topology = from.read();
  } else if (key == "pci_requests") {
    facts.pci_requests = from.read();
  } else if (key == "network_metadata") {
    facts.network_metadata = from.read();
  } else {
    from.skip();
  }
}

}  // namespace

std::optional<request_facts> read_request(std::string_view spec) {
  json_cursor from(spec);
  request_facts facts;
  const bool is_object = from.members([&](std::string_view key) { read_member(from, key, facts); });
  from.finish();
  if (!is_object || from.error()) return std::nullopt;
  return facts;
}

}  // namespace filter_driver
