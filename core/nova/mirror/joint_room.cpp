// SPDX-License-Identifier: Apache-2.0
#include "core/nova/mirror/joint_room.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "core/encoding/json.hpp"

namespace gantry::nova {

namespace {

using Sums = std::map<std::pair<std::string, std::string>, std::int64_t>;  // by provider and resource class

bool add_up(const std::string& allocation_request, Sums& sums) {
  const auto read = json::parse_object(allocation_request);
  const auto* allocations = read ? json::find_object(*read, "allocations") : nullptr;
  if (allocations == nullptr) return false;
  for (const auto& [provider, allocation] : *allocations) {
    const auto* object = allocation.if_object();
    const auto* resources = object == nullptr ? nullptr : json::find_object(*object, "resources");
    if (resources == nullptr) return false;
    for (const auto& [name, amount] : *resources)
      sums[{std::string(provider), std::string(name)}] += json::find_integer(*resources, name).value_or(0);
  }
  return true;
}

bool has_room(const ProviderState& state, const std::string& provider, const std::string& resource_class,
              std::int64_t amount) {
  const auto row = state.shape().row_of_uuid(provider);
  const auto id = state.class_id(resource_class);
  if (row == no_row || !id) return false;
  const auto& inventories = state.provider(row).inventories;
  const auto found = std::ranges::find(inventories, *id, &InventoryFact::resource_class);
  if (found == inventories.end()) return false;
  const double capacity = static_cast<double>(found->total - found->reserved) * found->allocation_ratio;
  return static_cast<double>(found->used + amount) <= capacity;
}

}  // namespace

bool have_room_together(const ProviderState& state, std::span<const std::string> allocation_requests) {
  Sums sums;
  for (const auto& request : allocation_requests)
    if (!add_up(request, sums)) return false;
  return std::ranges::all_of(
      sums, [&state](const auto& sum) { return has_room(state, sum.first.first, sum.first.second, sum.second); });
}

}  // namespace gantry::nova
