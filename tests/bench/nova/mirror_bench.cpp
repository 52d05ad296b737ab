// SPDX-License-Identifier: Apache-2.0
//
// The cost of placement's candidates from memory: a question over hosts without and with providers under them, a
// change, and loading.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "core/nova/mirror/candidate_search.hpp"

namespace gantry::nova::bench {
namespace {

constexpr std::int64_t vcpu = 1;
constexpr std::int64_t memory_mb = 2;
constexpr std::int64_t disk_gb = 3;
constexpr std::int64_t virtual_function = 4;
constexpr std::int64_t traits = 60;
constexpr std::int64_t shares = traits + 1;
constexpr std::int64_t aggregates = 100;

constexpr std::string_view plain_query =
    "limit=1000&required=%21TRAIT_1&resources=DISK_GB%3A10%2CMEMORY_MB%3A512%2CVCPU%3A2&root_required=%21TRAIT_1";
constexpr std::string_view port_query =
    "group_policy=none&limit=1000&required=%21TRAIT_1&resources=DISK_GB%3A10%2CMEMORY_MB%3A512%2CVCPU%3A2"
    "&resources_a=SRIOV_NET_VF%3A1&resources_b=SRIOV_NET_VF%3A1&root_required=%21TRAIT_1";

std::string uuid_of(std::int64_t number) {
  auto digits = std::to_string(number);
  return "00000000-0000-4000-8000-" + std::string(12 - digits.size(), '0') + digits;
}

ProviderFact provider(std::int64_t id, std::int64_t root) {
  ProviderFact fact;
  fact.id = id;
  fact.uuid = uuid_of(id);
  fact.root = root;
  if (root != id) fact.parent = root;
  return fact;
}

InventoryFact inventory(std::int64_t resource_class, std::int64_t total, double ratio) {
  return {resource_class, total, 0, ratio, ratio, 1, total, 1, total / 4};
}

enum class Fleet {
  alone,        // each host is one provider
  nested,       // each host has two providers of network functions under it
  shared_disk,  // the hosts of an aggregate share one provider of disk, and have none
};

// The provider of the disk of an aggregate.
ProviderFact shared_disk(std::int64_t id, std::int64_t aggregate) {
  auto fact = provider(id, id);
  fact.inventories = {inventory(disk_gb, 2'000'000, 1.0)};
  fact.traits = {shares};
  fact.aggregates = {aggregate};
  return fact;
}

// Each host has the traits and one aggregate of a usual compute node.
ProviderChanges hosts(std::int64_t count, Fleet kind) {
  ProviderChanges changes;
  changes.resource_classes =
      NameFacts{{vcpu, "VCPU"}, {memory_mb, "MEMORY_MB"}, {disk_gb, "DISK_GB"}, {virtual_function, "SRIOV_NET_VF"}};
  changes.traits.emplace();
  for (std::int64_t trait = 1; trait <= traits; ++trait)
    changes.traits->emplace_back(trait, "TRAIT_" + std::to_string(trait));
  changes.traits->emplace_back(shares, "MISC_SHARES_VIA_AGGREGATE");
  for (std::int64_t host = 0; host < count; ++host) {
    const auto id = 1 + 3 * host;
    auto root = provider(id, id);
    root.inventories = {inventory(vcpu, 64, 4.0), inventory(memory_mb, 262'144, 1.0)};
    if (kind != Fleet::shared_disk) root.inventories.push_back(inventory(disk_gb, 2'000, 1.0));
    for (std::int64_t trait = 2; trait <= traits; ++trait) root.traits.push_back(trait);
    if (host % 50 == 0) root.traits.push_back(1);
    root.aggregates = {1 + host % aggregates};
    changes.providers.push_back(std::move(root));
    for (std::int64_t child = 1; kind == Fleet::nested && child <= 2; ++child) {
      changes.providers.push_back(provider(id + child, id));
      changes.providers.back().inventories = {inventory(virtual_function, 8, 1.0)};
    }
  }
  for (std::int64_t aggregate = 1; kind == Fleet::shared_disk && aggregate <= aggregates; ++aggregate)
    changes.providers.push_back(shared_disk(3 * count + aggregate, aggregate));
  return changes;
}

ProviderState& state_of(std::int64_t count, Fleet kind) {
  static std::unique_ptr<ProviderState> state;
  static std::pair<std::int64_t, Fleet> kept;
  if (state == nullptr || kept != std::pair(count, kind)) {
    state = std::make_unique<ProviderState>();
    kept = {count, kind};
    if (!state->apply(hosts(count, kind))) std::abort();
  }
  return *state;
}

void answer(benchmark::State& state, std::string_view query, Fleet kind) {
  const auto& providers = state_of(state.range(0), kind);
  std::size_t requests = 0;
  for (auto _ : state) {
    const auto found = find_candidates(providers, query);
    if (found.kind != MirrorAnswer::Kind::answered) state.SkipWithError(found.reason.c_str());
    requests = found.candidates.request_count();
  }
  state.counters["requests"] = static_cast<double>(requests);
}

void plain_question(benchmark::State& state) {
  answer(state, plain_query, Fleet::alone);
}
BENCHMARK(plain_question)->Arg(1'000)->Arg(10'000)->Unit(benchmark::kMicrosecond);

void plain_question_over_trees(benchmark::State& state) {
  answer(state, plain_query, Fleet::nested);
}
BENCHMARK(plain_question_over_trees)->Arg(1'000)->Arg(10'000)->Unit(benchmark::kMicrosecond);

void plain_question_with_shared_disk(benchmark::State& state) {
  answer(state, plain_query, Fleet::shared_disk);
}
BENCHMARK(plain_question_with_shared_disk)->Arg(1'000)->Arg(10'000)->Unit(benchmark::kMicrosecond);

void question_with_two_ports(benchmark::State& state) {
  answer(state, port_query, Fleet::nested);
}
BENCHMARK(question_with_two_ports)->Arg(1'000)->Arg(10'000)->Unit(benchmark::kMicrosecond);

void write_a_request(benchmark::State& state) {
  const auto found = find_candidates(state_of(state.range(0), Fleet::alone), plain_query);
  const auto uuid = uuid_of(4);
  for (auto _ : state) benchmark::DoNotOptimize(found.candidates.request_of(uuid));
}
BENCHMARK(write_a_request)->Arg(10'000);

void put_a_changed_host(benchmark::State& state) {
  auto& providers = state_of(state.range(0), Fleet::alone);
  const auto fact = providers.provider(0);
  for (auto _ : state) {
    ProviderChanges changes;
    changes.providers.push_back(fact);
    if (!providers.apply(std::move(changes))) std::abort();
  }
}
BENCHMARK(put_a_changed_host)->Arg(10'000)->Unit(benchmark::kMicrosecond);

void load_hosts(benchmark::State& state) {
  const auto changes = hosts(state.range(0), Fleet::alone);
  for (auto _ : state) {
    ProviderState providers;
    if (!providers.apply(changes)) std::abort();
  }
}
BENCHMARK(load_hosts)->Arg(10'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gantry::nova::bench

BENCHMARK_MAIN();
