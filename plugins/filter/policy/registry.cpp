// SPDX-License-Identifier: Apache-2.0
#include "policy/registry.hpp"

#include <algorithm>
#include <array>

#include "filters/filters.hpp"
#include "weighers/weighers.hpp"

namespace filter_driver {

namespace {

constexpr std::array filters = {
    &aggregate_core_filter,
    &aggregate_disk_filter,
    &aggregate_image_properties_isolation_filter,
    &aggregate_instance_extra_specs_filter,
    &aggregate_io_ops_filter,
    &aggregate_multi_tenancy_isolation_filter,
    &aggregate_num_instances_filter,
    &aggregate_ram_filter,
    &aggregate_type_affinity_filter,
    &all_hosts_filter,
    &availability_zone_filter,
    &compute_capabilities_filter,
    &compute_filter,
    &core_filter,
    &different_host_filter,
    &disk_filter,
    &exact_core_filter,
    &exact_disk_filter,
    &exact_ram_filter,
    &group_affinity_filter,
    &group_anti_affinity_filter,
    &image_properties_filter,
    &io_ops_filter,
    &isolated_hosts_filter,
    &json_filter,
    &metrics_filter,
    &num_instances_filter,
    &numa_topology_filter,
    &pci_passthrough_filter,
    &ram_filter,
    &retry_filter,
    &same_host_filter,
    &server_group_affinity_filter,
    &server_group_anti_affinity_filter,
    &simple_cidr_affinity_filter,
    &trusted_filter,
    &type_affinity_filter,
};

constexpr std::array weighers = {
    &build_failure_weigher,
    &cpu_weigher,
    &cross_cell_weigher,
    &disk_weigher,
    &io_ops_weigher,
    &metrics_weigher,
    &pci_weigher,
    &ram_weigher,
    &server_group_soft_affinity_weigher,
    &server_group_soft_anti_affinity_weigher,
};

}  // namespace

std::span<const filter_rule* const> filter_rules() {
  return filters;
}

std::span<const weigher_rule* const> weigher_rules() {
  return weighers;
}

const filter_rule* find_filter(std::string_view name) {
  const auto* const found =
      std::find_if(filters.begin(), filters.end(), [name](const auto* rule) { return rule->name == name; });
  return found == filters.end() ? nullptr : *found;
}

const weigher_rule* find_weigher(std::string_view name) {
  const auto* const found =
      std::find_if(weighers.begin(), weighers.end(), [name](const auto* rule) { return rule->name == name; });
  return found == weighers.end() ? nullptr : *found;
}

}  // namespace filter_driver
