// SPDX-License-Identifier: Apache-2.0
//
// The library operators.so: its manifest, and the list of its rules.
#include "operators.hpp"

GANTRY_OFFERS(R"(
id = 'operators'
version = '0.1.0'
description = 'rules that operators of OpenStack wrote for themselves'
license = 'Apache-2.0'
[offers.HANAMemoryMaxUnitFilter]
kind = 'gantry.filter/1'
help = 'keeps a HANA instance to clusters with a node that has enough free memory'
threads = 'reentrant'
columns.uses = ['stats.memory_mb_max_unit:i64']
[offers.ResizeReservedRAMFilter]
kind = 'gantry.filter/1'
help = 'keeps a share of the memory of each host for resizes'
threads = 'reentrant'
columns.needs = ['memory_mb', 'free_ram_mb', 'ram_allocation_ratio']
[offers.ResizeReservedRAMFilter.options.resize_reserved_ram_percent]
type = 'real'
default = 10.0
minimum = 0.0
maximum = 100.0
help = 'per cent of the memory that are kept for resizes'
[offers.HANABinPackWeigher]
kind = 'gantry.weigher/1'
help = 'prefers for a HANA instance the cluster whose largest free node is the smallest'
threads = 'reentrant'
columns.uses = ['stats.memory_mb_max_unit:i64']
[offers.HANABinPackWeigher.options.hana_binpack_weight_multiplier]
type = 'real'
default = 1.0
help = 'what the score counts beside other weights'
[offers.VmSizeThresholdFilter]
kind = 'gantry.filter/1'
help = 'keeps large instances away from small hypervisors'
threads = 'reentrant'
columns.uses = ['stats.hypervisor_memory_mb:i64']
[offers.VmSizeThresholdFilter.options.vm_size_threshold_vm_size_mb]
type = 'integer'
default = 65536
minimum = 0
help = 'MiB from which on an instance is large'
[offers.VmSizeThresholdFilter.options.vm_size_threshold_hv_size_mb]
type = 'integer'
default = 1536000
minimum = 0
help = 'MiB from which on a hypervisor takes a large instance'
[offers.BigVmClusterUtilizationFilter]
kind = 'gantry.filter/1'
help = 'keeps a big VM to clusters that are not used too much'
threads = 'reentrant'
columns.needs = ['memory_mb', 'free_ram_mb']
columns.uses = ['stats.hypervisor_memory_mb:i64']
[offers.BigVmClusterUtilizationFilter.options.bigvm_mb]
type = 'integer'
default = 1048576
minimum = 0
help = 'MiB from which on an instance is a big VM'
[offers.BigVmFlavorHostSizeFilter]
kind = 'gantry.filter/1'
help = 'keeps a big VM to hypervisors of which it fills a share that the extra spec host_fraction names'
threads = 'reentrant'
columns.uses = ['stats.hypervisor_memory_mb:i64']
[offers.BigVmFlavorHostSizeFilter.options.bigvm_mb]
type = 'integer'
default = 1048576
minimum = 0
help = 'MiB from which on an instance is a big VM'
[offers.HvRamClassWeigher]
kind = 'gantry.weigher/1'
help = 'prefers hypervisors by the class of their memory'
threads = 'reentrant'
columns.uses = ['stats.hypervisor_memory_mb:i64']
[offers.HvRamClassWeigher.options.hv_ram_class_weights_gib]
type = 'table'
default = { 1024 = '1', 3072 = '0.5' }
help = 'the weight of each class, by the most GiB that a hypervisor of the class has'
[offers.HvRamClassWeigher.options.hv_ram_class_weight_multiplier]
type = 'real'
default = 1.0
help = 'what the score counts beside other weights'
[offers.ShardFilter]
kind = 'gantry.filter/1'
help = "keeps to the shards that the tags of the request's project name"
threads = 'reentrant'
columns.uses = ['aggregates']
[offers.ShardFilter.options.project_tags]
type = 'table'
default = {}
help = "the tags of each project, by its id, separated by commas: a copy of Keystone's"
[offers.ShardFilter.options.sharding_ignore_hana]
type = 'boolean'
default = true
help = 'HANA instances use any shard, unless the project has the tag use_individual_shard_tags_hana'
[offers.ShardFilter.options.hana_detection_strategy]
type = 'string'
default = 'hana_exclusive_host'
choices = ['hana_exclusive_host', 'memory_mb']
help = 'how a HANA instance is known'
[offers.ShardFilter.options.bigvm_mb]
type = 'integer'
default = 1048576
minimum = 0
help = 'MiB from which on an instance is a big VM'
[offers.VolumeSizeSameShardResizeFilter]
kind = 'gantry.filter/1'
help = 'keeps a resize of an instance with large volumes in its shard'
threads = 'reentrant'
columns.uses = ['aggregates', 'host']
[offers.VolumeSizeSameShardResizeFilter.options.project_tags]
type = 'table'
default = {}
help = "the tags of each project, by its id, separated by commas: a copy of Keystone's"
[offers.VolumeSizeSameShardResizeFilter.options.volume_size_same_shard_resize_filter_sum]
type = 'integer'
default = 1024
minimum = 0
help = 'GiB from which on the volumes of an instance are large'
[offers.PreferSameShardOnResizeWeigher]
kind = 'gantry.weigher/1'
help = 'prefers for a resize the shard of the instance'
threads = 'reentrant'
columns.uses = ['aggregates', 'host']
[offers.PreferSameShardOnResizeWeigher.options.prefer_same_shard_resize_weight_multiplier]
type = 'real'
default = 1.0
help = 'what the score counts beside other weights'
[offers.CpuInfoMigrationFilter]
kind = 'gantry.filter/1'
help = 'keeps a live migration to hosts that have each processor feature of the source host'
threads = 'reentrant'
columns.uses = ['cpu_info', 'host', 'hypervisor_hostname']
[offers.ResizeVcpuMaxUnitFilter]
kind = 'gantry.filter/1'
help = 'keeps a resize to fewer vCPUs to clusters with a node that takes the instance as it is'
threads = 'reentrant'
columns.uses = ['stats.vcpus_max_unit:i64']
[offers.PreferSameHostOnResizeWeigher]
kind = 'gantry.weigher/1'
help = 'prefers for a resize the host of the instance'
threads = 'reentrant'
columns.uses = ['host']
[offers.PreferSameHostOnResizeWeigher.options.prefer_same_host_resize_weight_multiplier]
type = 'real'
default = 1.0
help = 'what the score counts beside other weights'
[offers.FailureDomainFilter]
kind = 'gantry.filter/1'
help = 'keeps the members of a server group in different failure domains if the hint different_failure_domain is true'
threads = 'reentrant'
columns.uses = ['aggregates']
[offers.AntiAffinityAvailabilityZoneFilter]
kind = 'gantry.filter/1'
help = 'keeps the members of an anti-affinity group in different availability zones if the hint anti_affinity_policy is availability_zone'
threads = 'reentrant'
columns.uses = ['availability_zone']
[offers.RAMShareWeigher]
kind = 'gantry.weigher/1'
help = 'prefers hosts with the largest share of their memory free'
threads = 'reentrant'
columns.needs = ['memory_mb', 'free_ram_mb']
[offers.RAMShareWeigher.options.ram_weight_multiplier]
type = 'real'
default = 1.0
help = 'what the score counts beside other weights'
[offers.CPUShareWeigher]
kind = 'gantry.weigher/1'
help = 'prefers hosts with the largest share of their vCPUs free'
threads = 'reentrant'
columns.needs = ['vcpus', 'vcpus_used', 'cpu_allocation_ratio']
[offers.CPUShareWeigher.options.cpu_weight_multiplier]
type = 'real'
default = 1.0
help = 'what the score counts beside other weights'
[offers.BlazarFilter]
kind = 'gantry.filter/1'
help = 'keeps to the hosts of a reservation, and reserved hosts to its projects'
threads = 'reentrant'
columns.uses = ['aggregates']
[offers.BlazarFilter.options.aggregate_freepool_name]
type = 'string'
default = 'freepool'
help = 'the aggregate of hosts that can be reserved'
[offers.BlazarFilter.options.allow_preemptibles]
type = 'boolean'
default = false
help = 'instances with the extra spec blazar:preemptible use hosts that can be reserved'
[offers.BlazarFilter.options.preemptible_aggregate]
type = 'string'
default = 'freepool'
help = 'the aggregate of hosts for preemptible instances'
[offers.BlazarFilter.options.blazar_owner]
type = 'string'
default = 'blazar:owner'
help = "the key of the reservation's project in the metadata of its aggregate"
[offers.BlazarFilter.options.blazar_az_prefix]
type = 'string'
default = 'blazar_'
help = 'how the zones of reservations begin'
[offers.AggregateMatchFilter]
kind = 'gantry.filter/1'
help = "keeps to hosts whose aggregates' metadata the flavor has as extra specs"
threads = 'reentrant'
columns.uses = ['aggregates']
[offers.AggregateMultiTenancyIsolationWeigher]
kind = 'gantry.weigher/1'
help = "prefers hosts that an aggregate dedicates to the request's project by filter_tenant_id"
threads = 'reentrant'
columns.uses = ['aggregates']
[offers.AggregateMultiTenancyIsolationWeigher.options.aggregate_multi_tenancy_isolation_weight_multiplier]
type = 'real'
default = 1.0
help = 'what the score counts beside other weights'
[offers.RAXInstancesHostWeigher]
kind = 'gantry.weigher/1'
help = 'prefers hosts with more instances'
threads = 'reentrant'
columns.uses = ['running_vms']
[offers.RAXInstancesHostWeigher.options.rax_instances_weight_mult]
type = 'real'
default = 5.0
help = 'what the score counts beside other weights'
[offers.RAXProjectHostWeigher]
kind = 'gantry.weigher/1'
help = "prefers hosts with fewer instances of the request's project"
threads = 'reentrant'
columns.uses = ['stats']
[offers.RAXProjectHostWeigher.options.rax_instances_for_project_weight_mult]
type = 'real'
default = 20.0
help = 'what the score counts beside other weights'
[offers.RAXOSTypeHostWeigher]
kind = 'gantry.weigher/1'
help = "prefers hosts with fewer instances of another os_type than the image's"
threads = 'reentrant'
columns.uses = ['stats']
[offers.RAXOSTypeHostWeigher.options.rax_instances_for_os_type_weight_mult]
type = 'real'
default = 200000.0
help = 'what the score counts beside other weights'
[offers.DecommissioningWeigher]
kind = 'gantry.weigher/1'
help = 'avoids hosts with the trait CUSTOM_DECOMMISSIONING'
threads = 'reentrant'
columns.uses = ['stats.traits:string']
[offers.DecommissioningWeigher.options.decommissioning_weight_multiplier]
type = 'real'
default = 1.0
help = 'what the score counts beside other weights'
[offers.SapphireRapidsWeigher]
kind = 'gantry.weigher/1'
help = 'avoids hosts with the trait CUSTOM_HW_SAPPHIRE_RAPIDS'
threads = 'reentrant'
columns.uses = ['stats.traits:string']
[offers.SapphireRapidsWeigher.options.sapphire_rapids_weight_multiplier]
type = 'real'
default = 1.0
help = 'what the score counts beside other weights'
[offers.TraitRequiredFilter]
kind = 'gantry.filter/1'
help = 'keeps to hosts with the traits that hints trait:CUSTOM_NAME=required name'
threads = 'reentrant'
columns.uses = ['stats.traits:string']
[offers.NetworkGroupAffinityFilter]
kind = 'gantry.filter/1'
help = 'keeps to the network group that a server group of policy network-group-affinity names in its rules'
threads = 'reentrant'
columns.uses = ['stats.traits:string']
[offers.NetworkGroupAntiAffinityFilter]
kind = 'gantry.filter/1'
help = 'avoids the network group that a server group of policy network-group-anti-affinity names in its rules'
threads = 'reentrant'
columns.uses = ['stats.traits:string']
)",
              operators::hana_memory_max_unit_filter(), operators::resize_reserved_ram_filter(),
              operators::hana_bin_pack_weigher(), operators::vm_size_threshold_filter(),
              operators::big_vm_cluster_utilization_filter(), operators::big_vm_flavor_host_size_filter(),
              operators::hv_ram_class_weigher(), operators::shard_filter(),
              operators::volume_size_same_shard_resize_filter(), operators::prefer_same_shard_weigher(),
              operators::cpu_info_migration_filter(), operators::resize_vcpu_max_unit_filter(),
              operators::prefer_same_host_weigher(), operators::failure_domain_filter(),
              operators::anti_affinity_availability_zone_filter(), operators::ram_share_weigher(),
              operators::cpu_share_weigher(), operators::blazar_filter(), operators::aggregate_match_filter(),
              operators::aggregate_multi_tenancy_isolation_weigher(), operators::rax_instances_weigher(),
              operators::rax_project_weigher(), operators::rax_os_type_weigher(), operators::decommissioning_weigher(),
              operators::sapphire_rapids_weigher(), operators::trait_required_filter(),
              operators::network_group_affinity_filter(), operators::network_group_anti_affinity_filter());
