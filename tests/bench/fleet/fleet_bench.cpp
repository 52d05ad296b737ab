// SPDX-License-Identifier: Apache-2.0
//
// What the fleet costs: memory, pinning, an update, a claim, loading.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <limits>
#include <memory>

#include "core/encoding/uuid.hpp"
#include "fleet_load.hpp"

namespace gantry::fleet::bench {
namespace {

// One fleet at a time, made when a size is first asked for.
Fleet& fleet_of(std::size_t hosts) {
  static std::unique_ptr<Fleet> fleet;
  static std::size_t size = 0;
  if (size != hosts) {
    fleet = std::make_unique<Fleet>(FleetSettings{});
    load(*fleet, {hosts, 10});
    size = hosts;
    fleet->pin(noon);
  }
  return *fleet;
}

std::size_t hosts_of(const benchmark::State& state) {
  return static_cast<std::size_t>(state.range(0));
}

// First, so that what it measures is the fleet's: two copies of everything beside the facts themselves.
void memory_of_a_host(benchmark::State& state) {
  const auto before = resident_bytes();
  double taken = 0;
  for (auto _ : state) {
    Fleet fleet({});
    load(fleet, {hosts_of(state), 10});
    const auto first = fleet.pin(noon);
    Service touched = *fleet.service("compute", host_name(0));
    touched.last_seen_up += second;
    fleet.put_service(touched);
    const auto other = fleet.pin(noon);
    malloc_trim(0);
    taken = static_cast<double>(resident_bytes() - before);
  }
  malloc_trim(0);
  state.counters["bytes_per_host"] = taken / static_cast<double>(state.range(0));
  state.counters["MiB"] = taken / (1024.0 * 1024.0);
}
BENCHMARK(memory_of_a_host)->Arg(100'000)->Iterations(1)->Unit(benchmark::kMillisecond);

void load_hosts(benchmark::State& state) {
  for (auto _ : state) {
    Fleet fleet({});
    load(fleet, {hosts_of(state), 10});
    benchmark::DoNotOptimize(fleet.pin(noon).view("compute")->rows);
  }
}
BENCHMARK(load_hosts)->Arg(10'000)->Unit(benchmark::kMillisecond);

void pin_without_a_change(benchmark::State& state) {
  auto& fleet = fleet_of(hosts_of(state));
  for (auto _ : state) benchmark::DoNotOptimize(fleet.pin(noon));
}
BENCHMARK(pin_without_a_change)->Arg(10'000)->Arg(100'000);

void heartbeat(benchmark::State& state) {
  auto& fleet = fleet_of(hosts_of(state));
  std::size_t at = 0;
  auto service = *fleet.service("compute", host_name(0));
  for (auto _ : state) {
    service.host = host_name(at++ % hosts_of(state));
    service.last_seen_up = noon + second + static_cast<Nanoseconds>(at);
    fleet.put_service(service);
  }
}
BENCHMARK(heartbeat)->Arg(100'000);

void pin_after_a_heartbeat(benchmark::State& state) {
  auto& fleet = fleet_of(hosts_of(state));
  auto service = *fleet.service("compute", host_name(1));
  for (auto _ : state) {
    ++service.last_seen_up;
    fleet.put_service(service);
    benchmark::DoNotOptimize(fleet.pin(noon));
  }
}
BENCHMARK(pin_after_a_heartbeat)->Arg(100'000);

void pin_after_a_heartbeat_beside_another_pin(benchmark::State& state) {
  auto& fleet = fleet_of(hosts_of(state));
  auto service = *fleet.service("compute", host_name(1));
  Moment held = fleet.pin(noon);
  for (auto _ : state) {
    ++service.last_seen_up;
    fleet.put_service(service);
    held = fleet.pin(noon);
  }
}
BENCHMARK(pin_after_a_heartbeat_beside_another_pin)->Arg(100'000);

void report_with_six_changes(benchmark::State& state) {
  auto& fleet = fleet_of(hosts_of(state));
  ComputeNode report;
  report.topic = "compute";
  std::int64_t at = 0;
  for (auto _ : state) {
    ++at;
    report.host = report.node = host_name(static_cast<std::size_t>(at) % hosts_of(state));
    report.stats = {{"vcpus_used", at % 64},
                    {"memory_mb_used", at % 4096},
                    {"free_ram_mb", 524288 - at % 4096},
                    {"disk_available_least", at % 3},
                    {"running_vms", at % 30}};
    report.updated_at = noon + at;
    ComputeNode merged;
    ClaimChanges changes;
    fleet.put_compute_node(report, merged, changes);
    changes.commit();
  }
}
BENCHMARK(report_with_six_changes)->Arg(100'000);

void claim_and_release(benchmark::State& state) {
  auto& fleet = fleet_of(hosts_of(state));
  const auto consumer = to_text(random_uuid());
  std::uint32_t at = 0;
  const auto moment = fleet.pin(noon);
  const auto& view = *moment.view("compute");
  for (auto _ : state) {
    Claim claim;
    claim.consumer = consumer;
    claim.items = {{"vcpu", 2, 256}, {"memory_mb", 4096, 1e9}, {"disk_gb", 20, 1e9}, {"instances", 1}};
    claim.created_at = noon;
    const auto ticket = fleet.claim(moment, view, ++at % view.rows, std::move(claim));
    if (!ticket) state.SkipWithError("lost");
  }
}
BENCHMARK(claim_and_release)->Arg(100'000);

void pin_claim_and_release(benchmark::State& state) {
  auto& fleet = fleet_of(hosts_of(state));
  const auto consumer = to_text(random_uuid());
  std::uint32_t at = 0;
  for (auto _ : state) {
    const auto moment = fleet.pin(noon);
    const auto& view = *moment.view("compute");
    Claim claim;
    claim.consumer = consumer;
    claim.items = {{"vcpu", 2, 256}, {"memory_mb", 4096, 1e9}, {"disk_gb", 20, 1e9}, {"instances", 1}};
    claim.created_at = noon;
    const auto ticket = fleet.claim(moment, view, ++at % view.rows, std::move(claim));
    if (!ticket) state.SkipWithError("lost");
  }
}
BENCHMARK(pin_claim_and_release)->Arg(100'000);

// The second argument: 1 with a history, 0 without. The difference is the cost of the history.
void pin_claim_and_release_with_a_history(benchmark::State& state) {
  Fleet fleet({});
  load(fleet, {hosts_of(state), 10});
  if (state.range(1) != 0) fleet.keep_history(std::size_t{64} << 20);
  const auto consumer = to_text(random_uuid());
  std::uint32_t at = 0;
  fleet.pin(noon);
  fleet.take_history();
  std::size_t bytes = 0;
  std::size_t moments = 0;
  for (auto _ : state) {
    const auto moment = fleet.pin(noon);
    const auto& view = *moment.view("compute");
    Claim claim;
    claim.consumer = consumer;
    claim.items = {{"vcpu", 2, 256}, {"memory_mb", 4096, 1e9}, {"disk_gb", 20, 1e9}, {"instances", 1}};
    claim.created_at = noon;
    const auto ticket = fleet.claim(moment, view, ++at % view.rows, std::move(claim));
    if (!ticket) state.SkipWithError("lost");
    if (at % 1024 != 0) continue;
    bytes += fleet.take_history().bytes.size();
    moments += 1024;
  }
  if (moments != 0) state.counters["bytes_per_moment"] = static_cast<double>(bytes) / static_cast<double>(moments);
}
BENCHMARK(pin_claim_and_release_with_a_history)->Args({10'000, 0})->Args({10'000, 1});

void recall_a_moment(benchmark::State& state) {
  Fleet fleet({});
  load(fleet, {hosts_of(state), 10});
  fleet.keep_history(std::size_t{1} << 30);
  const auto moment = fleet.pin(noon);
  const auto chunk = fleet.take_history();
  for (auto _ : state) {
    RecalledFleet recalled;
    if (!recalled.apply(chunk, moment.number())) state.SkipWithError("damaged");
    benchmark::DoNotOptimize(recalled.moment().view("compute")->rows);
  }
  state.counters["bytes_per_host"] = static_cast<double>(chunk.bytes.size()) / static_cast<double>(state.range(0));
}
BENCHMARK(recall_a_moment)->Arg(10'000)->Unit(benchmark::kMillisecond);

void write_a_whole_moment(benchmark::State& state) {
  Fleet fleet({});
  load(fleet, {hosts_of(state), 10});
  fleet.keep_history(std::size_t{1} << 30);
  const auto moment = fleet.pin(noon);
  for (auto _ : state) benchmark::DoNotOptimize(whole_facts(moment).bytes.size());
}
BENCHMARK(write_a_whole_moment)->Arg(10'000)->Unit(benchmark::kMillisecond);

void locate_an_instance(benchmark::State& state) {
  auto& fleet = fleet_of(hosts_of(state));
  const auto moment = fleet.pin(noon);
  std::size_t at = 0;
  for (auto _ : state) {
    at = (at + 7919) % (hosts_of(state) * 10);
    benchmark::DoNotOptimize(moment.locate(*parse_uuid(uuid_text(at))));
  }
}
BENCHMARK(locate_an_instance)->Arg(100'000);

}  // namespace
}  // namespace gantry::fleet::bench

BENCHMARK_MAIN();
