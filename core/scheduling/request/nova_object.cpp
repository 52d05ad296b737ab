// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/request/nova_object.hpp"

#include <utility>

namespace gantry::scheduling {

namespace {

// The data in an envelope. nullptr if the object is not an envelope.
json::value* data_of(json::object& object) {
  if (!json::find_string(object, "nova_object.name")) return nullptr;
  auto* data = object.if_contains("nova_object.data");
  return data != nullptr && data->is_object() ? data : nullptr;
}

// A list object has one field, `objects`. An object with further fields is not a list.
json::value* list_in(json::object& data) {
  auto* objects = data.if_contains("objects");
  return data.size() == 1 && objects != nullptr && objects->is_array() ? objects : nullptr;
}

// A move between values of the same memory copies nothing.
void replace_by_part(json::value& whole, json::value& part) {
  auto taken = std::move(part);
  whole = std::move(taken);
}

}  // namespace

bool is_nova_object(const json::value& value, std::string_view name) {
  return value.is_object() && json::find_string(value.get_object(), "nova_object.name") == name;
}

void open_envelopes(json::value& value) {
  if (auto* object = value.if_object()) {
    if (auto* data = data_of(*object)) {
      auto* list = list_in(data->get_object());
      replace_by_part(value, list != nullptr ? *list : *data);
    }
  }
  if (auto* list = value.if_array()) {
    for (auto& item : *list) open_envelopes(item);
  } else if (auto* object = value.if_object()) {
    for (auto& member : *object) {
      if (member.value().is_structured()) open_envelopes(member.value());
    }
  }
}

}  // namespace gantry::scheduling
