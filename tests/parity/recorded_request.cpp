// SPDX-License-Identifier: Apache-2.0
#include "tests/parity/recorded_request.hpp"

#include "request_reader.hpp"

#include <stdexcept>

namespace filter_driver::parity {

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
std::vector<std::string> texts(const json::value* list) {
  std::vector<std::string> all;
  if (list == nullptr) return all;
  if (const auto* const set = list->if_object()) return texts(set->if_contains("_set"));
  for (const auto& each : list->as_array()) all.emplace_back(each.as_string());
  return all;
}

// Without the marks of Nova's objects and sets.
json::value unmarked(const json::value& value) {
  if (const auto* const list = value.if_array()) {
    json::array all;
    for (const auto& each : *list) all.push_back(unmarked(each));
    return all;
  }
  const auto* const object = value.if_object();
  if (object == nullptr) return value;
  if (const auto* const set = object->if_contains("_set")) return unmarked(*set);
  json::object all;
  for (const auto& [key, member] : *object) {
    if (key != "_object") all[key] = unmarked(member);
  }
  return all;
}

// Icehouse's dictionary.
void read_filter_properties(const json::object& properties, request_facts& facts) {
  json::object as_spec;
  if (const auto* const type = object_at(properties, "instance_type")) as_spec["flavor"] = *type;
  if (const auto* const spec = object_at(properties, "request_spec")) {
    if (const auto* const image = object_at(*spec, "image")) as_spec["image"] = *image;
    facts = read_request(as_spec);
    if (const auto* const instance = object_at(*spec, "instance_properties")) {
      facts.project_id = text(*instance, "project_id");
      facts.image_ref = text(*instance, "image_ref");
      facts.instance_uuid = text(*instance, "uuid").value_or("");
    }
  } else {
    facts = read_request(as_spec);
  }
  if (const auto* const hints = object_at(properties, "scheduler_hints"))
    facts.hints = *hints;
  else
    facts.hints_are_none = properties.contains("scheduler_hints");
  if (properties.contains("group_policies") || properties.contains("group_hosts")) {
    auto& group = facts.group.emplace();
    group.policies = texts(field(properties, "group_policies"));
    group.hosts = texts(field(properties, "group_hosts"));
  }
  if (const auto* const retry = object_at(properties, "retry")) {
    auto& tried = facts.retry_hosts.emplace();
    for (const auto& pair : retry->at("hosts").as_array())
      tried.emplace_back(pair.as_array()[0].as_string(), pair.as_array()[1].as_string());
  }
}

release release_of(const json::object& record) {
  const auto& name = record.at("release").as_string();
  if (name == "zed") return release::zed;
  if (name == "ocata") return release::ocata;
  if (name == "icehouse") return release::icehouse;
  throw std::invalid_argument("release: expected zed, ocata or icehouse, found " + std::string(name));
}

}  // namespace

request_facts recorded_request(const json::object& record) {
  request_facts facts;
  if (const auto* const spec = field(record, "spec")) facts = read_request(unmarked(*spec).as_object());
  if (const auto* const properties = object_at(record, "filter_properties")) read_filter_properties(*properties, facts);
  return facts;
}

settings recorded_settings(const json::object& record) {
  settings options;
  options.compatibility = release_of(record);
  options.default_availability_zone = "nova";
  for (const auto& [name, value] : record.at("config").as_object()) options.set(name, value);
  return options;
}

}  // namespace filter_driver::parity
