// SPDX-License-Identifier: Apache-2.0
//
// Service records as operators see and change them.
#include "core/scheduling/args.hpp"
#include "core/scheduling/methods.hpp"

namespace gantry::scheduling {

namespace {

// Reads the record that topic and host name, lets `change` edit it, stores it.
template <class Change>
Outcome change_service(State& state, const Call& call, Change change) {
  auto topic = required_text(call.args, "topic");
  if (!topic) return failed(std::move(topic).error());
  auto host = required_text(call.args, "host");
  if (!host) return failed(std::move(host).error());
  auto& fleet = state.parts.fleet;
  auto outcome = changing(state);
  auto service = fleet.service(*topic, *host);
  if (!service) {
    return failed(
        {ErrorCode::not_found,
         "no service of host '" + *host + "' on topic '" + *topic + "'; `gantry service list` shows those there are",
         {}});
  }
  const auto before = *service;
  change(*service);
  fleet.put_service(*service);
  outcome.reply = json::value(shown(*service, fleet, now_nanoseconds()));
  outcome.batch.push_back(stored(store::Kind::service, service_key(*topic, *host), *service));
  outcome.undo = [&fleet, before] { fleet.put_service(before); };
  return outcome;
}

}  // namespace

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

Outcome list_services(State& state, const Call& call) {
  auto topic = optional_text(call.args, "topic");
  if (!topic) return failed(std::move(topic).error());
  auto host = optional_text(call.args, "host");
  if (!host) return failed(std::move(host).error());
  const auto now = now_nanoseconds();
  json::array result;
  for (const auto& service : state.parts.fleet.services()) {
    if ((*topic && service.topic != **topic) || (*host && service.host != **host)) continue;
    result.push_back(shown(service, state.parts.fleet, now));
  }
  Outcome outcome;
  outcome.reply = json::value(std::move(result));
  return outcome;
}

Outcome enable_service(State& state, const Call& call) {
  return change_service(state, call, [](fleet::Service& service) {
    service.disabled = false;
    service.disabled_reason.clear();
  });
}

Outcome disable_service(State& state, const Call& call) {
  auto reason = optional_text(call.args, "reason");
  if (!reason) return failed(std::move(reason).error());
  return change_service(state, call, [&reason](fleet::Service& service) {
    service.disabled = true;
    service.disabled_reason = reason->value_or("");
  });
}

Outcome force_down_service(State& state, const Call& call) {
  auto forced_down = optional_bool(call.args, "forced_down", true);
  if (!forced_down) return failed(std::move(forced_down).error());
  return change_service(state, call, [&forced_down](fleet::Service& service) { service.forced_down = *forced_down; });
}

Outcome remove_service(State& state, const Call& call) {
  auto topic = required_text(call.args, "topic");
  if (!topic) return failed(std::move(topic).error());
  auto host = required_text(call.args, "host");
  if (!host) return failed(std::move(host).error());
  auto& fleet = state.parts.fleet;
  auto outcome = changing(state);
  const auto removed = fleet.remove_service(*topic, *host);
  if (!removed)
    return failed({ErrorCode::not_found, "no service of host '" + *host + "' on topic '" + *topic + "'", {}});
  outcome.reply = json::value(json::object());
  outcome.batch.push_back(erased(store::Kind::service, service_key(*topic, *host)));
  outcome.undo = [&fleet, removed] { fleet.put_service(*removed); };
  return outcome;
}

}  // namespace gantry::scheduling
