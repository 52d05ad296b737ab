// SPDX-License-Identifier: Apache-2.0
#include "tests/parity/recorded_request.hpp"

#include <stdexcept>

#include "nova/object.hpp"
#include "request/request_reader.hpp"

namespace filter_driver::parity {

namespace {

namespace json = boost::json;

// Icehouse's dictionary.
void read_filter_properties(const json::object& properties, request_facts& facts) {
  json::object as_spec;
  if (const auto* const type = nova_object_field(properties, "instance_type")) as_spec["flavor"] = *type;
  if (const auto* const spec = nova_object_field(properties, "request_spec")) {
    if (const auto* const image = nova_object_field(*spec, "image")) as_spec["image"] = *image;
    facts = read_request(json::serialize(as_spec)).value();
    if (const auto* const instance = nova_object_field(*spec, "instance_properties")) {
      facts.project_id = nova_text(*instance, "project_id");
      facts.image_ref = nova_text(*instance, "image_ref");
      facts.instance_uuid = nova_text(*instance, "uuid").value_or("");
    }
  } else {
    facts = read_request(json::serialize(as_spec)).value();
  }
  if (const auto* const hints = nova_object_field(properties, "scheduler_hints"))
    facts.hints = *hints;
  else
    facts.hints_are_none = properties.contains("scheduler_hints");
  if (properties.contains("group_policies") || properties.contains("group_hosts")) {
    auto& group = facts.group.emplace();
    group.policies = nova_texts(nova_field(properties, "group_policies"));
    group.hosts = nova_texts(nova_field(properties, "group_hosts"));
  }
  if (const auto* const retry = nova_object_field(properties, "retry")) {
    auto& tried = facts.retry_hosts.emplace();
    for (const auto& pair : retry->at("hosts").as_array())
      tried.emplace_back(pair.as_array()[0].as_string(), pair.as_array()[1].as_string());
  }
}

}  // namespace

release release_of(const json::object& record) {
  const auto& name = record.at("release").as_string();
  if (const auto named = release::named(std::string_view(name))) return *named;
  throw std::invalid_argument("release: expected one of those that the driver knows, found " + std::string(name));
}

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

json::object recorded_spec(const json::object& record) {
  return unmarked(record.at("spec")).as_object();
}

request_facts recorded_request(const json::object& record) {
  request_facts facts;
  if (nova_field(record, "spec") != nullptr) facts = read_request(json::serialize(recorded_spec(record))).value();
  if (const auto* const properties = nova_object_field(record, "filter_properties"))
    read_filter_properties(*properties, facts);
  return facts;
}

settings recorded_settings(const json::object& record) {
  settings options;
  options.compatibility = release_of(record);
  options.strict_parity = true;
  options.default_availability_zone = "nova";
  for (const auto& [name, value] : record.at("config").as_object()) options.set(name, value);
  return options;
}

}  // namespace filter_driver::parity
