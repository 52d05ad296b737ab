// SPDX-License-Identifier: Apache-2.0
//
// The built-in filters: one file each, this folder. The registry lists them.
#pragma once

#include "by_code.hpp"
#include "filter.hpp"

namespace filter_driver {

extern const filter_rule aggregate_core_filter;
extern const filter_rule aggregate_disk_filter;
extern const filter_rule aggregate_io_ops_filter;
extern const filter_rule aggregate_num_instances_filter;
extern const filter_rule aggregate_ram_filter;
extern const filter_rule all_hosts_filter;
extern const filter_rule availability_zone_filter;
extern const filter_rule compute_filter;
extern const filter_rule core_filter;
extern const filter_rule disk_filter;
extern const filter_rule exact_core_filter;
extern const filter_rule exact_disk_filter;
extern const filter_rule exact_ram_filter;
extern const filter_rule group_affinity_filter;
extern const filter_rule group_anti_affinity_filter;
extern const filter_rule io_ops_filter;
extern const filter_rule metrics_filter;
extern const filter_rule num_instances_filter;
extern const filter_rule numa_topology_filter;
extern const filter_rule pci_passthrough_filter;
extern const filter_rule ram_filter;
extern const filter_rule retry_filter;
extern const filter_rule server_group_affinity_filter;
extern const filter_rule server_group_anti_affinity_filter;
extern const filter_rule trusted_filter;
extern const filter_rule type_affinity_filter;

}  // namespace filter_driver
