// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "core/drivers/driver_set.hpp"
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/metrics/host_counts.hpp"
#include "core/scheduling/request/args.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

using Reading = telemetry::Histogram::Reading;

constexpr std::int64_t most_busiest = 100;

// To a tenth.
double microseconds_of(std::chrono::nanoseconds time) {
  return std::round(static_cast<double>(time.count()) / 100.0) / 10.0;
}

json::object times_json(const Reading& reading) {
  constexpr double half = 0.5;
  constexpr double nearly_all = 0.99;
  return {{"count", reading.count()},
          {"last", microseconds_of(reading.last)},
          {"mean", microseconds_of(reading.mean())},
          {"max", microseconds_of(reading.longest)},
          {"p50", microseconds_of(reading.quantile(half))},
          {"p99", microseconds_of(reading.quantile(nearly_all))}};
}

// The most first.
json::array counts_json(NamedCounts counts) {
  std::ranges::stable_sort(counts, std::greater(), &NamedCounts::value_type::second);
  json::array result;
  for (const auto& [step, count] : counts) {
    if (count != 0) result.push_back(json::object{{"step", step}, {"count", count}});
  }
  return result;
}

std::uint64_t counter(const Statistics& statistics, const std::string& name, const std::string& label = {}) {
  const auto found = statistics.counters.find({name, label});
  return found == statistics.counters.end() ? 0 : found->second;
}

json::object outcomes_json(const std::array<std::uint64_t, decision_outcomes.size()>& outcomes) {
  json::object result;
  for (std::size_t i = 0; i < outcomes.size(); ++i) result[decision_outcomes[i]] = outcomes[i];
  return result;
}

json::object driver_stats_json(const DriverStatistics& driver, const drivers::Turns& turns, const Statistics& all) {
  return {{"driver", driver.id},
          {"decisions", outcomes_json(driver.outcomes)},
          {"calls", driver.calls},
          {"failures", driver.failures},
          {"overruns", driver.overruns},
          {"misuses", counter(all, "misuses", driver.id)},
          {"claims_lost", counter(all, "claims_lost", driver.id)},
          {"calls_inside", turns.calls_inside()},
          {"calls_waiting", turns.calls_waiting()},
          {"decision", times_json(driver.decisions)},
          {"turn", times_json(driver.turn)},
          {"inside", times_json(driver.inside)},
          {"others", times_json(driver.others)},
          {"refusals", counts_json(driver.refusals)},
          {"rejected_hosts", counts_json(driver.rejected)}};
}

json::array methods_json(const std::vector<MethodStatistics>& methods) {
  json::array result;
  for (const auto& method : methods) {
    if (method.duration.count() == 0) continue;
    json::object errors;
    for (std::size_t place = 1; place < method.answers.size(); ++place) {
      if (method.answers[place] != 0) errors[name_of(static_cast<ErrorCode>(place - 1))] = method.answers[place];
    }
    result.push_back(json::object{{"method", method.name},
                                  {"calls", method.duration.count()},
                                  {"errors", std::move(errors)},
                                  {"times", times_json(method.duration)}});
  }
  return result;
}

json::object store_json(const Statistics& statistics, store::Store& store) {
  const auto* times = store.times();
  const auto waiting = times == nullptr ? 0 : times->waiting.load(std::memory_order_relaxed);
  return {{"commits", counter(statistics, "store_transactions")},
          {"batches", counter(statistics, "store_batches")},
          {"failed_batches", counter(statistics, "store_failed_batches")},
          {"waiting", waiting},
          {"queue", times_json(statistics.store_queue)},
          {"commit", times_json(statistics.store_commit)}};
}

json::object casts_json(const CastQueue& casts) {
  constexpr std::int64_t nanoseconds_of_second = 1'000'000'000;
  const auto oldest = casts.oldest();
  const auto age = oldest == 0 ? 0 : std::max<std::int64_t>(0, now_nanoseconds() - oldest);
  return {{"waiting", casts.size()}, {"oldest_age", age / nanoseconds_of_second}};
}

json::object hosts_json(const fleet::Moment& moment) {
  const auto* const compute = moment.view("compute");
  const auto counts = compute == nullptr ? HostCounts() : count_hosts(moment, *compute);
  return {{"up", counts.up}, {"down", counts.down}, {"disabled", counts.disabled}, {"forced_down", counts.forced_down}};
}

