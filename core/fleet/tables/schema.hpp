// SPDX-License-Identifier: Apache-2.0
//
// The columns of a topic's view. The core's columns come first, at fixed positions. Columns that drivers declare and
// columns of claimed resources follow in the order of their first mention. A column's position never changes.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/fleet/cells/interned_text.hpp"

namespace gantry::fleet {

// Positions of the core's columns, in the order of driver.h.
enum class CoreColumn : std::uint32_t {
  host,
  hypervisor_hostname,
  uuid,
  up,
  disabled,
  forced_down,
  disabled_reason,
  availability_zone,
  last_seen_up,
  updated_at,
  vcpus,
  memory_mb,
  local_gb,
  vcpus_used,
  memory_mb_used,
  local_gb_used,
  free_ram_mb,
  free_disk_gb,
  disk_available_least,
  cpu_allocation_ratio,
  ram_allocation_ratio,
  disk_allocation_ratio,
  running_vms,
  current_workload,
  hypervisor_type,
  hypervisor_version,
  host_ip,
  cpu_info,
  supported_instances,
  pci_stats,
  numa_topology,
  metrics,
  stats,
  capabilities,
  aggregates,
  instances,
  claims_vcpu,
  claims_memory_mb,
  claims_disk_gb,
  claims_instances,
};

constexpr std::uint32_t position_of(CoreColumn column) {
  return static_cast<std::uint32_t>(column);
}
constexpr std::uint32_t core_column_count = position_of(CoreColumn::claims_instances) + 1;

struct ColumnSpec {
  std::string name;
  std::int32_t type = 0;  // GANTRY_TYPE_*
  bool nullable = true;
};

class Schema {
 public:
  // Makes the schema of the core's columns.
  Schema();
  // Returns the same columns and one more at the end.
  std::shared_ptr<const Schema> with(ColumnSpec column) const;

  const std::vector<ColumnSpec>& columns() const { return columns_; }
  // Returns the name of a column in the memory of cells.
  std::string_view shown_name(std::uint32_t position) const { return shown_names_[position]->view(); }
  // Returns the position of a column. nullopt if there is none of that name.
  std::optional<std::uint32_t> find(std::string_view name) const;

  Schema(const Schema& other);
  Schema& operator=(const Schema&) = delete;

 private:
  void index();

  std::vector<ColumnSpec> columns_;
  std::vector<TextPointer> shown_names_;
  boost::unordered_flat_map<std::string_view, std::uint32_t, std::hash<std::string_view>> positions_;
};

// A column of type JSON that a schema has only if a driver asks for it (Fleet::keep_image_properties).
constexpr std::string_view image_properties_column = "image_properties";

// Returns whether the core has a column of that name, always or if a driver asks for it. Every name claims.RESOURCE counts as the core's.
bool is_core_column_name(std::string_view name);

constexpr std::string_view claims_prefix = "claims.";
constexpr std::string_view stats_prefix = "stats.";

}  // namespace gantry::fleet
