// SPDX-License-Identifier: Apache-2.0
//
// The rules of the library operators.so, each made by a function of the file that holds the rule.
#pragma once

#include <gantry/offers.hpp>

namespace operators {

// aggregates.cpp
gantry_offer aggregate_match_filter();
gantry_offer aggregate_multi_tenancy_isolation_weigher();

// blazar.cpp
gantry_offer blazar_filter();

// failure_domains.cpp
gantry_offer failure_domain_filter();
gantry_offer anti_affinity_availability_zone_filter();

// rackspace.cpp
gantry_offer rax_instances_weigher();
gantry_offer rax_project_weigher();
gantry_offer rax_os_type_weigher();

// sap_hypervisor_size.cpp
gantry_offer vm_size_threshold_filter();
gantry_offer big_vm_cluster_utilization_filter();
gantry_offer big_vm_flavor_host_size_filter();
gantry_offer hv_ram_class_weigher();

// sap_memory.cpp
gantry_offer hana_memory_max_unit_filter();
gantry_offer resize_reserved_ram_filter();
gantry_offer hana_bin_pack_weigher();

// sap_moves.cpp
gantry_offer cpu_info_migration_filter();
gantry_offer resize_vcpu_max_unit_filter();
gantry_offer prefer_same_host_weigher();

// sap_shards.cpp
gantry_offer shard_filter();
gantry_offer volume_size_same_shard_resize_filter();
gantry_offer prefer_same_shard_weigher();

// traits.cpp
gantry_offer decommissioning_weigher();
gantry_offer sapphire_rapids_weigher();
gantry_offer trait_required_filter();
gantry_offer network_group_affinity_filter();
gantry_offer network_group_anti_affinity_filter();

// usage.cpp
gantry_offer ram_share_weigher();
gantry_offer cpu_share_weigher();

}  // namespace operators
