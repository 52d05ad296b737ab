// SPDX-License-Identifier: Apache-2.0
#include "core/nova/serve/select_call.hpp"

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

}  // namespace gantry::nova
