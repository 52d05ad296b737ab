// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/tables/schema.hpp"

#include <algorithm>
#include <array>

#include "gantry/driver.h"

namespace gantry::fleet {

namespace {

struct CoreSpec {
  std::string_view name;
  std::int32_t type;
  bool nullable;
};

constexpr std::array<CoreSpec, core_column_count> core_columns{{
    {"host", GANTRY_TYPE_STRING, false},
    {"hypervisor_hostname", GANTRY_TYPE_STRING, true},
    {"uuid", GANTRY_TYPE_STRING, true},
    {"up", GANTRY_TYPE_BOOL, false},
    {"disabled", GANTRY_TYPE_BOOL, false},
    {"forced_down", GANTRY_TYPE_BOOL, false},
    {"disabled_reason", GANTRY_TYPE_STRING, true},
    {"availability_zone", GANTRY_TYPE_STRING, false},
    {"last_seen_up", GANTRY_TYPE_I64, true},
    {"updated_at", GANTRY_TYPE_I64, true},
    {"vcpus", GANTRY_TYPE_I64, true},
    {"memory_mb", GANTRY_TYPE_I64, true},
    {"local_gb", GANTRY_TYPE_I64, true},
    {"vcpus_used", GANTRY_TYPE_F64, true},
    {"memory_mb_used", GANTRY_TYPE_F64, true},
    {"local_gb_used", GANTRY_TYPE_F64, true},
    {"free_ram_mb", GANTRY_TYPE_F64, true},
    {"free_disk_gb", GANTRY_TYPE_F64, true},
    {"disk_available_least", GANTRY_TYPE_I64, true},
    {"cpu_allocation_ratio", GANTRY_TYPE_F64, false},
    {"ram_allocation_ratio", GANTRY_TYPE_F64, false},
    {"disk_allocation_ratio", GANTRY_TYPE_F64, false},
    {"running_vms", GANTRY_TYPE_I64, true},
    {"current_workload", GANTRY_TYPE_I64, true},
    {"hypervisor_type", GANTRY_TYPE_STRING, true},
    {"hypervisor_version", GANTRY_TYPE_I64, true},
    {"host_ip", GANTRY_TYPE_STRING, true},
    {"cpu_info", GANTRY_TYPE_JSON, true},
    {"supported_instances", GANTRY_TYPE_JSON, true},
    {"pci_stats", GANTRY_TYPE_JSON, true},
    {"numa_topology", GANTRY_TYPE_JSON, true},
    {"metrics", GANTRY_TYPE_JSON, true},
    {"stats", GANTRY_TYPE_JSON, true},
    {"capabilities", GANTRY_TYPE_JSON, true},
    {"aggregates", GANTRY_TYPE_SET, false},
    {"instances", GANTRY_TYPE_UUIDS, false},
    {"claims.vcpu", GANTRY_TYPE_F64, false},
    {"claims.memory_mb", GANTRY_TYPE_F64, false},
    {"claims.disk_gb", GANTRY_TYPE_F64, false},
    {"claims.instances", GANTRY_TYPE_F64, false},
}};

}  // namespace

Schema::Schema() {
  columns_.reserve(core_columns.size());
  for (const auto& column : core_columns) {
    columns_.push_back({std::string(column.name), column.type, column.nullable});
  }
  index();
}

Schema::Schema(const Schema& other) : columns_(other.columns_), shown_names_(other.shown_names_) {
  index();
}

std::shared_ptr<const Schema> Schema::with(ColumnSpec column) const {
  auto longer = std::make_shared<Schema>(*this);
  longer->columns_.push_back(std::move(column));
  longer->index();
  return longer;
}

void Schema::index() {
  for (auto at = shown_names_.size(); at < columns_.size(); ++at) shown_names_.push_back(Text::make(columns_[at].name));
  positions_.clear();
  for (std::uint32_t at = 0; at < columns_.size(); ++at) positions_.emplace(columns_[at].name, at);
}

std::optional<std::uint32_t> Schema::find(std::string_view name) const {
  const auto found = positions_.find(name);
  if (found == positions_.end()) return std::nullopt;
  return found->second;
}

bool is_core_column_name(std::string_view name) {
  if (name.starts_with(claims_prefix)) return name.size() > claims_prefix.size();
  if (name == image_properties_column) return true;
  return std::any_of(core_columns.begin(), core_columns.end(), [&](const CoreSpec& spec) { return spec.name == name; });
}

}  // namespace gantry::fleet
