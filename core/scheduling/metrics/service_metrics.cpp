// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/metrics/service_metrics.hpp"

#include "core/scheduling/metrics/call_metrics.hpp"
#include "core/scheduling/metrics/decision_metrics.hpp"
#include "core/scheduling/metrics/fleet_metrics.hpp"
#include "core/scheduling/metrics/nova_metrics.hpp"
#include "core/telemetry/metrics/counter_metrics.hpp"
#include "core/telemetry/metrics/process_metrics.hpp"
#include "gantry/driver.h"

namespace gantry::scheduling {

namespace {

using telemetry::MetricText;
using telemetry::MetricType;

constexpr double nanoseconds_of_second = 1e9;

std::vector<std::pair<std::string, std::string>> always_told(const drivers::DriverSet& drivers) {
  std::vector<std::pair<std::string, std::string>> always{
      {"decision_records", "kept"}, {"decision_records", "lost"}, {"reloads", "applied"},
      {"reloads", "failed"},        {"reloads", "refused"},       {"reloads", "unchanged"},
      {"store_batches", ""},        {"store_failed_batches", ""}, {"store_transactions", ""}};
  for (const auto* driver : drivers.all()) {
    always.emplace_back("claims_lost", driver->manifest().id);
    always.emplace_back("misuses", driver->manifest().id);
  }
  return always;
}

void write_build(const State& state, MetricText& into) {
  into.family("gantry_build_info", MetricType::gauge, "The version of gantryd and the driver ABI it offers; always 1.")
      .add({{"version", GANTRY_VERSION}, {"abi", GANTRY_ABI_TEXT}}, std::uint64_t{1});
  into.family("gantry_start_time_seconds", MetricType::gauge, "When gantryd started, in seconds since 1970.")
      .add({}, static_cast<double>(state.started_at) / nanoseconds_of_second);
  into.family("gantry_uptime_seconds", MetricType::gauge, "How long gantryd has run.")
      .add({}, static_cast<double>(steady_nanoseconds() - state.steady_started_at) / nanoseconds_of_second);
}

void write_health(const State& state, MetricText& into) {
  const auto reasons = state.health.unready_reasons(state);
  into.family("gantry_ready", MetricType::gauge, "1: gantryd can serve, as /readyz says. 0: it cannot.")
      .add({}, std::uint64_t{reasons.empty() ? 1U : 0U});
  into.family("gantry_unready_reasons", MetricType::gauge, "How many reasons gantry status gives why it cannot serve.")
      .add({}, std::uint64_t{reasons.size()});
  into.family("gantry_warnings", MetricType::gauge, "How many warnings gantry status shows.")
      .add({}, std::uint64_t{state.health.warnings(state).size()});
}

void write_store(State& state, MetricText& into) {
  into.family("gantry_store_fault", MetricType::gauge, "1: the store cannot keep changes, so that they are refused.")
      .add({}, std::uint64_t{state.parts.store.fault() ? 1U : 0U});
  const auto* times = state.parts.store.times();
  if (times == nullptr) return;
  into.family("gantry_store_queue_seconds", MetricType::histogram,
              "How long a change waits until its transaction begins; of each transaction the first.")
      .add({}, times->queue.read());
  into.family("gantry_store_commit_seconds", MetricType::histogram, "How long a transaction of the store takes.")
      .add({}, times->commit.read());
  into.family("gantry_store_waiting_batches", MetricType::gauge, "Changes that wait for a transaction.")
      .add({}, times->waiting.load(std::memory_order_relaxed));
  into.family("gantry_store_waiting_bytes", MetricType::gauge, "Size of the changes that wait for a transaction.")
      .add({}, times->waiting_bytes.load(std::memory_order_relaxed));
}

}  // namespace

void add_service_metrics(telemetry::MetricRegistry& registry, State& state) {
  registry.add([&state](MetricText& into) {
    telemetry::write_counters(*state.parts.counters, always_told(state.parts.drivers), into);
    telemetry::write_process(into);
    write_build(state, into);
    write_health(state, into);
    write_store(state, into);
    write_decisions(state, into);
    write_calls(state, into);
    write_fleet(state, into);
    if (state.parts.authority != nullptr) write_nova(state.parts.authority->status(), into);
  });
}

}  // namespace gantry::scheduling
