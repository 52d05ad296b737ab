// SPDX-License-Identifier: Apache-2.0
#include "tests/parity/recorded_numa.hpp"

#include <algorithm>

namespace filter_driver::parity {
namespace {

namespace json = boost::json;

std::string name(const raised* error) {
  return error == nullptr ? "nothing" : error->kind + ": " + error->sentence;
}

// The lowest thread of the core that a CPU is one of.
cpu_number core_of(const host_topology* host, cpu_number cpu) {
  if (host == nullptr) return cpu;
  for (const host_cell& cell : host->cells) {
    for (std::size_t core = 0; core < cell.siblings.size(); ++core) {
      const auto threads = cell.siblings[core];
      if (std::find(threads.begin(), threads.end(), cpu) != threads.end()) {
        return *std::min_element(threads.begin(), threads.end());
      }
    }
  }
  return cpu;
}

// In order, each core once for each of its threads.
std::vector<cpu_number> cores_of(const cpu_set& cpus, const host_topology& host) {
  std::vector<cpu_number> all;
  for (const cpu_number cpu : cpus) all.push_back(core_of(&host, cpu));
  std::sort(all.begin(), all.end());
  return all;
}

using cores = std::vector<std::pair<cpu_number, cpu_number>>;

std::optional<cores> pinned_cores(const instance_cell& cell, const host_topology* host) {
  if (!cell.cpu_pinning) return std::nullopt;
  cores all;
  for (const auto& [vcpu, cpu] : *cell.cpu_pinning) all.emplace_back(vcpu, core_of(host, cpu));
  return all;
}

std::optional<std::vector<cpu_number>> reserved_cores(const instance_cell& cell, const host_topology* host) {
  if (!cell.cpuset_reserved) return std::nullopt;
  std::vector<cpu_number> all;
  for (const cpu_number cpu : *cell.cpuset_reserved) all.push_back(core_of(host, cpu));
  return all;
}

bool same(const std::optional<network_metadata>& a, const std::optional<network_metadata>& b) {
  return a.has_value() == b.has_value() && (!a || (a->physnets == b->physnets && a->tunneled == b->tunneled));
}

bool same_pages(const host_cell& a, const host_cell& b) {
  return std::equal(a.mempages.begin(), a.mempages.end(), b.mempages.begin(), b.mempages.end(),
                    [](const page_pool& one, const page_pool& other) {
                      return one.size_kb == other.size_kb && one.total == other.total && one.used == other.used &&
                             one.reserved.value_or(0) == other.reserved.value_or(0);
                    });
}

}  // namespace

const json::value& member(const json::object& record, std::string_view name) {
  static const json::value none;
  const json::value* value = record.if_contains(name);
  return value == nullptr ? none : *value;
}

bool packs_cells(const json::object& record) {
  const json::object& config = record.at("config").as_object();
  const json::value* packs = config.if_contains("compute.packing_host_numa_cells_allocation_strategy");
  return packs != nullptr && packs->as_bool();
}

std::string difference_of(const std::optional<host_topology>& expected, const std::optional<host_topology>& found) {
  if (expected.has_value() != found.has_value()) return "only one of them has a host topology";
  if (!expected) return {};
  if (expected->cells.size() != found->cells.size()) return "number of host cells";
  for (std::size_t i = 0; i < expected->cells.size(); ++i) {
    const host_cell& a = expected->cells[i];
    const host_cell& b = found->cells[i];
    const std::string where = " of host cell " + std::to_string(a.id);
    if (a.id != b.id) return "id" + where;
    if (!(a.cpuset == b.cpuset) || !(a.pcpuset == b.pcpuset)) return "CPUs" + where;
    if (a.memory != b.memory || a.socket != b.socket) return "memory or socket" + where;
    if (a.cpu_usage != b.cpu_usage) return "cpu_usage" + where;
    if (a.memory_usage != b.memory_usage) return "memory_usage" + where;
    if (cores_of(a.pinned_cpus, *expected) != cores_of(b.pinned_cpus, *expected)) return "pinned_cpus" + where;
    if (!same_pages(a, b)) return "mempages" + where;
    if (!same(a.network_metadata, b.network_metadata)) return "network_metadata" + where;
  }
  return {};
}

std::string difference_of(const std::optional<instance_topology>& expected,
                          const std::optional<instance_topology>& found, const host_topology* host) {
  if (expected.has_value() != found.has_value()) return "only one of them has an instance topology";
  if (!expected) return {};
  if (expected->emulator_threads_policy != found->emulator_threads_policy) return "emulator_threads_policy";
  if (expected->cells.size() != found->cells.size()) return "number of instance cells";
  for (std::size_t i = 0; i < expected->cells.size(); ++i) {
    const instance_cell& a = expected->cells[i];
    const instance_cell& b = found->cells[i];
    const std::string where = " of instance cell " + std::to_string(i);
    if (a.id != b.id) return "id" + where;
    if (!(a.cpuset == b.cpuset) || !(a.pcpuset == b.pcpuset) || a.memory != b.memory) return "needs" + where;
    if (a.cpu_policy != b.cpu_policy || a.cpu_thread_policy != b.cpu_thread_policy) return "policy" + where;
    if (a.pagesize != b.pagesize) return "pagesize" + where;
    if (pinned_cores(a, host) != pinned_cores(b, host)) return "cpu_pinning" + where;
    if (reserved_cores(a, host) != reserved_cores(b, host)) return "cpuset_reserved" + where;
  }
  return {};
}

std::string difference_of(const std::optional<pci_pools>& expected, const std::optional<pci_pools>& found) {
  if (expected.has_value() != found.has_value()) return "only one of them has PCI pools";
  if (!expected || to_flat_json(*expected) == to_flat_json(*found)) return {};
  return "pools: expected " + json::serialize(to_flat_json(*expected)) + ", found " +
         json::serialize(to_flat_json(*found));
}

std::string difference_of(const std::optional<numa_limits>& expected, const std::optional<numa_limits>& found) {
  if (expected.has_value() != found.has_value()) return "only one of them has NUMA limits";
  if (!expected) return {};
  if (expected->cpu_allocation_ratio != found->cpu_allocation_ratio) return "cpu_allocation_ratio";
  if (expected->ram_allocation_ratio != found->ram_allocation_ratio) return "ram_allocation_ratio";
  return same(expected->network_metadata, found->network_metadata) ? "" : "network_metadata";
}

verdict differs(const std::string& why) {
  return {verdict::differed, why};
}

verdict compare_raised(const json::object& record, const raised* error) {
  const json::object& expected = record.at("expected").as_object();
  const json::value* raised = expected.if_contains("raises");
  const std::string wanted = raised == nullptr ? "nothing" : std::string(raised->as_string());
  if ((error == nullptr ? "nothing" : error->kind) == wanted) return {};
  return differs("expected to be raised: " + wanted + ", found " + name(error));
}

}  // namespace filter_driver::parity
