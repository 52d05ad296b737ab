# SPDX-License-Identifier: Apache-2.0
"""The rows that Gantry reads at its start, as SQL."""

ROWS = """
select id, uuid, name, database_connection, disabled from nova_api.cell_mappings;
select id, host, cell_id from nova_api.host_mappings;
select id, uuid, name from nova_api.aggregates;
select id, aggregate_id, host from nova_api.aggregate_hosts;
select id, aggregate_id, `key`, value from nova_api.aggregate_metadata;
select id, host, `binary`, disabled, disabled_reason, forced_down, last_seen_up, report_count, version, deleted, created_at, deleted_at
  from nova.services where `binary` = 'nova-compute' and deleted = 0;
select id, created_at, updated_at, deleted_at, deleted, host, hypervisor_hostname, uuid, vcpus, memory_mb, local_gb, vcpus_used,
  memory_mb_used, local_gb_used, hypervisor_type, hypervisor_version, free_ram_mb, free_disk_gb, current_workload, running_vms,
  disk_available_least, host_ip, cpu_info, supported_instances, metrics, pci_stats, stats, numa_topology, ram_allocation_ratio,
  cpu_allocation_ratio, disk_allocation_ratio from nova.compute_nodes where deleted = 0;
select id, uuid, host, deleted from nova.instances where deleted = 0 and host is not null;
select id, name from placement.resource_classes;
select id, name from placement.traits;
select id, uuid from placement.placement_aggregates;
select id, uuid, generation, parent_provider_id, root_provider_id, updated_at from placement.resource_providers;
select resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio,
  allocation_ratio + 0e0 from placement.inventories;
select resource_provider_id, resource_class_id, cast(sum(used) as signed) from placement.allocations
  group by resource_provider_id, resource_class_id;
select resource_provider_id, trait_id from placement.resource_provider_traits;
select resource_provider_id, aggregate_id from placement.resource_provider_aggregates;
"""
