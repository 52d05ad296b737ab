// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/scheduling/past/past_decision.hpp"
#include "core/scheduling/request/redaction.hpp"

namespace gantry::scheduling {

namespace {

json::object shown_host(const PastHost& host) {
  json::object shown{{"host", host.host}, {"node", host.node}};
  if (host.weight) shown["weight"] = *host.weight;
  return shown;
}

json::array destinations_of(const PastDecision& past) {
  const auto* uuids = json::find_array(past.record, "instance_uuids");
  json::array destinations;
  for (const auto& pick : past_hosts(past, "picks")) {
    auto shown = shown_host(pick);
    if (uuids != nullptr && pick.instance < uuids->size()) shown["instance_uuid"] = (*uuids)[pick.instance];
    destinations.push_back(std::move(shown));
  }
  return destinations;
}

json::array steps_of(const PastDecision& past) {
  json::array steps;
  if (const auto* list = json::find_array(past.record, "steps")) {
    for (const auto& item : *list) {
      const auto& step = item.get_array();
      json::object shown{
          {"name", step.at(0)}, {"hosts_in", step.at(1)}, {"hosts_out", step.at(2)}, {"reason", step.at(3)}};
      if (step.size() > 4) shown["instance"] = step[4];
      steps.push_back(std::move(shown));
    }
  }
  return steps;
}

// The chosen hosts and the alternates with their weights, the greatest first.
json::array leaders_of(const PastDecision& past) {
  auto hosts = past_hosts(past, "picks");
  std::ranges::move(past_hosts(past, "alternates"), std::back_inserter(hosts));
  json::array leaders;
  for (const auto& host : hosts) leaders.push_back(shown_host(host));
  return leaders;
}

json::array lost_of(const PastDecision& past) {
  json::array lost;
  for (const auto& host : past_hosts(past, "lost"))
    lost.push_back(json::object{{"instance", host.instance}, {"host", host.host}, {"node", host.node}});
  return lost;
}

}  // namespace

json::object summary_of(const PastDecision& past) {
  json::object shown{{"id", past.id}, {"time", time_json(past.time)}};
  for (const auto* key : {"request_id", "method", "driver", "profile", "fallback_for", "fallback_reason", "project_id",
                          "user_id", "outcome", "num_instances", "placed", "hosts", "reason", "microseconds"}) {
    if (const auto* value = json::find(past.record, key)) shown[key] = *value;
  }
  shown["destinations"] = destinations_of(past);
  return shown;
}

json::object shown_past(const PastDecision& past) {
  auto shown = summary_of(past);
  for (const auto* key : {"seed", "driver_version", "instance_uuids", "authority"}) {
    if (const auto* value = json::find(past.record, key)) shown[key] = *value;
  }
  shown["steps"] = steps_of(past);
  shown["leaders"] = leaders_of(past);
  shown["claims_lost"] = lost_of(past);
  if (const auto* request = json::find_object(past.record, "request"))
    shown["request"] = without_user_content(*request);
  return shown;
}

}  // namespace gantry::scheduling
