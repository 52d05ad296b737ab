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

outcome<bool> may_pass_numa_topology(const numa_wishes& wishes, const numa_supply& host) {
  if (wishes.requires_threads && host.topology != nullptr && !has_threads(*host.topology, wishes.rules)) return false;
  if (wishes.topology == nullptr) return true;
  if (host.topology == nullptr) return false;
  if (!host.cpu_allocation_ratio || !host.ram_allocation_ratio) return numa_limits_of(wishes, host).error();
  return true;
}

namespace {

// Calls `judge` with the terms of the fit.
template <class Judge>
outcome<bool> judged(const numa_wishes& wishes, const numa_supply& host, Judge judge) {
  auto may_pass = may_pass_numa_topology(wishes, host);
  if (!may_pass || !*may_pass || wishes.topology == nullptr) return may_pass;
  numa_limits limits{*host.cpu_allocation_ratio, *host.ram_allocation_ratio, {}};
  if (wishes.networks != nullptr) limits.network_metadata = *wishes.networks;
  fit_terms terms;
  terms.limits = &limits;
  terms.requests = wishes.requests;
  terms.pools = host.pools;
  terms.rules = wishes.rules;
  terms.providers = wishes.providers;
  terms.packing_host_numa_cells_allocation_strategy = wishes.packing_host_numa_cells_allocation_strategy;
  return judge(terms);
}

}  // namespace

outcome<bool> passes_numa_topology(const numa_wishes& wishes, const numa_supply& host) {
  return judged(wishes, host, [&](const fit_terms& terms) { return fits(host.topology, wishes.topology, terms); });
}

outcome<bool> passes_numa_topology(const numa_wishes& wishes, const numa_supply& host, instance_topology& instance) {
  return judged(wishes, host, [&](const fit_terms& terms) -> outcome<bool> {
    const auto fitted = fit(host.topology, &instance, terms);
    if (!fitted) return fitted.error();
    return fitted->has_value();
  });
}

}  // namespace filter_driver
