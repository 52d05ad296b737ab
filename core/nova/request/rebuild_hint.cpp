// SPDX-License-Identifier: Apache-2.0
#include "core/nova/request/rebuild_hint.hpp"

#include <string_view>

namespace gantry::nova {

bool carries_rebuild_hint(const json::object& spec) {
  const auto* hints = json::find_object(spec, "scheduler_hints");
  const auto* type = hints == nullptr ? nullptr : json::find_array(*hints, "_nova_check_type");
  return type != nullptr && type->size() == 1 && type->front() == "rebuild";
}

std::string objection_to_rebuild_hint(const json::object& spec) {
  for (const std::string_view name : {"force_hosts", "force_nodes"}) {
    const auto* forced = json::find_array(spec, name);
    const auto count = forced == nullptr ? 0 : forced->size();
    if (count == 1) continue;
    return "expected one name in " + std::string(name) + ", as Nova's rebuild has it, found " + std::to_string(count);
  }
  const auto* id = spec.if_contains("id");
  if (id != nullptr && !id->is_null()) return "expected no id, as Nova's rebuild has none, found " + json::write(*id);
  return {};
}

}  // namespace gantry::nova
