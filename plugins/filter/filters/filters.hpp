// SPDX-License-Identifier: Apache-2.0
//
// The built-in filters: one file each, this folder. The registry lists them.
#pragma once

#include "rules/by_code.hpp"
#include "rules/filter.hpp"

namespace filter_driver {

extern const filter_rule aggregate_core_filter;
extern const filter_rule aggregate_disk_filter;
extern const filter_rule aggregate_image_properties_isolation_filter;
extern const filter_rule aggregate_instance_extra_specs_filter;
extern const filter_rule aggregate_io_ops_filter;
extern const filter_rule aggregate_multi_tenancy_isolation_filter;
extern const filter_rule aggregate_num_instances_filter;
extern const filter_rule aggregate_ram_filter;
extern const filter_rule aggregate_type_affinity_filter;
extern const filter_rule all_hosts_filter;
extern const filter_rule availability_zone_filter;
extern const filter_rule compute_capabilities_filter;
extern const filter_rule compute_filter;
extern const filter_rule core_filter;
extern const filter_rule different_host_filter;
extern const filter_rule disk_filter;
extern const filter_rule exact_core_filter;
extern const filter_rule exact_disk_filter;
extern const filter_rule exact_ram_filter;
extern const filter_rule group_affinity_filter;
extern const filter_rule group_anti_affinity_filter;
extern const filter_rule image_properties_filter;
extern const filter_rule io_ops_filter;
extern const filter_rule isolated_hosts_filter;
extern const filter_rule json_filter;
extern const filter_rule metrics_filter;
extern const filter_rule num_instances_filter;
extern const filter_rule numa_topology_filter;
extern const filter_rule pci_passthrough_filter;
extern const filter_rule ram_filter;
extern const filter_rule retry_filter;
extern const filter_rule same_host_filter;
extern const filter_rule server_group_affinity_filter;
extern const filter_rule server_group_anti_affinity_filter;
extern const filter_rule simple_cidr_affinity_filter;
extern const filter_rule trusted_filter;
extern const filter_rule type_affinity_filter;

}  // namespace filter_driver
