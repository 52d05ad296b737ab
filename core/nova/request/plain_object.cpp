// SPDX-License-Identifier: Apache-2.0
#include "core/nova/request/plain_object.hpp"

#include <cstddef>
#include <string>
#include <utility>

#include "core/nova/request/failure.hpp"

namespace gantry::nova {

namespace {

constexpr std::string_view name_key = "nova_object.name";
constexpr std::string_view data_key = "nova_object.data";

json::object* fields_of(json::object& object) {
  if (!json::find_string(object, name_key)) return nullptr;
  auto* const data = object.if_contains(data_key);
  return data == nullptr ? nullptr : data->if_object();
}

// Returns false if the value nests deeper than `depth`.
bool take_off_envelopes(json::value& value, std::size_t depth) {
  if (value.is_structured() && depth == 0) return false;
  if (auto* const list = value.if_array()) {
    for (auto& each : *list) {
      if (!take_off_envelopes(each, depth - 1)) return false;
    }
  }
  auto* const object = value.if_object();
  if (object == nullptr) return true;
  if (auto* const data = fields_of(*object)) {
    json::value fields = std::move(*data);
    value = std::move(fields);
    return take_off_envelopes(value, depth - 1);
  }
  for (auto& member : *object) {
    if (!take_off_envelopes(member.value(), depth - 1)) return false;
  }
  return true;
}

}  // namespace

Result<json::object> plain_object(json::object object, std::string_view name) {
  const auto found = json::find_string(object, name_key);
  if (found && *found != name)
    return raised("ValueError", "expected a " + std::string(name) + ", found a " + std::string(*found));
  if (found && fields_of(object) == nullptr)
    return raised("ValueError", std::string(name) + ": expected an object in " + std::string(data_key));
  json::value value = std::move(object);
  if (!take_off_envelopes(value, json::max_depth))
    return raised("ValueError", std::string(name) + ": expected at most " + std::to_string(json::max_depth) +
                                    " levels of nesting, found more");
  return std::move(value.get_object());
}

}  // namespace gantry::nova
