// SPDX-License-Identifier: Apache-2.0
//
// The columns of the core that a script can read, for the manifest and for telling a misspelt name from a value that no
// host has reported.
#pragma once

namespace lua_driver {

constexpr const char* core_columns[] = {"host",
                                        "hypervisor_hostname",
                                        "uuid",
                                        "up",
                                        "disabled",
                                        "forced_down",
                                        "disabled_reason",
                                        "availability_zone",
                                        "last_seen_up",
                                        "updated_at",
                                        "vcpus",
                                        "memory_mb",
                                        "local_gb",
                                        "vcpus_used",
                                        "memory_mb_used",
                                        "local_gb_used",
                                        "free_ram_mb",
                                        "free_disk_gb",
                                        "disk_available_least",
                                        "cpu_allocation_ratio",
                                        "ram_allocation_ratio",
                                        "disk_allocation_ratio",
                                        "running_vms",
                                        "current_workload",
                                        "hypervisor_type",
                                        "hypervisor_version",
                                        "host_ip",
                                        "cpu_info",
                                        "supported_instances",
                                        "pci_stats",
                                        "numa_topology",
                                        "metrics",
                                        "capabilities",
                                        "aggregates",
                                        "instances"};

}  // namespace lua_driver
