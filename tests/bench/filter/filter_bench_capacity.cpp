// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>

#include "filter_bench.hpp"
#include "filter_request.hpp"

namespace gantry::bench {

namespace {

// The requests of so many flavors, no two of one size.
std::vector<std::string> flavor_specs(std::size_t flavors, bool has_numa) {
  std::vector<std::string> specs;
  for (std::size_t at = 0; at < flavors; ++at) {
    AskedFor asked;
    asked.vcpus = 1 + static_cast<std::int64_t>(at % 16);
    asked.memory_mb = 512 * (1 + static_cast<std::int64_t>(at));
    asked.root_gb = 1 + static_cast<std::int64_t>(at % 40);
    if (has_numa) asked.numa_memory_mb = 1024 + 2 * static_cast<std::int64_t>(at);
    specs.push_back(request_spec(asked));
  }
  return specs;
}

void print_row(FilterSubject& subject, const std::string& name, const std::vector<std::string>& specs) {
  double all = 0;
  double worst = 0;
  std::uint64_t instances = 0;
  for (const auto& spec : specs) {
    subject.ask(spec);
    const auto counted = subject.count();
    all += counted.seconds;
    worst = std::max(worst, counted.seconds);
    instances += counted.instances;
  }
  const auto flavors = static_cast<double>(specs.size());
  std::printf("%-18s %8u %8zu %12.3f %10.3f %20.0f\n", name.c_str(), subject.rows(), specs.size(), all * 1e3 / flavors,
              worst * 1e3, static_cast<double>(instances) / flavors);
  std::fflush(stdout);
}

}  // namespace

void print_capacity(const RunDirectory& run, const std::vector<std::size_t>& sizes) {
  constexpr std::size_t flavors = 200;
  constexpr std::size_t numa_flavors = 5;
  std::printf("%-18s %8s %8s %12s %10s %20s\n", "filters", "hosts", "flavors", "ms a flavor", "worst ms",
              "instances a flavor");
  const std::vector<FilterPolicy> policies{gantry_defaults(), all_of_zed()};
  for (const auto hosts : sizes) {
    FilterSubject subject(run.path().string(), policies, {hosts, false});
    for (std::size_t policy = 0; policy < policies.size(); ++policy) {
      subject.use(policy);
      print_row(subject, policies[policy].name, flavor_specs(flavors, false));
    }
    FilterSubject with_cells(run.path().string(), {all_of_zed()}, {hosts, true});
    print_row(with_cells, "all, NUMA asked", flavor_specs(numa_flavors, true));
    print_row(with_cells, "the same again", flavor_specs(numa_flavors, true));
  }
}

}  // namespace gantry::bench
