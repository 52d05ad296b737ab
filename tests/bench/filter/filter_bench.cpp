// SPDX-License-Identifier: Apache-2.0
//
// What a decision of the filter driver costs: against Nova's own filter and weigh code on the same hosts and request,
// whose chosen order is compared as well; against reading the touched columns; with coupled constraints; for further
// instances; over the socket. Without arguments it is a Google Benchmark of the decision alone; --table prints the
// tables (--table NAME MOST: one of nova, scan, kept, counts, coupled, instances, capacity, recorded, service, isolated, with
// no more hosts than MOST).
#include "filter_bench.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "core/fleet/cells/cell_memory.hpp"
#include "filter_counts.hpp"
#include "filter_recorded.hpp"
#include "filter_request.hpp"
#include "filter_scan.hpp"

namespace gantry::bench {

namespace {

// The best of many runs of work(), which returns seconds; in microseconds. What others do on the machine disturbs the
// best run of both sides of a ratio least.
template <class Work>
double best_us(const Work& work) {
  using clock = std::chrono::steady_clock;
  const auto end = clock::now() + std::chrono::milliseconds(400);
  double least = work();
  for (int runs = 0; runs < 9 || clock::now() < end; ++runs) least = std::min(least, work());
  return least * 1e6;
}

template <class Work>
double seconds_of(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::vector<FilterPolicy> all_policies() {
  return {zed_defaults(), gantry_defaults(), all_of_zed()};
}

// A decision over one host: what does not grow with the fleet.
std::vector<double> fixed_costs(const RunDirectory& run, const std::vector<FilterPolicy>& policies) {
  FilterSubject one(run.path().string(), policies, {1, false});
  one.ask(request_spec({}));
  std::vector<double> costs;
  for (std::size_t policy = 0; policy < policies.size(); ++policy) {
    one.use(policy);
    costs.push_back(best_us([&] { return one.decide(); }));
  }
  return costs;
}

void print_nova(const RunDirectory& run, const std::vector<std::size_t>& sizes) {
  const std::vector<FilterPolicy> policies{zed_defaults(), all_of_zed()};
  const auto fixed = fixed_costs(run, policies);
  std::printf("%-16s %6s %8s %9s %7s %10s %7s %8s %7s %6s\n", "filters", "hosts", "Nova ms", "whole us", "times",
              "filter us", "times", "kept us", "times", "order");
  for (const auto hosts : sizes) {
    FilterSubject subject(run.path().string(), policies, {hosts, false});
    FilterSubject kept(run.path().string(), {keeping(policies[0]), keeping(policies[1])}, {hosts, false});
    subject.ask(request_spec({}));
    kept.ask(request_spec({}));
    for (std::size_t policy = 0; policy < policies.size(); ++policy) {
      subject.use(policy);
      kept.use(policy);
      const auto nova = ask_nova(run, policies[policy], hosts, hosts > 1000 ? 3 : 10);
      const double whole = best_us([&] { return subject.decide(); });
      const double alone = std::max(0.01, whole - fixed[policy]);
      const double warm = best_us([&] { return kept.decide(); });
      const bool is_same = subject.order() == nova.order && kept.order() == nova.order;
      const double us = nova.seconds * 1e6;
      std::printf("%-16s %6zu %8.1f %9.2f %7.0f %10.2f %7.0f %8.2f %7.0f %6s\n", policies[policy].name.c_str(), hosts,
                  nova.seconds * 1e3, whole, us / whole, alone, us / alone, warm, us / warm,
                  is_same ? "same" : "OTHER");
      std::fflush(stdout);
    }
  }
}

Scan scan_of(const FilterSubject& subject, const FilterPolicy& policy) {
  Scan scan;
  scan.rows = subject.rows();
  for (const auto& name : policy.columns_to_filter) scan.first.push_back(&subject.column(name));
  for (const auto& name : policy.columns_to_weigh) scan.second.push_back(&subject.column(name));
  scan.first.insert(scan.first.end(), scan.second.begin(), scan.second.end());
  return scan;
}

double memory_bytes_a_us() {
  const MemoryScan memory;
  return static_cast<double>(memory.bytes()) /
         best_us([&] { return seconds_of([&] { benchmark::DoNotOptimize(memory.run()); }); });
}

void print_scan(const RunDirectory& run, const std::vector<std::size_t>& sizes) {
  const auto policies = all_policies();
  const auto fixed = fixed_costs(run, policies);
  const auto bandwidth = memory_bytes_a_us();
  std::printf("memory: %.1f GB/s\n", bandwidth / 1e3);
  std::printf("%-18s %8s %10s %10s %10s %8s %8s %10s %8s\n", "filters", "hosts", "whole us", "filter us", "scan us",
              "GB/s", "ratio", "memory us", "ratio");
  for (const auto hosts : sizes) {
    FilterSubject subject(run.path().string(), policies, {hosts, false});
    subject.ask(request_spec({}));
    for (std::size_t policy = 0; policy < policies.size(); ++policy) {
      subject.use(policy);
      const auto scan = scan_of(subject, policies[policy]);
      const double whole = best_us([&] { return subject.decide(); });
      const double limit = best_us([&] { return seconds_of([&] { benchmark::DoNotOptimize(scan.run()); }); });
      const double alone = whole - fixed[policy];
      const auto bytes = static_cast<double>(scan.bytes());
      std::printf("%-18s %8zu %10.2f %10.2f %10.2f %8.1f %8.2f %10.2f %8.2f\n", policies[policy].name.c_str(), hosts,
                  whole, alone, limit, bytes / limit / 1e3, alone / limit, bytes / bandwidth,
                  alone * bandwidth / bytes);
      std::fflush(stdout);
    }
  }
}

// Requests of a kind that came before.
void print_kept(const RunDirectory& run, const std::vector<std::size_t>& sizes) {
  std::printf("%-18s %8s %12s %12s %12s\n", "filters", "hosts", "all hosts us", "no change us", "one host us");
  for (const auto hosts : sizes) {
    const std::vector<FilterPolicy> policies{zed_defaults(), keeping(zed_defaults())};
    FilterSubject subject(run.path().string(), policies, {hosts, false});
    subject.ask(request_spec({}));
    const double all = best_us([&] { return subject.decide(); });
    subject.use(1);
    const double nothing = best_us([&] { return subject.decide(); });
    std::size_t turn = 0;
    const double one = best_us([&] {
      ++turn;
      report_again(subject.fleet(), turn / 2 * 7919 % hosts, turn);
      subject.pin();
      return subject.decide();
    });
    std::printf("%-18s %8zu %12.2f %12.2f %12.2f\n", policies[0].name.c_str(), hosts, all, nothing, one);
    std::fflush(stdout);
  }
}

// What is counted in each decision, whether anybody asks or not.
void print_counts(const RunDirectory& run, const std::vector<std::size_t>& sizes) {
  const auto policies = all_policies();
  std::printf("%-18s %8s %10s %10s %8s\n", "filters", "hosts", "whole us", "counts us", "percent");
  for (const auto hosts : sizes) {
    FilterSubject subject(run.path().string(), policies, {hosts, false});
    subject.ask(request_spec({}));
    for (std::size_t policy = 0; policy < policies.size(); ++policy) {
      subject.use(policy);
      Counting counting(policies[policy].filters, static_cast<std::uint32_t>(hosts));
      const double whole = best_us([&] { return subject.decide(); });
      const double counts = best_us([&] { return counting.run(); });
      std::printf("%-18s %8zu %10.2f %10.2f %8.1f\n", policies[policy].name.c_str(), hosts, whole, counts,
                  100 * counts / whole);
      std::fflush(stdout);
    }
  }
}

void print_coupled(const RunDirectory& run, const std::vector<std::size_t>& sizes) {
  std::printf("%-36s %8s %10s %8s\n", "all of Zed's filters", "hosts", "whole us", "times");
  for (const auto hosts : sizes) {
    FilterSubject subject(run.path().string(), {all_of_zed()}, {hosts, true});
    const auto members = place_group(subject.fleet(), hosts, 16);
    subject.pin();
    const auto cost = [&](const AskedFor& asked) {
      subject.ask(request_spec(asked));
      return best_us([&] { return subject.decide(); });
    };
    const double plain = cost({});
    const auto print = [&](const char* what, double us) {
      std::printf("%-36s %8zu %10.2f %8.2f\n", what, hosts, us, us / plain);
      std::fflush(stdout);
    };
    print("the plain request", plain);
    print("anti-affinity with 16 others", cost({1, members}));
    print("NUMA, two cells, pinned, 2 MiB", cost({1, {}, 2048}));
    std::int64_t memory_mb = 2048;
    const auto ask_anew = [&] {
      memory_mb += 2;
      subject.ask(request_spec({1, {}, memory_mb}));
      return subject.decide();
    };
    print("the same, each time of another size", best_us(ask_anew));
  }
}

void print_instances(const RunDirectory& run, const std::vector<std::size_t>& sizes) {
  const auto policies = all_policies();
  constexpr std::uint32_t more = 10;
  std::printf("%-18s %8s %10s %12s %8s\n", "filters", "hosts", "first us", "each next us", "times");
  for (const auto hosts : sizes) {
    FilterSubject subject(run.path().string(), policies, {hosts, false});
    for (std::size_t policy = 0; policy < policies.size(); ++policy) {
      subject.use(policy);
      subject.ask(request_spec({}));
      const double one = best_us([&] { return subject.decide(); });
      subject.ask(request_spec({1 + more}));
      const double next = (best_us([&] { return subject.decide(); }) - one) / more;
      std::printf("%-18s %8zu %10.2f %12.2f %8.2f\n", policies[policy].name.c_str(), hosts, one, next, next / one);
      std::fflush(stdout);
    }
  }
}

template <class Work>
double median_us(const Work& work) {
  std::vector<double> all(2001);
  std::generate(all.begin(), all.end(), work);
  std::nth_element(all.begin(), all.begin() + 1000, all.end());
  return all[1000] * 1e6;
}

// The same driver in this process and in one of its own.
void print_isolated(const RunDirectory& run, const std::vector<std::size_t>& sizes) {
  if (const auto shared = fleet::share_cells(); !shared) {
    std::printf("%s\n", shared.error().message.c_str());
    return;
  }
  std::printf("%-22s %8s %10s %12s %8s %14s\n", "filters", "hosts", "here us", "isolated us", "more us",
              "from sleep us");
  for (const auto hosts : sizes) {
    for (const auto& policy : {zed_defaults(), keeping(zed_defaults())}) {
      auto isolated = policy;
      isolated.is_isolated = true;
      FilterSubject subject(run.path().string(), {policy, isolated}, {hosts, false});
      subject.ask(request_spec({}));
      const double here = median_us([&] { return subject.decide(); });
      subject.use(1);
      const double there = median_us([&] { return subject.decide(); });
      const double asleep = median_us([&] {
        std::this_thread::sleep_for(std::chrono::microseconds(300));
        return subject.decide();
      });
      std::printf("%-22s %8zu %10.2f %12.2f %8.2f %14.2f\n",
                  (policy.name + (policy.keeps_classes ? ", kept" : "")).c_str(), hosts, here, there, there - here,
                  asleep - here);
      std::fflush(stdout);
    }
  }
}

struct Table {
  const char* name;
  const char* title;
  void (*print)(const RunDirectory&, const std::vector<std::size_t>& sizes);
  std::vector<std::size_t> sizes;
};

const std::vector<Table>& tables() {
  static const std::vector<Table> all = {
      {"nova",
       "Nova's own filters and weighers (processor time) and the driver, whole and less its fixed cost; best runs",
       print_nova,
       {1'000, 10'000}},
      {"scan",
       "The driver against two passes over the columns that it touches: where they lie, and at memory's bandwidth; "
       "best runs",
       print_scan,
       {1'000, 10'000, 100'000, 1'000'000}},
      {"kept",
       "A request like one before: nothing has changed since, or one host; best runs",
       print_kept,
       {1'000, 10'000, 100'000, 1'000'000}},
      {"counts",
       "How many hosts each filter let in and out, counted in each decision: at most, as if each of them were asked",
       print_counts,
       {1'000, 10'000, 100'000}},
      {"coupled", "Requests that hosts answer differently; best runs", print_coupled, {1'000, 10'000}},
      {"instances", "Further instances of one request; best runs", print_instances, {1'000, 10'000}},
      {"capacity", "How many more instances of a flavor fit; one run", print_capacity, {1'000, 10'000}},
      {"recorded",
       "A request with and without a record of its decision, medians in turns; all threads' processor time; a decision "
       "made again to say why not that host",
       print_recorded,
       {1'000, 10'000}},
      {"service", "gantryd over its unix socket, all hosts considered", print_service, {1'000, 10'000}},
      // The last: from then on the cells of views lie elsewhere.
      {"isolated", "The driver in a process of its own; medians", print_isolated, {1'000, 10'000, 100'000}},
  };
  return all;
}

int print_tables(const char* only, std::size_t most) {
  std::printf("%u processors; %s\n", std::thread::hardware_concurrency(), GANTRY_BUILD);
  const RunDirectory run;
  for (const auto& table : tables()) {
    if (only != nullptr && std::strcmp(only, table.name) != 0) continue;
    auto sizes = table.sizes;
    sizes.erase(std::remove_if(sizes.begin(), sizes.end(), [most](std::size_t size) { return size > most; }),
                sizes.end());
    std::printf("\n%s\n", table.title);
    table.print(run, sizes);
  }
  return 0;
}

void decide(benchmark::State& state, const RunDirectory& run, const FilterPolicy& policy, const AskedFor& asked) {
  FilterSubject subject(run.path().string(), {policy},
                        {static_cast<std::size_t>(state.range(0)), asked.numa_memory_mb != 0});
  subject.ask(request_spec(asked));
  for (auto _ : state) state.SetIterationTime(subject.decide());
}

// Each request asks for cells of another size than all before.
void decide_new_cells(benchmark::State& state, const RunDirectory& run) {
  FilterSubject subject(run.path().string(), {all_of_zed()}, {static_cast<std::size_t>(state.range(0)), true});
  std::int64_t memory_mb = 2048;
  for (auto _ : state) {
    subject.ask(request_spec({1, {}, memory_mb += 2}));
    state.SetIterationTime(subject.decide());
  }
}

int run_benchmarks(int argc, char** argv) {
  const RunDirectory run;
  for (const auto& policy : all_policies()) {
    auto* const plain =
        benchmark::RegisterBenchmark(("decide/" + policy.name).c_str(), decide, std::cref(run), policy, AskedFor{});
    plain->UseManualTime()->Arg(1)->Arg(1'000)->Arg(10'000)->Arg(100'000);
    benchmark::RegisterBenchmark(("decide_kept/" + policy.name).c_str(), decide, std::cref(run), keeping(policy),
                                 AskedFor{})
        ->UseManualTime()
        ->Arg(1'000)
        ->Arg(10'000)
        ->Arg(100'000)
        ->Arg(1'000'000);
  }
  benchmark::RegisterBenchmark("decide/NUMA", decide, std::cref(run), all_of_zed(), AskedFor{1, {}, 2048})
      ->UseManualTime()
      ->Arg(10'000);
  benchmark::RegisterBenchmark("decide/NUMA, new cells", decide_new_cells, std::cref(run))
      ->UseManualTime()
      ->Arg(10'000);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace

}  // namespace gantry::bench

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "--table") == 0)
    return gantry::bench::print_tables(argc > 2 ? argv[2] : nullptr,
                                       argc > 3 ? std::strtoul(argv[3], nullptr, 10) : SIZE_MAX);
  return gantry::bench::run_benchmarks(argc, argv);
}