json::array busiest_json(const fleet::Moment& moment, std::size_t most) {
  json::array result;
  const auto* const compute = moment.view("compute");
  if (compute == nullptr || most == 0) return result;
  const auto share = [](double value) { return std::round(value * 1000.0) / 1000.0; };
  for (const auto& host : fullest_hosts(moment, *compute, most)) {
    result.push_back(json::object{{"host", host.host},
                                  {"node", host.node},
                                  {"vcpus", share(host.vcpus)},
                                  {"memory", share(host.memory)},
                                  {"disk", share(host.disk)},
                                  {"instances", host.instances}});
  }
  return result;
}

json::array texts_of(const std::vector<std::string>& texts) {
  return json::array(texts.begin(), texts.end());
}

json::object stats_json(const State& state, const Statistics& statistics, std::size_t busiest) {
  std::array<std::uint64_t, decision_outcomes.size()> outcomes{};
  json::array drivers;
  auto measured = state.instruments->drivers().begin();
  for (const auto& driver : statistics.drivers) {
    for (std::size_t i = 0; i < outcomes.size(); ++i) outcomes[i] += driver.outcomes[i];
    drivers.push_back(driver_stats_json(driver, (measured++)->driver.turns(), statistics));
  }
  const auto moment = state.parts.fleet.pin(steady_nanoseconds());
  return {{"since", time_json(statistics.since)},
          {"now", time_json(now_nanoseconds())},
          {"started_at", time_json(state.started_at)},
          {"decisions", outcomes_json(outcomes)},
          {"drivers", std::move(drivers)},
          {"methods", methods_json(statistics.methods)},
          {"pin", times_json(statistics.pin)},
          {"commit_wait", times_json(statistics.commit_wait)},
          {"store", store_json(statistics, state.parts.store)},
          {"casts", casts_json(state.casts)},
          {"claims", state.parts.fleet.claim_count()},
          {"hosts", hosts_json(moment)},
          {"busiest", busiest_json(moment, busiest)},
          {"unready_reasons", texts_of(state.health.unready_reasons(state))},
          {"warnings", texts_of(state.health.warnings(state))},
          {"calls_under_way", state.instruments->calls_under_way.load(std::memory_order_relaxed)}};
}

bool wants_reset(const MethodCall& call) {
  const auto wish = optional_bool(call.args, "reset", false);
  return wish && *wish;
}

Outcome stats(State& state, const MethodCall& call) {
  const auto busiest = optional_integer(call.args, "busiest", 0, 0, most_busiest);
  if (!busiest) return failed(busiest.error());
  if (!wants_reset(call)) {
    Outcome outcome;
    outcome.reply = json::value(stats_json(state, state.statistics.read(state), static_cast<std::size_t>(*busiest)));
    return outcome;
  }
  if (call.caller && call.caller->role != Role::admin)
    return failed({ErrorCode::permission_denied,
                   "stats: expected the role admin for reset: true, found " + std::string(name_of(call.caller->role)),
                   {}});
  Outcome outcome;
  outcome.reply = json::value(stats_json(state, state.statistics.read(state), static_cast<std::size_t>(*busiest)));
  state.statistics.begin_anew(state);
  outcome.line = telemetry::Line{telemetry::Level::info,
                                 "audit",
                                 {{"who", call.peer},
                                  {"method", call.method},
                                  {"object", "statistics"},
                                  {"changes", "counted anew"},
                                  {"request_id", call.request_id}}};
  outcome.events.push_back({.type = "stats.reset", .topic = {}, .host = {}, .instance = {}});
  return outcome;
}

}  // namespace

std::vector<Method> stats_methods() {
  return {{.name = "stats",
           .group = "records",
           .effect = Effect::reads,
           .callers = readers_and_services,
           .summary = "What was done since the start or the last reset: calls, decisions, refusals, times.",
           .args = {optional("busiest", ArgumentType::integer, "So many of the fullest hosts of topic compute.", "3")
                        .between(0, most_busiest)
                        .otherwise("0"),
                    optional("reset", ArgumentType::truth,
                             "Counts anew from now on, for everybody; only an admin may. Metrics go on.")
                        .otherwise("false")},
           .result = "Stats",
           .handle = stats}};
}

}  // namespace gantry::scheduling
