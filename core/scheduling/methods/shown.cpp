// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/methods/shown.hpp"

#include <cmath>

#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

json::object shown(const fleet::Service& service, const fleet::Fleet& fleet, fleet::Nanoseconds now) {
  return {{"topic", service.topic},
          {"host", service.host},
          {"binary", service.binary},
          {"status", service.disabled ? "disabled" : "enabled"},
          {"state", fleet.is_up(service, now) ? "up" : "down"},
          {"disabled_reason", service.disabled_reason},
          {"forced_down", service.forced_down},
          {"last_seen_up", time_json(service.last_seen_up)},
          {"report_count", service.report_count}};
}

json::object shown(const fleet::Instance& instance, bool with_decision) {
  json::object result{{"uuid", instance.uuid},
                      {"name", instance.name},
                      {"vm_state", instance.vm_state},
                      {"task_state", instance.task_state},
                      {"host", instance.host},
                      {"node", instance.node},
                      {"availability_zone", instance.availability_zone},
                      {"fault", instance.fault},
                      {"flavor", instance.flavor},
                      {"image", instance.image},
                      {"launch_index", instance.launch_index},
                      {"project_id", instance.project_id},
                      {"user_id", instance.user_id},
                      {"request_id", instance.request_id},
                      {"created_at", time_json(instance.created_at)},
                      {"updated_at", time_json(instance.updated_at)},
                      {"active_at", time_json(instance.active_at)}};
  if (with_decision) result["decision"] = instance.decision;
  return result;
}

json::object shown(const fleet::Claim& claim) {
  json::array items;
  for (const auto& item : claim.items) {
    json::object shown_item{{"resource", item.resource}, {"amount", item.amount}};
    shown_item["limit"] = std::isfinite(item.limit) ? json::value(item.limit) : json::value(nullptr);
    items.push_back(std::move(shown_item));
  }
  return {{"consumer", claim.consumer},
          {"topic", claim.topic},
          {"host", claim.host},
          {"node", claim.node},
          {"id", claim.id},
          {"items", std::move(items)},
          {"durable", claim.durable},
          {"cast_waits", claim.cast_waits},
          {"created_at", time_json(claim.created_at)}};
}

}  // namespace gantry::scheduling
