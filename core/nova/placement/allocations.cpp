// SPDX-License-Identifier: Apache-2.0
#include "core/nova/placement/allocations.hpp"

#include <algorithm>

namespace gantry::nova {

namespace {

bool is_amount(const json::value& value) {
  if (value.is_uint64()) return true;
  return value.is_int64() && value.get_int64() > 0;
}

bool is_allocation(const json::value& value) {
  const auto* const allocation = value.if_object();
  const auto* const resources = allocation == nullptr ? nullptr : json::find_object(*allocation, "resources");
  if (resources == nullptr || resources->empty()) return false;
  return std::all_of(resources->begin(), resources->end(), [](const auto& entry) { return is_amount(entry.value()); });
}

const json::object& resources_of(const json::value& allocation) {
  return allocation.get_object().at("resources").get_object();
}

Error broken(const std::string& what) {
  return {ErrorCode::unavailable, "placement's allocations of a consumer: " + what, ""};
}

}  // namespace

bool are_allocations(const json::object& allocations) {
  return std::all_of(allocations.begin(), allocations.end(),
                     [](const auto& entry) { return is_allocation(entry.value()); });
}

bool are_same_allocations(const json::object& one, const json::object& other) {
  if (one.size() != other.size()) return false;
  return std::all_of(one.begin(), one.end(), [&other](const auto& entry) {
    const auto* const counterpart = other.if_contains(entry.key());
    return counterpart != nullptr && resources_of(entry.value()) == resources_of(*counterpart);
  });
}

Result<HeldAllocations> read_held_allocations(std::string_view body) {
  const auto read = json::parse_object(body);
  if (!read) return broken(read.error().message);
  const auto* const allocations = json::find_object(*read, "allocations");
  if (allocations == nullptr || !are_allocations(*allocations))
    return broken("expected allocations of providers with resources, found another value or none");
  HeldAllocations held;
  for (const auto& [provider, allocation] : *allocations)
    held.allocations[provider] = json::object{{"resources", resources_of(allocation)}};
  held.generation = json::find_integer(*read, "consumer_generation");
  held.project_id = json::find_string(*read, "project_id").value_or("");
  held.user_id = json::find_string(*read, "user_id").value_or("");
  if (!held.allocations.empty() && !held.generation) return broken("expected consumer_generation, found none");
  return held;
}

json::object merge_for_move(const json::object& held, const json::object& requested) {
  json::object merged = held;
  for (const auto& [provider, allocation] : requested) merged.emplace(provider, allocation);
  return merged;
}

}  // namespace gantry::nova
