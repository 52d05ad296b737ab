// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "core/fleet/records/records.hpp"

namespace gantry::fleet {

namespace {

json::array array_of(const std::vector<std::string>& texts, const json::storage_ptr& memory) {
  json::array array(memory);
  array.reserve(texts.size());
  for (const auto& text : texts) array.emplace_back(text);
  return array;
}

}  // namespace

json::object to_json(const Service& service, const json::storage_ptr& memory) {
  return json::object({{"topic", service.topic},
                       {"host", service.host},
                       {"binary", service.binary},
                       {"disabled", service.disabled},
                       {"disabled_reason", service.disabled_reason},
                       {"forced_down", service.forced_down},
                       {"last_seen_up", service.last_seen_up},
                       {"report_count", service.report_count}},
                      memory);
}

json::object to_json(const ComputeNode& node, const json::storage_ptr& memory) {
  return json::object({{"topic", node.topic},
                       {"host", node.host},
                       {"node", node.node},
                       {"stats", node.stats},
                       {"sampled_at", node.sampled_at},
                       {"updated_at", node.updated_at}},
                      memory);
}

json::object to_json(const Capabilities& capabilities, const json::storage_ptr& memory) {
  return json::object({{"topic", capabilities.topic},
                       {"host", capabilities.host},
                       {"capabilities", capabilities.capabilities},
                       {"updated_at", capabilities.updated_at}},
                      memory);
}

json::object to_json(const Aggregate& aggregate, const json::storage_ptr& memory) {
  json::object metadata(memory);
  for (const auto& [key, value] : aggregate.metadata) metadata.emplace(key, value);
  return json::object({{"id", aggregate.id},
                       {"uuid", aggregate.uuid},
                       {"name", aggregate.name},
                       {"metadata", std::move(metadata)},
                       {"hosts", array_of(aggregate.hosts, memory)}},
                      memory);
}

json::object to_json(const Group& group, const json::storage_ptr& memory) {
  return json::object({{"uuid", group.uuid},
                       {"name", group.name},
                       {"project_id", group.project_id},
                       {"user_id", group.user_id},
                       {"policy", group.policy},
                       {"rules", group.rules},
                       {"members", array_of(group.members, memory)}},
                      memory);
}

json::object to_json(const Instance& instance, const json::storage_ptr& memory) {
  json::object document({{"uuid", instance.uuid},
                         {"name", instance.name},
                         {"project_id", instance.project_id},
                         {"user_id", instance.user_id},
                         {"host", instance.host},
                         {"node", instance.node},
                         {"availability_zone", instance.availability_zone},
                         {"vm_state", instance.vm_state},
                         {"task_state", instance.task_state},
                         {"fault", instance.fault},
                         {"flavor", instance.flavor},
                         {"image", instance.image},
                         {"launch_index", instance.launch_index},
                         {"request_id", instance.request_id},
                         {"created_at", instance.created_at},
                         {"updated_at", instance.updated_at},
                         {"active_at", instance.active_at},
                         {"decision", instance.decision}},
                        memory);
  if (!instance.image_properties.empty()) document.emplace("image_properties", instance.image_properties);
  return document;
}

json::object to_json(const Claim& claim, const json::storage_ptr& memory) {
  json::array items(memory);
  for (const auto& item : claim.items) {
    json::object shown({{"resource", item.resource}, {"amount", item.amount}}, memory);
    if (!std::isnan(item.limit)) shown.emplace("limit", item.limit);
    items.push_back(std::move(shown));
  }
  json::object document({{"consumer", claim.consumer},
                         {"topic", claim.topic},
                         {"host", claim.host},
                         {"node", claim.node},
                         {"items", std::move(items)},
                         {"durable", claim.durable},
                         {"cast_waits", claim.cast_waits},
                         {"created_at", claim.created_at}},
                        memory);
  if (!claim.id.empty()) document.emplace("id", claim.id);
  if (!claim.group.empty()) document.emplace("group", claim.group);
  return document;
}

}  // namespace gantry::fleet
