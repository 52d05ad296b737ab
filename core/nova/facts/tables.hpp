// SPDX-License-Identifier: Apache-2.0
//
// The tables of Nova that are read, with the columns that are read. Every query names its columns from here, and the
// check at the start asks for the same ones.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace gantry::nova {

struct Table {
  std::string_view name;
  std::span<const std::string_view> columns;
};

inline constexpr std::array<std::string_view, 5> cell_mapping_columns{"id", "uuid", "name", "database_connection",
                                                                      "disabled"};
inline constexpr std::array<std::string_view, 3> host_mapping_columns{"id", "host", "cell_id"};
inline constexpr std::array<std::string_view, 3> aggregate_columns{"id", "uuid", "name"};
inline constexpr std::array<std::string_view, 3> aggregate_host_columns{"id", "aggregate_id", "host"};
inline constexpr std::array<std::string_view, 4> aggregate_metadata_columns{"id", "aggregate_id", "key", "value"};

inline constexpr std::array<std::string_view, 12> service_columns{
    "id",           "host",         "binary",  "disabled", "disabled_reason", "forced_down",
    "last_seen_up", "report_count", "version", "deleted",  "created_at",      "deleted_at"};
inline constexpr std::array<std::string_view, 31> compute_node_columns{"id",
                                                                       "created_at",
                                                                       "updated_at",
                                                                       "deleted_at",
                                                                       "deleted",
                                                                       "host",
                                                                       "hypervisor_hostname",
                                                                       "uuid",
                                                                       "vcpus",
                                                                       "memory_mb",
                                                                       "local_gb",
                                                                       "vcpus_used",
                                                                       "memory_mb_used",
                                                                       "local_gb_used",
                                                                       "hypervisor_type",
                                                                       "hypervisor_version",
                                                                       "free_ram_mb",
                                                                       "free_disk_gb",
                                                                       "current_workload",
                                                                       "running_vms",
                                                                       "disk_available_least",
                                                                       "host_ip",
                                                                       "cpu_info",
                                                                       "supported_instances",
                                                                       "metrics",
                                                                       "pci_stats",
                                                                       "stats",
                                                                       "numa_topology",
                                                                       "ram_allocation_ratio",
                                                                       "cpu_allocation_ratio",
                                                                       "disk_allocation_ratio"};
inline constexpr std::array<std::string_view, 6> instance_columns{"id",      "uuid",       "host",
                                                                  "deleted", "created_at", "updated_at"};
// The columns that a query for instances answers with. The table is the largest.
inline constexpr std::array<std::string_view, 4> placed_instance_columns{"id", "uuid", "host", "deleted"};

// An instance's image among others. Read while the fleet keeps image properties.
inline constexpr std::array<std::string_view, 4> system_metadata_columns{"id", "instance_uuid", "key", "value"};

// Read in shadow mode alone.
inline constexpr std::array<std::string_view, 3> instance_mapping_columns{"id", "instance_uuid", "cell_id"};

inline constexpr Table cell_mappings{"cell_mappings", cell_mapping_columns};
inline constexpr Table host_mappings{"host_mappings", host_mapping_columns};
inline constexpr Table aggregates{"aggregates", aggregate_columns};
inline constexpr Table aggregate_hosts{"aggregate_hosts", aggregate_host_columns};
inline constexpr Table aggregate_metadata{"aggregate_metadata", aggregate_metadata_columns};
inline constexpr Table services{"services", service_columns};
inline constexpr Table compute_nodes{"compute_nodes", compute_node_columns};
inline constexpr Table instances{"instances", instance_columns};
inline constexpr Table placed_instances{"instances", placed_instance_columns};
inline constexpr Table system_metadata{"instance_system_metadata", system_metadata_columns};

inline constexpr std::array<Table, 1> shadow_tables{Table{"instance_mappings", instance_mapping_columns}};
inline constexpr std::array<Table, 5> api_tables{cell_mappings, host_mappings, aggregates, aggregate_hosts,
                                                 aggregate_metadata};
inline constexpr std::array<Table, 3> cell_tables{services, compute_nodes, instances};
inline constexpr std::array<Table, 1> image_tables{system_metadata};

// Returns "SELECT `id`, `host` FROM `services`" with all columns of the table.
std::string select_from(const Table& table);

}  // namespace gantry::nova
