// SPDX-License-Identifier: Apache-2.0
//
// The methods with which operators see and change services.
#include "core/scheduling/methods/access.hpp"
#include "core/scheduling/methods/list_page.hpp"
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/methods/shown.hpp"
#include "core/scheduling/request/args.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

// Finds the service of the call's topic and host, applies `change` and stores it. `told`: the type of the event, if the
// service changed.
template <class Change>
Outcome change_service(State& state, const MethodCall& call, std::string_view told, Change change) {
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
  outcome.reply = json::value(shown(*service, fleet, steady_nanoseconds()));
  outcome.batch.push_back(stored(store::Kind::service, service_key(*topic, *host), *service));
  outcome.undo = [&fleet, before] { fleet.put_service(before); };
  if (service->disabled != before.disabled || service->disabled_reason != before.disabled_reason ||
      service->forced_down != before.forced_down) {
    Event event{std::string(told), *topic, *host, {}};
    if (service->disabled) event.more["reason"] = service->disabled_reason;
    event.more["forced_down"] = service->forced_down;
    outcome.events.push_back(std::move(event));
  }
  return outcome;
}

Outcome list_services(State& state, const MethodCall& call) {
  auto filters = read_filters(call.args, {"topic", "host", "state", "status"});
  if (!filters) return failed(std::move(filters).error());
  if (auto known = check_choice(*filters, "state", {"up", "down"}); !known) return failed(std::move(known).error());
  if (auto known = check_choice(*filters, "status", {"enabled", "disabled"}); !known)
    return failed(std::move(known).error());
  auto wish = read_page(call.args);
  if (!wish) return failed(std::move(wish).error());
  const auto now = steady_nanoseconds();
  const auto& fleet = state.parts.fleet;
  return page_of(
      *wish, fleet.services(),
      [](const auto& service) {
        return item_id({service.topic, service.host});
      },
      [&](const auto& service) {
        return filters->fit("topic", service.topic) && filters->fit("host", service.host) &&
               filters->fit("state", fleet.is_up(service, now) ? "up" : "down") &&
               filters->fit("status", service.disabled ? "disabled" : "enabled");
      },
      [&](const auto& service) { return shown(service, fleet, now); });
}

Outcome enable_service(State& state, const MethodCall& call) {
  return change_service(state, call, "service.enabled", [](fleet::Service& service) {
    service.disabled = false;
    service.disabled_reason.clear();
  });
}

Outcome disable_service(State& state, const MethodCall& call) {
  auto reason = optional_text(call.args, "reason");
  if (!reason) return failed(std::move(reason).error());
  return change_service(state, call, "service.disabled", [&reason](fleet::Service& service) {
    service.disabled = true;
    service.disabled_reason = reason->value_or("");
  });
}

Outcome force_down_service(State& state, const MethodCall& call) {
  auto forced_down = optional_bool(call.args, "forced_down", true);
  if (!forced_down) return failed(std::move(forced_down).error());
  return change_service(state, call, "service.forced_down",
                        [&forced_down](fleet::Service& service) { service.forced_down = *forced_down; });
}

Outcome remove_service(State& state, const MethodCall& call) {
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
  outcome.batch.push_back(state.heartbeats.forget(*removed));
  outcome.undo = [&fleet, removed] { fleet.put_service(*removed); };
  outcome.events.push_back({"service.removed", *topic, *host, {}});
  return outcome;
}

std::optional<json::object> service_before(const State& state, const MethodCall& call) {
  const auto& fleet = state.parts.fleet;
  const auto service = fleet.service(text_argument(call, "topic"), text_argument(call, "host"));
  return service ? shown(*service, fleet, steady_nanoseconds()) : json::object();
}

}  // namespace

std::vector<Method> service_methods() {
  using enum ArgumentType;
  const auto service_topic = required("topic", text, "The service's topic.", "compute").as(TextKind::known);
  const auto service_host = required("host", text, "The service's host.", "node1").as(TextKind::known);
  return {{.name = "list_services",
           .group = "hosts",
           .effect = Effect::reads,
           .callers = readers_and_services,
           .summary = "The services that have registered.",
           .args = {optional("topic", text, "Only this topic's.", "compute"),
                    optional("host", text, "Only this host's.", "node1"),
                    optional("state", text, "Only those in this state.").one_of("up|down"),
                    optional("status", text, "Only those of this status.").one_of("enabled|disabled"), page_limit,
                    page_marker},
           .result = "[Service]",
           .handle = list_services},
          {.name = "enable_service",
           .group = "hosts",
           .effect = Effect::changes,
           .callers = admins,
           .summary = "Undoes disable_service.",
           .args = {service_topic, service_host},
           .result = "Service",
           .handle = enable_service,
           .audit = {"service.enabled", "service", service_before}},
          {.name = "disable_service",
           .group = "hosts",
           .effect = Effect::changes,
           .callers = admins,
           .summary = "Takes a service's host out of what drivers may choose.",
           .args = {service_topic, service_host,
                    optional("reason", text, "Shown with the service.", "new disks").as(TextKind::sentence)},
           .result = "Service",
           .handle = disable_service,
           .audit = {"service.disabled", "service", service_before}},
          {.name = "force_down_service",
           .group = "hosts",
           .effect = Effect::changes,
           .callers = admins,
           .summary = "Holds a service for down whatever it reports, or no longer.",
           .args = {service_topic, service_host,
                    optional("forced_down", truth, "False: it is as it reports again.", "false").otherwise("true")},
           .result = "Service",
           .handle = force_down_service,
           .audit = {"service.forced_down", "service", service_before}},
          {.name = "remove_service",
           .group = "hosts",
           .effect = Effect::changes,
           .callers = admins,
           .summary = "Forgets a service; it may register again.",
           .args = {service_topic, service_host},
           .result = "Nothing",
           .handle = remove_service,
           .audit = {"service.removed", "service", service_before}}};
}

}  // namespace gantry::scheduling
