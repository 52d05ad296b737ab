// SPDX-License-Identifier: Apache-2.0
#include "core/config/nova/options.hpp"

#include <algorithm>
#include <array>

namespace gantry::config::nova {

namespace {

constexpr std::string_view placement_alone = "only a placement service could judge it, and Gantry asks none";

constexpr std::array carried{
    CarriedOption{{"DEFAULT", "service_down_time"}, "", Type::integer, "scheduling.service_down_time", 1},
    CarriedOption{{"DEFAULT", "default_availability_zone"}, "", Type::text, "scheduling.default_availability_zone"},
    CarriedOption{{"scheduler", "max_attempts"}, "scheduler_max_attempts", Type::integer, "scheduling.max_attempts", 1},
    CarriedOption{{"filter_scheduler", "host_subset_size"},
                  "scheduler_host_subset_size",
                  Type::integer,
                  "driver.filter.host_subset_size",
                  1},
    CarriedOption{{"filter_scheduler", "shuffle_best_same_weighed_hosts"},
                  "",
                  Type::boolean,
                  "driver.filter.shuffle_best_same_weighed_hosts"},
    CarriedOption{{"filter_scheduler", "ram_weight_multiplier"},
                  "ram_weight_multiplier",
                  Type::real,
                  "driver.filter.ram_weight_multiplier"},
    CarriedOption{{"filter_scheduler", "cpu_weight_multiplier"}, "", Type::real, "driver.filter.cpu_weight_multiplier"},
    CarriedOption{{"filter_scheduler", "disk_weight_multiplier"},
                  "disk_weight_multiplier",
                  Type::real,
                  "driver.filter.disk_weight_multiplier"},
    CarriedOption{{"filter_scheduler", "io_ops_weight_multiplier"},
                  "io_ops_weight_multiplier",
                  Type::real,
                  "driver.filter.io_ops_weight_multiplier"},
    CarriedOption{
        {"filter_scheduler", "pci_weight_multiplier"}, "", Type::real, "driver.filter.pci_weight_multiplier", 0},
    CarriedOption{{"filter_scheduler", "soft_affinity_weight_multiplier"},
                  "soft_affinity_weight_multiplier",
                  Type::real,
                  "driver.filter.soft_affinity_weight_multiplier",
                  0},
    CarriedOption{{"filter_scheduler", "soft_anti_affinity_weight_multiplier"},
                  "soft_anti_affinity_weight_multiplier",
                  Type::real,
                  "driver.filter.soft_anti_affinity_weight_multiplier",
                  0},
    CarriedOption{{"filter_scheduler", "build_failure_weight_multiplier"},
                  "",
                  Type::real,
                  "driver.filter.build_failure_weight_multiplier"},
    CarriedOption{{"filter_scheduler", "cross_cell_move_weight_multiplier"},
                  "",
                  Type::real,
                  "driver.filter.cross_cell_move_weight_multiplier"},
    CarriedOption{{"filter_scheduler", "hypervisor_version_weight_multiplier"},
                  "",
                  Type::real,
                  "driver.filter.hypervisor_version_weight_multiplier"},
    CarriedOption{{"filter_scheduler", "num_instances_weight_multiplier"},
                  "",
                  Type::real,
                  "driver.filter.num_instances_weight_multiplier"},
    CarriedOption{{"filter_scheduler", "image_props_weight_multiplier"},
                  "",
                  Type::real,
                  "driver.filter.image_props_weight_multiplier"},
    CarriedOption{
        {"filter_scheduler", "image_props_weight_setting"}, "", Type::list, "driver.filter.image_props_weight_setting"},
    CarriedOption{{"metrics", "weight_multiplier"}, "", Type::real, "driver.filter.metrics_weight_multiplier"},
    CarriedOption{{"metrics", "weight_setting"}, "", Type::list, "driver.filter.metrics_weight_setting"},
    CarriedOption{{"metrics", "required"}, "", Type::boolean, "driver.filter.metrics_required"},
    CarriedOption{{"metrics", "weight_of_unavailable"}, "", Type::real, "driver.filter.metrics_weight_of_unavailable"},
    CarriedOption{{"filter_scheduler", "max_io_ops_per_host"},
                  "max_io_ops_per_host",
                  Type::integer,
                  "driver.filter.max_io_ops_per_host",
                  0},
    CarriedOption{{"filter_scheduler", "max_instances_per_host"},
                  "max_instances_per_host",
                  Type::integer,
                  "driver.filter.max_instances_per_host",
                  1},
    CarriedOption{
        {"filter_scheduler", "isolated_images"}, "isolated_images", Type::list, "driver.filter.isolated_images"},
    CarriedOption{{"filter_scheduler", "isolated_hosts"}, "isolated_hosts", Type::list, "driver.filter.isolated_hosts"},
    CarriedOption{{"filter_scheduler", "restrict_isolated_hosts_to_isolated_images"},
                  "restrict_isolated_hosts_to_isolated_images",
                  Type::boolean,
                  "driver.filter.restrict_isolated_hosts_to_isolated_images"},
    CarriedOption{{"filter_scheduler", "aggregate_image_properties_isolation_namespace"},
                  "aggregate_image_properties_isolation_namespace",
                  Type::text,
                  "driver.filter.aggregate_image_properties_isolation_namespace"},
    CarriedOption{{"filter_scheduler", "aggregate_image_properties_isolation_separator"},
                  "aggregate_image_properties_isolation_separator",
                  Type::text,
                  "driver.filter.aggregate_image_properties_isolation_separator"},
    CarriedOption{{"filter_scheduler", "image_properties_default_architecture"},
                  "",
                  Type::text,
                  "driver.filter.image_properties_default_architecture"},
    CarriedOption{{"compute", "packing_host_numa_cells_allocation_strategy"},
                  "",
                  Type::boolean,
                  "driver.filter.packing_host_numa_cells_allocation_strategy"},
};

constexpr std::array others{
    OtherOption{{"filter_scheduler", "track_instance_changes"},
                "scheduler_tracks_instance_changes",
                "*",
                "Gantry always knows which instances a host runs"},
    OtherOption{{"scheduler", "periodic_task_interval"},
                "scheduler_driver_task_period",
                "*",
                "what hosts report counts at once, there is no period"},
    OtherOption{{"scheduler", "discover_hosts_in_cells_interval"},
                "",
                "*",
                "a host is known from its first report on; Gantry has no cells"},
    OtherOption{{"scheduler", "workers"},
                "",
                "*",
                "[server] workers, by default a thread for each processor, are threads of one process"},
    OtherOption{{"DEFAULT", "reserved_host_cpus"},
                "",
                "0",
                "placement kept these vCPUs of each host free; in Gantry hosts report vcpus without them",
                true},
    OtherOption{
        {"DEFAULT", "reserved_host_memory_mb"}, "", "*", "it belongs to the memory_mb_used that a host reports"},
    OtherOption{{"DEFAULT", "reserved_host_disk_mb"}, "", "*", "it belongs to the local_gb_used that a host reports"},
    OtherOption{{"scheduler", "max_placement_results"}, "", "*", "Gantry considers every host"},
    OtherOption{{"DEFAULT", "scheduler_topic"}, "", "*", "callers reach Gantry at its socket"},
    OtherOption{{"DEFAULT", "scheduler_manager"}, "", "*", "Gantry is the manager"},
    OtherOption{{"DEFAULT", "scheduler_instance_sync_interval"},
                "",
                "*",
                "agents say which instances a host runs with each report"},
    OtherOption{{"DEFAULT", "default_schedule_zone"}, "", "*", "nova-api writes the zone into each request"},
    OtherOption{{"workarounds", "disable_fallback_pcpu_query"},
                "",
                "*",
                "it is about queries to placement, and Gantry makes none"},
    OtherOption{{"DEFAULT", "rpc_response_timeout"}, "", "*", "each request says how long its caller waits"},
    OtherOption{{"DEFAULT", "long_rpc_timeout"}, "", "*", "each request says how long its caller waits"},
    OtherOption{{"upgrade_levels", "scheduler"}, "", "*", "each request says which version of the methods it is for"},
    OtherOption{{"workarounds", "disable_group_policy_check_upcall"}, "", "*", "nova-compute reads it"},
    OtherOption{{"filter_scheduler", "baremetal_enabled_filters"},
                "baremetal_scheduler_default_filters",
                "*",
                "it holds where use_baremetal_filters is true"},
    OtherOption{{"filter_scheduler", "use_baremetal_filters"},
                "scheduler_use_baremetal_filters",
                "false",
                "one list of filters holds for all hosts"},
    OtherOption{{"scheduler", "host_manager"},
                "scheduler_host_manager",
                "host_manager|nova.scheduler.host_manager.HostManager",
                "Gantry has one way to see hosts"},
    OtherOption{
        {"DEFAULT", "servicegroup_driver"}, "", "db", "Gantry keeps the heartbeats itself; service_down_time holds"},
    OtherOption{
        {"DEFAULT", "scheduler_json_config_location"}, "", "", "no filter or weigher of Nova's own reads that file"},
    OtherOption{{"scheduler", "limit_tenants_to_placement_aggregate"},
                "",
                "false",
                "only placement could keep a project inside its aggregates; AggregateMultiTenancyIsolation in "
                "enabled_filters keeps others out of them"},
    OtherOption{{"scheduler", "placement_aggregate_required_for_tenants"},
                "",
                "false",
                "only placement could keep a project inside its aggregates; AggregateMultiTenancyIsolation in "
                "enabled_filters keeps others out of them"},
    OtherOption{{"scheduler", "query_placement_for_routed_network_aggregates"}, "", "false", placement_alone, true},
    OtherOption{{"scheduler", "query_placement_for_image_type_support"}, "", "false", placement_alone, true},
    OtherOption{{"scheduler", "enable_isolated_aggregate_filtering"}, "", "false", placement_alone, true},
    OtherOption{{"scheduler", "image_metadata_prefilter"}, "", "false", placement_alone, true},
    OtherOption{{"filter_scheduler", "pci_in_placement"}, "", "false", placement_alone, true},
};

struct LaterOption {
  std::string_view key;
  Release since;
};
// The others are Icehouse's, perhaps under an older name.
constexpr std::array later{
    LaterOption{"disk_weight_multiplier", Release::ocata},
    LaterOption{"io_ops_weight_multiplier", Release::ocata},
    LaterOption{"soft_affinity_weight_multiplier", Release::ocata},
    LaterOption{"soft_anti_affinity_weight_multiplier", Release::ocata},
    LaterOption{"shuffle_best_same_weighed_hosts", Release::zed},
    LaterOption{"cpu_weight_multiplier", Release::zed},
    LaterOption{"pci_weight_multiplier", Release::zed},
    LaterOption{"build_failure_weight_multiplier", Release::zed},
    LaterOption{"cross_cell_move_weight_multiplier", Release::zed},
    LaterOption{"image_properties_default_architecture", Release::zed},
    LaterOption{"packing_host_numa_cells_allocation_strategy", Release::zed},
    LaterOption{"hypervisor_version_weight_multiplier", Release::bobcat},
    LaterOption{"num_instances_weight_multiplier", Release::bobcat},
    LaterOption{"image_props_weight_multiplier", Release::epoxy},
    LaterOption{"image_props_weight_setting", Release::epoxy},
};

}  // namespace

Release first_release(const CarriedOption& option) {
  const auto* const found = std::ranges::find(later, option.name.key, &LaterOption::key);
  return found == later.end() ? Release::icehouse : found->since;
}

std::vector<OptionName> names_read(OptionName name, OptionName older, Release release) {
  if (older.key.empty() || release >= Release::zed) return {name};
  if (release == Release::icehouse) return {older};
  return {name, older};
}

std::span<const CarriedOption> carried_options() {
  return carried;
}

std::span<const OtherOption> other_options() {
  return others;
}

}  // namespace gantry::config::nova
