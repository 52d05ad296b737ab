// SPDX-License-Identifier: Apache-2.0
#include "core/nova/serve/select_call.hpp"

#include <algorithm>
#include <array>

namespace gantry::nova {

namespace {

constexpr std::array<std::string_view, 6> known_arguments{"spec_obj",       "request_spec",   "filter_properties",
                                                          "instance_uuids", "return_objects", "return_alternates"};

}  // namespace

json::object select_arguments(const json::object& given) {
  json::object args;
  for (const auto name : known_arguments) {
    if (const auto* value = given.if_contains(name); value != nullptr && !value->is_null()) args[name] = *value;
  }
  return args;
}

bool is_rebuild(const json::object& spec) {
  const auto* hints = json::find_object(spec, "scheduler_hints");
  if (hints == nullptr) return false;
  const auto* type = json::find_array(*hints, "_nova_check_type");
  return type != nullptr && std::ranges::any_of(*type, [](const auto& each) { return each == "rebuild"; });
}

}  // namespace gantry::nova
