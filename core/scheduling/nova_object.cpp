// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/nova_object.hpp"

namespace gantry::scheduling {

namespace {

const json::object* data_of(const json::object& object) {
  return json::find_string(object, "nova_object.name") ? json::find_object(object, "nova_object.data") : nullptr;
}

// List objects carry one field; everything else that has "objects" beside other fields is not a list.
const json::value* list_in(const json::object& data) {
  const auto* objects = data.if_contains("objects");
  return objects != nullptr && data.size() == 1 && objects->is_array() ? objects : nullptr;
}

}  // namespace

bool is_nova_object(const json::value& value, std::string_view name) {
  return value.is_object() && json::find_string(value.get_object(), "nova_object.name") == name;
}

json::value without_envelopes(const json::value& value) {
  if (value.is_array()) {
    json::array list;
    list.reserve(value.get_array().size());
    for (const auto& item : value.get_array()) list.push_back(without_envelopes(item));
    return list;
  }
  if (!value.is_object()) return value;
  const auto* data = data_of(value.get_object());
  if (data != nullptr) {
    if (const auto* list = list_in(*data)) return without_envelopes(*list);
  }
  json::object plain;
  for (const auto& member : data != nullptr ? *data : value.get_object()) {
    plain.emplace(member.key(), without_envelopes(member.value()));
  }
  return plain;
}

json::object nova_object(std::string_view name, std::string_view version, json::object data) {
  json::array changes;
  for (const auto& member : data) changes.emplace_back(member.key());
  json::object envelope;
  envelope["nova_object.name"] = name;
  envelope["nova_object.namespace"] = "nova";
  envelope["nova_object.version"] = version;
  envelope["nova_object.data"] = std::move(data);
  envelope["nova_object.changes"] = std::move(changes);
  return envelope;
}

}  // namespace gantry::scheduling
