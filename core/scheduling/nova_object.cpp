// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/nova_object.hpp"

#include <algorithm>

#include "core/scheduling/request_context.hpp"

namespace gantry::scheduling {

namespace {

const json::object* data_of(const json::object& object) {
  return json::find_string(object, "nova_object.name") ? json::find_object(object, "nova_object.data") : nullptr;
}

using LeftOut = bool (*)(std::string_view key);

bool nothing(std::string_view /*key*/) {
  return false;
}

// List objects carry one field; everything else that has "objects" beside other fields is not a list.
const json::value* list_in(const json::object& data, LeftOut left_out) {
  const auto* objects = data.if_contains("objects");
  if (objects == nullptr || !objects->is_array()) return nullptr;
  const bool alone = std::all_of(data.begin(), data.end(), [&](const auto& member) {
    return &member.value() == objects || left_out(member.key());
  });
  return alone ? objects : nullptr;
}

json::value opened(const json::value& value, LeftOut left_out, const boost::json::storage_ptr& memory) {
  if (value.is_array()) {
    json::array list(memory);
    list.reserve(value.get_array().size());
    for (const auto& item : value.get_array()) list.push_back(opened(item, left_out, memory));
    return list;
  }
  if (!value.is_object()) return json::value(value, memory);
  const auto* data = data_of(value.get_object());
  if (data != nullptr) {
    if (const auto* list = list_in(*data, left_out)) return opened(*list, left_out, memory);
  }
  const auto& members = data != nullptr ? *data : value.get_object();
  json::object plain(memory);
  plain.reserve(members.size());
  for (const auto& member : members) {
    if (left_out(member.key())) continue;
    if (member.value().is_structured()) {
      plain.emplace(member.key(), opened(member.value(), left_out, memory));
    } else {
      plain.emplace(member.key(), member.value());
    }
  }
  return plain;
}

}  // namespace

bool is_nova_object(const json::value& value, std::string_view name) {
  return value.is_object() && json::find_string(value.get_object(), "nova_object.name") == name;
}

json::value without_envelopes(const json::value& value) {
  return opened(value, &nothing, {});
}

json::value without_envelopes_and_secrets(const json::value& value, const boost::json::storage_ptr& memory) {
  return opened(value, &is_secret, memory);
}

json::object nova_object(std::string_view name, std::string_view version, json::object data) {
  json::array changes;
  changes.reserve(data.size());
  for (const auto& member : data) changes.emplace_back(member.key());
  json::object envelope;
  envelope.reserve(5);
  envelope.emplace("nova_object.name", name);
  envelope.emplace("nova_object.namespace", "nova");
  envelope.emplace("nova_object.version", version);
  envelope.emplace("nova_object.data", std::move(data));
  envelope.emplace("nova_object.changes", std::move(changes));
  return envelope;
}

}  // namespace gantry::scheduling
