// SPDX-License-Identifier: Apache-2.0
#include "numa/usage.hpp"

#include <algorithm>
#include <cmath>

namespace filter_driver {
namespace {

constexpr double most_pages = 9e18;  // an int64 holds each whole number up to it

std::string in_cell(const host_cell& cell) {
  return " of the host's cell " + std::to_string(cell.id);
}

std::optional<raised> count_pages(host_cell& cell, const instance_cell& instance, std::int64_t sign) {
  std::int64_t size_kb = instance.pagesize.value_or(0);
  if (size_kb == 0) {
    if (cell.mempages.empty()) {
      return raised{"IndexError",
                    "the instance asks for no page size, and the mempages" + in_cell(cell) + " are empty"};
    }
    size_kb = cell.mempages[cell.large_first.back()].size_kb;
  }
  for (page_pool& pages : cell.mempages) {
    if (pages.size_kb != size_kb) continue;
    const double taken = static_cast<double>(instance.memory) * kib_per_mib / static_cast<double>(pages.size_kb);
    const double used = static_cast<double>(pages.used) + static_cast<double>(sign) * taken;
    pages.used = static_cast<std::int64_t>(std::trunc(std::min(std::max(0.0, used), most_pages)));
    pages.reserved = pages.reserved.value_or(0);
  }
  return std::nullopt;
}

std::int64_t cpus_in_use(const host_cell& cell, const instance_cell& instance, release rules) {
  if (!rules->fits_numa_as_ocata) return static_cast<std::int64_t>(instance.cpuset.size());
  const std::size_t cpus = instance.cpuset.size() + instance.pcpuset.size();
  const bool isolates = instance.cpu_thread_policy == cpu_thread_policy::isolate && cell.siblings.size() != 0;
  return static_cast<std::int64_t>(isolates ? cpus * cell.threads_per_core : cpus);
}

// Returns all threads of the cores that contain the CPUs, since the policy isolate takes whole cores. CPUs that
// belong to no core are left out.
cpu_set whole_cores(const host_cell& cell, const cpu_set& cpus) {
  std::vector<cpu_number> all;
  for (std::size_t core = 0; core < cell.siblings.size(); ++core) {
    const std::span<const cpu_number> threads = cell.siblings[core];
    if (std::any_of(threads.begin(), threads.end(), [&](cpu_number cpu) { return cpus.contains(cpu); })) {
      all.insert(all.end(), threads.begin(), threads.end());
    }
  }
  return cpu_set(all);
}

std::optional<raised> change_pinning(host_cell& cell, const cpu_set& cpus, usage_change change) {
  const bool adds = change == usage_change::add;
  for (const cpu_number cpu : cpus) {
    const std::string name = "CPU " + std::to_string(cpu);
    if (!cell.pcpuset.contains(cpu)) {
      return raised{adds ? "CPUPinningUnknown" : "CPUUnpinningUnknown",
                    name + " is none of the dedicated CPUs" + in_cell(cell)};
    }
  }
  for (const cpu_number cpu : cpus) {
    const std::string name = "CPU " + std::to_string(cpu);
    if (adds && cell.pinned_cpus.contains(cpu)) {
      return raised{"CPUPinningInvalid", name + in_cell(cell) + " is to be pinned and is pinned already"};
    }
    if (!adds && !cell.pinned_cpus.contains(cpu)) {
      return raised{"CPUUnpinningInvalid", name + in_cell(cell) + " is to be freed and is not pinned"};
    }
  }
  cell.pinned_cpus = adds ? joined(cell.pinned_cpus, cpus.cpus()) : difference(cell.pinned_cpus, cpus);
  return std::nullopt;
}

std::optional<raised> change_cpus(host_cell& cell, const instance_cell& instance, usage_change change, release rules) {
  if (!instance.wants_dedicated()) return std::nullopt;
  if (!instance.cpu_pinning && !rules->an_empty_pinning_fits) {
    return raised{"AttributeError", "the instance's dedicated CPUs on cell " + std::to_string(cell.id) +
                                        " of the host have no cpu_pinning"};
  }
  std::vector<cpu_number> cpus;
  if (instance.cpu_pinning) {
    for (const auto& [vcpu, cpu] : *instance.cpu_pinning) cpus.push_back(cpu);
  }
  if (instance.cpuset_reserved)
    cpus.insert(cpus.end(), instance.cpuset_reserved->begin(), instance.cpuset_reserved->end());
  const cpu_set set(cpus);
  // By Zed's rules, CPUs of a host without reported cores belong to no core.
  const bool has_cores = !rules->fits_numa_as_ocata || cell.siblings.size() != 0;
  const bool isolates = instance.cpu_thread_policy == cpu_thread_policy::isolate && has_cores;
  return change_pinning(cell, isolates ? whole_cores(cell, set) : set, change);
}

}  // namespace

outcome<host_topology> usage_with(const host_topology& host, const instance_topology* instance, usage_change change,
                                  release rules) {
  host_topology after = host;
  if (instance == nullptr) return after;
  const std::int64_t sign = change == usage_change::add ? 1 : -1;
  const bool pins =
      !rules->fits_numa_as_ocata || std::all_of(instance->cells.begin(), instance->cells.end(),
                                                [](const instance_cell& each) { return each.wants_dedicated(); });
  for (host_cell& cell : after.cells) {
    bool changed = false;
    for (const instance_cell& placed : instance->cells) {
      if (placed.id != cell.id) continue;
      changed = true;
      cell.memory_usage += sign * placed.memory;
      cell.cpu_usage += sign * cpus_in_use(cell, placed, rules);
      const bool counts_pages = !rules->fits_numa_as_ocata || placed.pagesize.value_or(0) > 0;
      if (counts_pages) {
        if (std::optional<raised> error = count_pages(cell, placed, sign)) return *error;
      }
      if (!pins) continue;
      if (std::optional<raised> error = change_cpus(cell, placed, change, rules)) return *error;
    }
    cell.memory_usage = std::max<std::int64_t>(0, cell.memory_usage);
    cell.cpu_usage = std::max<std::int64_t>(0, cell.cpu_usage);
    if (changed) cell.count_free();
  }
  return after;
}

}  // namespace filter_driver
