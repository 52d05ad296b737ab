// SPDX-License-Identifier: Apache-2.0
#include "numa/cell_fit.hpp"

namespace filter_driver {
namespace {

using fit_kind = cell_fit::kind;

std::size_t cpus_of(const instance_cell& instance) {
  return instance.cpuset.size() + instance.pcpuset.size();
}

// Returns how to pack. Empty if there is no way.
std::optional<packing> pack_single_threads(const host_cell& host, const instance_cell& instance) {
  if (instance.cpu_thread_policy == cpu_thread_policy::require) return std::nullopt;
  if (host.free_pcpus < cpus_of(instance)) return std::nullopt;
  return packing{.threads = 1};
}

std::optional<packing> pack_threads(const host_cell& host, const instance_cell& instance) {
  const std::size_t cpus = cpus_of(instance);
  const auto cores = [&host](std::size_t threads) {
    return threads < host.cores_with.size() ? std::size_t{host.cores_with[threads]} : 0;
  };
  if (instance.cpu_thread_policy == cpu_thread_policy::isolate) {
    if (cores(host.threads_per_core) < cpus) return std::nullopt;
    return packing{.threads = 1, .whole_cores = true};
  }
  const bool require = instance.cpu_thread_policy == cpu_thread_policy::require;
  for (std::size_t threads = host.threads_per_core; threads > (require ? 1 : 0); --threads) {
    if (cores(threads) != 0 && threads * cores(threads) >= cpus) return packing{.threads = threads};
  }
  if (require) return std::nullopt;
  return packing{.threads = 0};  // if there are fewer CPUs than vCPUs, the remaining vCPUs stay unpinned
}

bool within_limits_of_ocata(const host_cell& host, const instance_cell& instance, const numa_limits& limits) {
  const auto memory = static_cast<double>(host.memory_usage + instance.memory);
  if (memory > static_cast<double>(host.memory) * limits.ram_allocation_ratio) return false;
  const auto cpus = static_cast<double>(host.cpu_usage + static_cast<std::int64_t>(cpus_of(instance)));
  return cpus <= static_cast<double>(host.cpus) * limits.cpu_allocation_ratio;
}

}  // namespace

cell_fit fit_cell_of_ocata(const host_cell& host, const instance_cell& instance, std::optional<std::int64_t> pagesize,
                           const numa_limits* limits) {
  cell_fit fit;
  const std::size_t cpus = cpus_of(instance);
  if (instance.memory > host.memory || cpus > host.cpus) return fit;
  if (instance.cpu_policy == cpu_policy::dedicated) {
    if (host.free_pcpus < cpus || host.free_memory() < instance.memory || cpus == 0) return fit;
    const bool has_threads = host.cores != 0;
    const bool settles = instance.cpu_thread_policy != cpu_thread_policy::require &&
                         instance.cpu_thread_policy != cpu_thread_policy::isolate;
    if (has_threads && host.free_threads == 0 && settles) {
      fit.result = fit_kind::raises;
      return fit;
    }
    fit.packed = has_threads ? pack_threads(host, instance) : pack_single_threads(host, instance);
    if (!fit.packed) return fit;
  } else if (limits != nullptr && !within_limits_of_ocata(host, instance, *limits)) {
    return fit;
  }
  if (pagesize.value_or(0) != 0) {
    fit.pagesize = choose_pages(host, *pagesize, instance.memory);
    if (!fit.pagesize) return fit;
  }
  fit.result = fit_kind::fits;
  return fit;
}

}  // namespace filter_driver
