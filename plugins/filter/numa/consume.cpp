// SPDX-License-Identifier: Apache-2.0
#include "numa/consume.hpp"

#include <vector>

#include "numa/usage.hpp"
#include "pci/supply.hpp"

namespace filter_driver {
namespace {

std::optional<raised> place(host_topology& host, const std::optional<pci_pools>& pools,
                            std::optional<instance_topology>& instance, const fit_terms& terms) {
  fit_terms with_pools = terms;
  with_pools.pools = pools ? &*pools : nullptr;
  if (terms.rules->fits_numa_as_ocata && !pools) with_pools.requests = nullptr;
  outcome<std::optional<instance_topology>> fitted = fit(&host, &*instance, with_pools);
  if (!fitted) return fitted.error();
  instance = std::move(*fitted);
  outcome<host_topology> used = usage_with(host, instance ? &*instance : nullptr, usage_change::add, terms.rules);
  if (!used) return used.error();
  host = std::move(*used);
  return std::nullopt;
}

}  // namespace

std::optional<raised> consume(std::optional<host_topology>& host, std::optional<pci_pools>& pools,
                              std::optional<instance_topology>& instance, const pci_requests& requests,
                              const numa_limits* limits, bool packing_host_numa_cells_allocation_strategy,
                              release rules, const request_providers* providers) {
  fit_terms terms;
  terms.providers = providers;
  terms.rules = rules;
  terms.limits = limits;
  terms.requests = &requests;
  terms.requests_name_providers = true;
  terms.packing_host_numa_cells_allocation_strategy = packing_host_numa_cells_allocation_strategy;
  if (host && instance) {
    if (std::optional<raised> error = place(*host, pools, instance, terms)) return error;
  }
  if (!host && rules->fits_numa_as_ocata) instance.reset();
  if (requests.empty() || !pools) return std::nullopt;
  std::vector<std::int64_t> cells;
  if (instance) {
    cells.reserve(instance->cells.size());
    for (const instance_cell& cell : instance->cells) cells.push_back(cell.id);
  }
  pci_placement placement{cells, std::nullopt, rules, true, providers};
  if (host) placement.sockets = host->sockets;
  return take(*pools, requests, placement);
}

}  // namespace filter_driver
