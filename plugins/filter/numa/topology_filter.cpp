// SPDX-License-Identifier: Apache-2.0
#include "numa/topology_filter.hpp"

#include <algorithm>

namespace filter_driver {

bool has_threads(const host_topology& host, release rules) {
  return std::any_of(host.cells.begin(), host.cells.end(), [rules](const host_cell& cell) {
    return rules->fits_numa_as_ocata ? cell.siblings.size() != 0 : cell.threads_per_core > 1;
  });
}

outcome<std::optional<numa_limits>> numa_limits_of(const numa_wishes& wishes, const numa_supply& host) {
  if (wishes.topology == nullptr || host.topology == nullptr) return std::optional<numa_limits>();
  if (!host.cpu_allocation_ratio) return raised{"ValueError", "the host's cpu_allocation_ratio is unset"};
  if (!host.ram_allocation_ratio) return raised{"ValueError", "the host's ram_allocation_ratio is unset"};
  numa_limits limits{*host.cpu_allocation_ratio, *host.ram_allocation_ratio, {}};
  if (wishes.networks != nullptr) limits.network_metadata = *wishes.networks;
  return std::optional<numa_limits>(std::move(limits));
}

outcome<bool> passes_numa_topology(const numa_wishes& wishes, const numa_supply& host) {
  if (wishes.requires_threads && host.topology != nullptr && !has_threads(*host.topology, wishes.rules)) return false;
  if (wishes.topology == nullptr) return true;
  if (host.topology == nullptr) return false;
  if (!host.cpu_allocation_ratio || !host.ram_allocation_ratio) return numa_limits_of(wishes, host).error();
  numa_limits limits{*host.cpu_allocation_ratio, *host.ram_allocation_ratio, {}};
  if (wishes.networks != nullptr) limits.network_metadata = *wishes.networks;
  fit_terms terms;
  terms.limits = &limits;
  terms.requests = wishes.requests;
  terms.pools = host.pools;
  terms.rules = wishes.rules;
  terms.packing_host_numa_cells_allocation_strategy = wishes.packing_host_numa_cells_allocation_strategy;
  return fits(host.topology, wishes.topology, terms);
}

}  // namespace filter_driver
