// SPDX-License-Identifier: Apache-2.0
#include "numa/cell_fit.hpp"

#include <algorithm>
#include <limits>

namespace filter_driver {
namespace {

using fit_kind = cell_fit::kind;

std::int64_t kib(std::int64_t pages, std::int64_t size_kb) {
  std::int64_t product = 0;
  if (!__builtin_mul_overflow(pages, size_kb, &product)) return product;
  return pages < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}

bool pages_hold(const page_pool& pages, std::int64_t count, std::int64_t memory_kb) {
  return memory_kb <= kib(count, pages.size_kb) && memory_kb % pages.size_kb == 0;
}
bool holds_in_free(const page_pool& pages, std::int64_t memory_kb) {
  return pages_hold(pages, pages.total - pages.used - pages.reserved.value_or(0), memory_kb);
}

// If several pools have the same size, the first one counts.
const page_pool* pool_of(const host_cell& host, std::int64_t size_kb) {
  const auto pool = std::find_if(host.mempages.begin(), host.mempages.end(),
                                 [&](const page_pool& pages) { return pages.size_kb == size_kb; });
  return pool == host.mempages.end() ? nullptr : &*pool;
}

// Returns the first of the sizes [from, to) of large_first that has room.
std::optional<std::int64_t> first_with_room(const host_cell& host, std::size_t from, std::size_t to,
                                            std::int64_t memory_kb) {
  for (std::size_t i = from; i < to; ++i) {
    const std::int64_t size_kb = host.mempages[host.large_first[i]].size_kb;
    if (holds_in_free(*pool_of(host, size_kb), memory_kb)) return size_kb;
  }
  return std::nullopt;
}

// Checks the memory of a cell that requests no page size. All of the smallest pages count, used or not, unless only
// free ones are asked for.
bool fits_memory(const host_cell& host, const instance_cell& instance, bool in_free) {
  if (host.large_first.empty()) return instance.memory <= (in_free ? host.free_memory() : host.memory);
  const std::int64_t smallest = host.mempages[host.large_first.back()].size_kb;
  const page_pool& pages = *pool_of(host, smallest);
  const std::int64_t memory_kb = instance.memory * kib_per_mib;
  return in_free ? holds_in_free(pages, memory_kb) : pages_hold(pages, pages.total, memory_kb);
}

std::size_t cores_with(const host_cell& host, std::size_t threads) {
  return threads < host.cores_with.size() ? host.cores_with[threads] : 0;
}

// Returns how to pack a cell without dedicated vCPUs. Nova takes their empty pinning for a failed one: in older
// releases always, in later ones with the policy isolate, or with CPUs to reserve.
std::optional<packing> pack_none(const host_cell& host, const instance_cell& instance, std::size_t reserved,
                                 release rules) {
  if (!rules->an_empty_pinning_fits || reserved != 0) return std::nullopt;
  if (instance.cpu_thread_policy == cpu_thread_policy::isolate) return std::nullopt;
  if (instance.cpu_thread_policy != cpu_thread_policy::require) return packing{};
  return cores_with(host, 2) > 0 ? std::optional(packing{}) : std::nullopt;
}

// Returns how to pack the vCPUs. Empty if there is no way. Requires at least one core.
std::optional<packing> pack(const host_cell& host, const instance_cell& instance, std::size_t reserved, release rules) {
  const std::size_t cpus = instance.pcpuset.size();
  if (cpus == 0) return pack_none(host, instance, reserved, rules);
  if (instance.cpu_thread_policy == cpu_thread_policy::isolate) {
    const std::size_t threads = host.threads_per_core;
    if (threads > 1 && !(host.cpuset == host.pcpuset)) return std::nullopt;
    if (cores_with(host, threads) < cpus || host.free_threads < cpus * threads + reserved) return std::nullopt;
    return packing{.threads = 1, .whole_cores = true};
  }
  const bool require = instance.cpu_thread_policy == cpu_thread_policy::require;
  if (require && host.threads_per_core <= 1) return std::nullopt;
  const bool enough = host.free_threads >= cpus + reserved;
  for (std::size_t threads = host.cores_with.empty() ? 0 : host.cores_with.size() - 1; threads > (require ? 1 : 0);
       --threads) {
    if (enough && threads * cores_with(host, threads) >= cpus) return packing{.threads = threads};
  }
  if (require || !enough) return std::nullopt;
  return packing{.threads = 0};
}

bool within_limits(const host_cell& host, const instance_cell& instance, const numa_limits& limits) {
  const auto cpus = static_cast<double>(host.cpu_usage + static_cast<std::int64_t>(instance.cpuset.size()));
  if (cpus > static_cast<double>(host.cpus) * limits.cpu_allocation_ratio) return false;
  const auto memory = static_cast<double>(host.memory_usage + instance.memory);
  return memory <= static_cast<double>(host.memory) * limits.ram_allocation_ratio;
}

// Returns the cores that a packing uses, each with its free threads in ascending order.
std::vector<cpu_set> free_cores(const host_cell& host) {
  const cpu_set free = difference(host.pcpuset, host.pinned_cpus);
  std::vector<cpu_set> cores;
  if (host.siblings.size() == 0) {  // Ocata: each CPU is a core
    for (const cpu_number cpu : free) cores.push_back(cpu_set(std::vector{cpu}));
    return cores;
  }
  cores.reserve(host.siblings.size());
  for (std::size_t core = 0; core < host.siblings.size(); ++core) {
    cores.push_back(intersection(host.siblings[core], free));
  }
  return cores;
}

}  // namespace

std::optional<std::int64_t> choose_pages(const host_cell& host, std::int64_t wanted, std::int64_t memory_mb) {
  const std::int64_t memory_kb = memory_mb * kib_per_mib;
  const std::size_t sizes = host.large_first.size();
  const std::size_t smallest = sizes == 0 ? 0 : sizes - 1;
  if (wanted == pagesize_small) return first_with_room(host, smallest, sizes, memory_kb);
  if (wanted == pagesize_large) return first_with_room(host, 0, smallest, memory_kb);
  if (wanted == pagesize_any) return first_with_room(host, 0, sizes, memory_kb);
  const page_pool* pool = pool_of(host, wanted);
  return pool != nullptr && holds_in_free(*pool, memory_kb) ? std::optional(wanted) : std::nullopt;
}

cell_fit fit_cell(const host_cell& host, const instance_cell& instance, std::optional<std::int64_t> pagesize,
                  std::size_t reserved, const numa_limits* limits, release rules) {
  cell_fit fit;
  const bool pins_in_free = instance.wants_dedicated() && rules->pinned_memory_by_free_pages;
  if (pagesize.value_or(0) != 0) {
    fit.pagesize = choose_pages(host, *pagesize, instance.memory);
    if (!fit.pagesize) return fit;
  } else if (!fits_memory(host, instance, pins_in_free)) {
    return fit;
  }
  const std::size_t dedicated = instance.pcpuset.size() + reserved;
  if (instance.wants_dedicated() && dedicated > host.pcpus) return fit;
  if (instance.wants_shared() && instance.cpuset.size() > host.cpus) return fit;
  if (instance.wants_dedicated()) {
    if (dedicated > host.free_pcpus) return fit;
    if (!pins_in_free && instance.memory > host.free_memory()) return fit;
    if (host.cores == 0) {
      fit.result = fit_kind::raises;
      return fit;
    }
    fit.packed = pack(host, instance, reserved, rules);
    if (!fit.packed) return fit;
  }
  if (instance.wants_shared() && limits != nullptr && !within_limits(host, instance, *limits)) return fit;
  fit.result = fit_kind::fits;
  return fit;
}

void pin(const host_cell& host, const packing& how, std::size_t reserved, instance_cell& instance) {
  std::vector<cpu_set> cores = free_cores(host);
  const std::size_t needed = how.whole_cores ? host.threads_per_core : how.threads;
  const std::size_t taken = how.whole_cores    ? 1
                            : how.threads == 0 ? std::numeric_limits<std::size_t>::max()
                                               : how.threads;
  std::vector<cpu_number> vcpus(instance.pcpuset.begin(), instance.pcpuset.end());
  std::sort(vcpus.begin(), vcpus.end());
  if (!vcpus.empty() && !instance.cpu_pinning) instance.cpu_pinning.emplace();
  std::vector<cpu_number> unavailable;  // CPUs that emulator threads cannot use
  auto vcpu = vcpus.begin();
  for (const cpu_set& core : cores) {
    if (core.size() < needed || vcpu == vcpus.end()) continue;
    if (how.whole_cores) unavailable.insert(unavailable.end(), core.begin(), core.end());
    std::size_t used = 0;
    for (auto cpu = core.begin(); cpu != core.end() && used < taken && vcpu != vcpus.end(); ++cpu, ++vcpu, ++used) {
      const auto known = std::find_if(instance.cpu_pinning->begin(), instance.cpu_pinning->end(),
                                      [&](const auto& pair) { return pair.first == *vcpu; });
      if (known != instance.cpu_pinning->end()) {
        known->second = *cpu;
      } else {
        instance.cpu_pinning->emplace_back(*vcpu, *cpu);
      }
      unavailable.push_back(*cpu);
    }
  }
  instance.cpuset_reserved.reset();
  if (reserved == 0) return;
  std::vector<cpu_number> kept;
  for (const cpu_set& core : cores) {
    for (const cpu_number cpu : core) {
      if (kept.size() < reserved && std::find(unavailable.begin(), unavailable.end(), cpu) == unavailable.end()) {
        kept.push_back(cpu);
      }
    }
  }
  instance.cpuset_reserved = cpu_set(kept);
}

}  // namespace filter_driver
