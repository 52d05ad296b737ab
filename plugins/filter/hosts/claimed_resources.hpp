// SPDX-License-Identifier: Apache-2.0
//
// Claims on NUMA cells and PCI devices: the amounts that picks hold on a row until the host's own report shows them.
// The names of the resources:
//
//   numa                       1 for each instance that holds any numa.* resource below
//   numa.cpu.<n>               1: the host CPU n is pinned
//   numa.<cell>.cpu_usage      vCPUs that share the CPUs of the cell
//   numa.<cell>.memory_usage   MiB
//   numa.<cell>.pages.<KiB>    pages of that size
//   pci                        PCI devices of all pools
//   pci.<vendor>.<product>.<hash>   PCI devices of one pool; the hash is of all fields of the pool except its count
#pragma once

#include <cstdint>
#include <functional>
#include <gantry/driver.hpp>
#include <string>
#include <string_view>
#include <unordered_map>

#include "numa/topology.hpp"
#include "pci/pools.hpp"

namespace filter_driver {

inline constexpr std::string_view numa_resource = "numa";
inline constexpr std::string_view pci_resource = "pci";

std::string resource_of_cpu(cpu_number cpu);
std::string resource_of_cell(std::int64_t cell, std::string_view what);  // `what`: "cpu_usage" or "memory_usage"
std::string resource_of_pages(std::int64_t cell, std::int64_t size_kb);
std::string resource_of_pool(const pci_pool& pool);

class claimed_resources {
 public:
  // Reads the claims.* columns of the view. The view must outlive this object.
  explicit claimed_resources(const gantry::view& view);

  // Returns true if the view has a claims column of these resources.
  bool any() const { return !columns_.empty(); }
  // Returns the amount of the resource that is claimed on the row. 0 if the view has no claims column of the resource.
  double of(std::string_view resource, std::uint32_t row) const;
  // Adds the amounts that are claimed on the row to the topology that the host has reported.
  void add_to(host_topology& topology, std::uint32_t row) const;
  // Subtracts the devices that are claimed on the row from the pools that the host has reported. Removes empty pools.
  void take_from(pci_pools& pools, std::uint32_t row) const;

 private:
  std::unordered_map<std::string_view, const double*> columns_;  // by resource: an amount for each row
};

}  // namespace filter_driver
