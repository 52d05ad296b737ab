// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <map>

#include "core/drivers/driver_set.hpp"
#include "core/scheduling/methods/list_page.hpp"
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/methods/shown.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

// Whether a restart would load the same files again.
std::string_view on_disk(const drivers::Driver& driver) {
  const auto found = driver.on_disk();
  if (!found.missing.empty()) return "missing";
  return found.changed.empty() && found.options.empty() ? "same" : "changed";
}

json::object process_json(const drivers::isolated::RunnerStatus& status, const drivers::Driver* stand_in) {
  return {{"state", name_of(status.state)},
          {"pid", status.process},
          {"ends", status.ends},
          {"last_ending", status.last_ending},
          {"last_crash", status.last_crash},
          {"reads_only_its_files", status.reads_only_its_files},
          {"stand_in", stand_in == nullptr ? json::value(nullptr) : json::value(stand_in->manifest().id)}};
}

json::object driver_json(const drivers::Driver& driver, const drivers::DriverSet& set) {
  const auto& manifest = driver.manifest();
  json::object methods;
  for (const auto& [topic, names] : manifest.methods) methods[topic] = json::array(names.begin(), names.end());
  json::object shown{{"id", manifest.id},
                     {"kind", manifest.own_id()},
                     {"version", manifest.version},
                     {"description", manifest.description},
                     {"path", driver.file().path},
                     {"sha256", driver.file().sha256},
                     {"topics", json::array(manifest.topics.begin(), manifest.topics.end())},
                     {"methods", std::move(methods)},
                     {"threads", manifest.threads == drivers::Threads::serial ? "serial" : "reentrant"},
                     {"decides_from", name_of(manifest.decides_from)},
                     {"calls", driver.calls()},
                     {"failures", driver.failures()},
                     {"on_disk", on_disk(driver)}};
  if (const auto process = driver.runner_status()) shown["process"] = process_json(*process, set.stand_in_for(driver));
  return shown;
}

json::object topics_json(const fleet::Moment& moment) {
  json::object result;
  for (const auto topic : moment.topics()) {
    const auto& view = *moment.view(topic);
    result[topic] = json::object{{"hosts", view.rows},
                                 {"up", count_true(moment, view, "up")},
                                 {"disabled", count_true(moment, view, "disabled")}};
  }
  return result;
}

json::array hanging_json(const drivers::DriverSet& drivers) {
  json::array result;
  for (const auto* driver : drivers.all()) {
    for (const auto& call : driver->turns().hanging()) {
      result.push_back(json::object{{"driver", driver->manifest().id},
                                    {"operation", call.operation},
                                    {"request_id", call.request_id},
                                    {"seconds", call.age.count() / 1000}});
    }
  }
  return result;
}

json::array skipped_json(const drivers::DriverSet& drivers) {
  json::array result;
  for (const auto& [id, error] : drivers.skipped()) {
    result.push_back(json::object{{"id", id}, {"reason", error.message}});
  }
  return result;
}

json::array texts_json(const std::vector<std::string>& texts) {
  json::array result(texts.begin(), texts.end());
  return result;
}

Outcome status(State& state, const MethodCall&) {
  const auto now = steady_nanoseconds();
  json::object instance_counts;
  for (const auto& [vm_state, count] : state.parts.fleet.instance_counts()) instance_counts[vm_state] = count;
  json::array drivers;
  for (const auto* driver : state.parts.drivers.all()) drivers.push_back(driver_json(*driver, state.parts.drivers));
  json::array counters;
  for (const auto& entry : state.parts.counters->list()) {
    counters.push_back(json::object{{"name", entry.name}, {"label", entry.label}, {"value", entry.value}});
  }
  json::object reply{{"version", GANTRY_VERSION},
                     {"abi", GANTRY_ABI_TEXT},
                     {"pid", getpid()},
                     {"started_at", time_json(state.started_at)},
                     {"uptime_seconds", (now - state.steady_started_at) / 1'000'000'000},
                     {"store", state.parts.store.describe()},
                     {"unready_reasons", texts_json(state.health.unready_reasons(state))},
                     {"warnings", texts_json(state.health.warnings(state))},
                     {"drivers", std::move(drivers)},
                     {"skipped_drivers", skipped_json(state.parts.drivers)},
                     {"hanging_calls", hanging_json(state.parts.drivers)},
                     {"topics", topics_json(state.parts.fleet.pin(now))},
                     {"instances", std::move(instance_counts)},
                     {"claims", state.parts.fleet.claim_count()},
                     {"casts", state.casts.size()},
                     {"counters", std::move(counters)}};
  if (const std::lock_guard lock(state.last_reload_mutex); state.last_reload) reply["last_reload"] = *state.last_reload;
  if (state.parts.restarts != nullptr) {
    if (auto last = state.parts.restarts->last()) reply["last_restart"] = *std::move(last);
  }
  if (state.parts.authority != nullptr) reply["nova"] = state.parts.authority->status();
  Outcome outcome;
  outcome.reply = json::value(std::move(reply));
  return outcome;
}

// The manager runs the examination, which needs more than the state.
void examine(State& state, const MethodCall& /*call*/, const Done& done) {
  state.examine(done);
}

Outcome list_claims(State& state, const MethodCall& call) {
  auto filters = read_filters(call.args, {"topic", "host", "instance"});
  if (!filters) return failed(std::move(filters).error());
  auto wish = read_page(call.args);
  if (!wish) return failed(std::move(wish).error());
  return page_of(
      *wish, state.parts.fleet.claims(),
      [](const auto& claim) {
        return item_id({claim.consumer, claim.topic, claim.host, claim.node, claim.id});
      },
      [&](const auto& claim) {
        return filters->fit("topic", claim.topic) && filters->fit("host", claim.host) &&
               filters->fit("instance", claim.consumer);
      },
      [](const auto& claim) { return shown(claim); });
}

Outcome list_drivers(State& state, const MethodCall& call) {
  auto wish = read_page(call.args);
  if (!wish) return failed(std::move(wish).error());
  return page_of(
      *wish, state.parts.drivers.all(), [](const auto* driver) { return driver->manifest().id; },
      [](const auto*) { return true; },
      [&state](const auto* driver) { return driver_json(*driver, state.parts.drivers); });
}

}  // namespace

std::vector<Method> status_methods() {
  using enum ArgumentType;
  return {{.name = "status",
           .group = "records",
           .effect = Effect::reads,
           .callers = readers_and_services,
           .summary = "The service itself: version, health, drivers, topics, counters.",
           .result = "Status",
           .handle = status},
          {.name = "doctor",
           .group = "records",
           .effect = Effect::reads,
           .callers = readers_and_services,
           .summary = "Whether what must hold does: limits, claims, instances, casts, and store and memory the same.",
           .result = "Examination",
           .handle = examine},
          {.name = "list_drivers",
           .group = "records",
           .effect = Effect::reads,
           .callers = readers_and_services,
           .summary = "The drivers that are loaded.",
           .args = {page_limit, page_marker},
           .result = "[Driver]",
           .handle = list_drivers},
          {.name = "list_claims",
           .group = "records",
           .effect = Effect::reads,
           .callers = readers_and_services,
           .summary = "What picks and drivers' claims hold until a host reports it.",
           .args = {optional("topic", text, "Only this topic's.", "compute"),
                    optional("host", text, "Only this host's.", "node1"),
                    optional("instance", text, "Only this consumer's."), page_limit, page_marker},
           .result = "[Claim]",
           .handle = list_claims}};
}

}  // namespace gantry::scheduling
