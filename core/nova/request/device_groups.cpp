// SPDX-License-Identifier: Apache-2.0
#include "core/nova/request/device_groups.hpp"

#include <algorithm>
#include <string_view>

namespace gantry::nova {

namespace {

// The objects of a list, which may be in a list object.
const json::array* objects_in(const json::object& object, std::string_view key, std::string_view inner) {
  if (const auto* const list = json::find_array(object, key)) return list;
  const auto* const list_object = json::find_object(object, key);
  return list_object == nullptr ? nullptr : json::find_array(*list_object, inner);
}

std::vector<std::string_view> ids_of_flavor_requests(const json::object& spec) {
  std::vector<std::string_view> ids;
  const auto* const requests = objects_in(spec, "pci_requests", "requests");
  if (requests == nullptr) return ids;
  for (const auto& each : *requests) {
    const auto* const request = each.if_object();
    // The request of a port has no alias.
    if (request == nullptr || json::find(*request, "alias_name") == nullptr) continue;
    if (const auto id = json::find_string(*request, "request_id"); id && !id->empty()) ids.push_back(*id);
  }
  return ids;
}

}  // namespace

std::vector<std::string> device_groups(const json::object& spec) {
  std::vector<std::string> groups;
  const auto ids = ids_of_flavor_requests(spec);
  const auto* const requested = objects_in(spec, "requested_resources", "objects");
  if (ids.empty() || requested == nullptr) return groups;
  for (const auto& each : *requested) {
    const auto* const group = each.if_object();
    const auto id = group == nullptr ? std::nullopt : json::find_string(*group, "requester_id");
    if (id && std::any_of(ids.begin(), ids.end(), [&id](std::string_view request) { return id->starts_with(request); }))
      groups.emplace_back(*id);
  }
  return groups;
}

}  // namespace gantry::nova
