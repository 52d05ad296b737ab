// SPDX-License-Identifier: Apache-2.0
//
// The members of a compute node's report whose values the core shows in columns, and their types. A value of another
// type counts as not reported.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/encoding/json.hpp"
#include "core/fleet/tables/schema.hpp"

namespace gantry::fleet {

// A member of the report and the column that shows its value.
struct ReportedField {
  CoreColumn column;
  std::string_view key;
};

inline constexpr std::array<ReportedField, 7> reported_integers{{
    {CoreColumn::vcpus, "vcpus"},
    {CoreColumn::memory_mb, "memory_mb"},
    {CoreColumn::local_gb, "local_gb"},
    {CoreColumn::disk_available_least, "disk_available_least"},
    {CoreColumn::running_vms, "running_vms"},
    {CoreColumn::current_workload, "current_workload"},
    {CoreColumn::hypervisor_version, "hypervisor_version"},
}};

inline constexpr std::array<ReportedField, 3> reported_texts{{
    {CoreColumn::uuid, "uuid"},
    {CoreColumn::hypervisor_type, "hypervisor_type"},
    {CoreColumn::host_ip, "host_ip"},
}};

// The members of a report that RowState::use holds, in the same order.
inline constexpr std::array<std::string_view, 5> reported_uses{"vcpus_used", "memory_mb_used", "local_gb_used",
                                                               "free_ram_mb", "free_disk_gb"};

inline constexpr std::array<std::string_view, 3> reported_ratios{"cpu_allocation_ratio", "ram_allocation_ratio",
                                                                 "disk_allocation_ratio"};

struct ReportedJson {
  CoreColumn column;
  std::string_view key;
  bool shared;  // many hosts report the same text, which is then kept once
};

inline constexpr std::array<ReportedJson, 6> reported_json{{
    {CoreColumn::cpu_info, "cpu_info", true},
    {CoreColumn::supported_instances, "supported_instances", true},
    {CoreColumn::pci_stats, "pci_stats", true},
    {CoreColumn::numa_topology, "numa_topology", true},
    {CoreColumn::metrics, "metrics", false},
    {CoreColumn::stats, "stats", false},
}};

// Returns true for an object or a list: only these become JSON cells.
bool fits_json_cell(const json::value& value);

// Returns in words the type that the core expects of the report's member `key`. Empty if `value` has this type, or if
// the core does not know the key.
std::string_view expected_of_report(std::string_view key, const json::value& value);

// The same for a report that comes from a host. Its numbers must also be within the bounds of the integers of Nova's
// table. Free amounts alone may be negative, as on a host that is booked beyond its size.
std::string_view expected_of_agent(std::string_view key, const json::value& value);

// The largest number of a flavor of an instance, as of the integers of Nova's table.
inline constexpr std::int64_t most_of_flavor = 2'147'483'647;
// Returns in words what is expected of the member `key` of an instance's flavor. Empty if `value` is that, or if the core
// does not know the key.
std::string_view expected_of_flavor(std::string_view key, const json::value& value);

}  // namespace gantry::fleet
