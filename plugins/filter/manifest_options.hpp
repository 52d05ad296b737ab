// SPDX-License-Identifier: Apache-2.0
//
// The options of [driver.filter] as its manifest declares them: Nova's own, each under the name and default that Zed
// gives it (those of [metrics] with metrics_ in front), and Gantry's compatibility,
// ignore_placement_requirements and request_cache_mib. options.hpp reads them. A macro, since the text of a manifest must be one literal.
#pragma once

// clang-format off
#define FILTER_DRIVER_OPTIONS \
  "[options.compatibility]\n" \
  "type = 'string'\n" \
  "default = 'zed'\n" \
  "choices = ['zed', 'ocata', 'icehouse']\n" \
  "help = 'the Nova release whose rules hold where releases differ'\n" \
  "[options.enabled_filters]\n" \
  "type = 'strings'\n" \
  "default = ['ComputeFilter', 'ComputeCapabilitiesFilter', 'ImagePropertiesFilter', " \
    "'ServerGroupAntiAffinityFilter', 'ServerGroupAffinityFilter', 'AvailabilityZoneFilter', 'CoreFilter', " \
    "'RamFilter', 'DiskFilter']\n" \
  "help = 'filters by class name, in the order in which they run; the default is that of Zed and the four whose " \
    "part its placement service takes. Ocata: RetryFilter, AvailabilityZoneFilter, RamFilter, DiskFilter, " \
    "ComputeFilter, ComputeCapabilitiesFilter, ImagePropertiesFilter, ServerGroupAntiAffinityFilter, " \
    "ServerGroupAffinityFilter; Icehouse: the same without DiskFilter. Filters that libraries offer may stand among " \
    "them. Empty: no filter at all'\n" \
  "offers = 'gantry.filter/1'\n" \
  "choices = ['AggregateCoreFilter', 'AggregateDiskFilter', 'AggregateImagePropertiesIsolation', " \
    "'AggregateInstanceExtraSpecsFilter', 'AggregateIoOpsFilter', 'AggregateMultiTenancyIsolation', " \
    "'AggregateNumInstancesFilter', 'AggregateRamFilter', 'AggregateTypeAffinityFilter', 'AllHostsFilter', " \
    "'AvailabilityZoneFilter', 'ComputeCapabilitiesFilter', 'ComputeFilter', 'CoreFilter', " \
    "'DifferentHostFilter', 'DiskFilter', 'ExactCoreFilter', 'ExactDiskFilter', 'ExactRamFilter', " \
    "'GroupAffinityFilter', 'GroupAntiAffinityFilter', 'ImagePropertiesFilter', 'IoOpsFilter', " \
    "'IsolatedHostsFilter', 'JsonFilter', 'MetricsFilter', 'NUMATopologyFilter', 'NumInstancesFilter', " \
    "'PciPassthroughFilter', 'RamFilter', 'RetryFilter', 'SameHostFilter', 'ServerGroupAffinityFilter', " \
    "'ServerGroupAntiAffinityFilter', 'SimpleCIDRAffinityFilter', 'TrustedFilter', 'TypeAffinityFilter']\n" \
  "[options.enabled_filters.guards.disk]\n" \
  "choices = ['DiskFilter', 'AggregateDiskFilter', 'ExactDiskFilter']\n" \
  "warning = 'nothing keeps instances from being given more disk than a host has'\n" \
  "[options.enabled_filters.guards.memory]\n" \
  "choices = ['RamFilter', 'AggregateRamFilter', 'ExactRamFilter']\n" \
  "warning = 'nothing keeps instances from being given more memory than a host has, by its allocation ratio'\n" \
  "[options.enabled_filters.guards.up]\n" \
  "choices = ['ComputeFilter']\n" \
  "warning = 'nothing keeps instances off hosts that are down or disabled'\n" \
  "[options.enabled_filters.guards.vcpus]\n" \
  "choices = ['CoreFilter', 'AggregateCoreFilter', 'ExactCoreFilter']\n" \
  "warning = 'nothing keeps instances from being given more vcpus than a host has, by its allocation ratio'\n" \
  "[options.weight_classes]\n" \
  "type = 'strings'\n" \
  "default = ['nova.scheduler.weights.all_weighers']\n" \
  "help = 'weighers by class name or as nova.scheduler.weights.<module>.<class>; their terms are added in this " \
    "order. nova.scheduler.weights.all_weighers are those of the release, in this order: " \
    "ServerGroupSoftAffinityWeigher, ServerGroupSoftAntiAffinityWeigher, BuildFailureWeigher, CPUWeigher, " \
    "CrossCellWeigher, DiskWeigher, IoOpsWeigher, MetricsWeigher, PCIWeigher, RAMWeigher (Ocata: without " \
    "BuildFailure, CPU, CrossCell and PCI; Icehouse: MetricsWeigher, RAMWeigher), and none that libraries offer: " \
    "these are named beside it. Empty: no weigher at all'\n" \
  "offers = 'gantry.weigher/1'\n" \
  "choices = ['nova.scheduler.weights.all_weighers', 'BuildFailureWeigher', 'CPUWeigher', 'CrossCellWeigher', " \
    "'DiskWeigher', 'IoOpsWeigher', 'MetricsWeigher', 'PCIWeigher', 'RAMWeigher', " \
    "'ServerGroupSoftAffinityWeigher', 'ServerGroupSoftAntiAffinityWeigher', " \
    "'nova.scheduler.weights.compute.BuildFailureWeigher', 'nova.scheduler.weights.cpu.CPUWeigher', " \
    "'nova.scheduler.weights.cross_cell.CrossCellWeigher', 'nova.scheduler.weights.disk.DiskWeigher', " \
    "'nova.scheduler.weights.io_ops.IoOpsWeigher', 'nova.scheduler.weights.metrics.MetricsWeigher', " \
    "'nova.scheduler.weights.pci.PCIWeigher', 'nova.scheduler.weights.ram.RAMWeigher', " \
    "'nova.scheduler.weights.affinity.ServerGroupSoftAffinityWeigher', " \
    "'nova.scheduler.weights.affinity.ServerGroupSoftAntiAffinityWeigher']\n" \
  "[options.ignore_placement_requirements]\n" \
  "type = 'boolean'\n" \
  "default = false\n" \
  "help = 'true: traits and custom resource classes that a flavor, an image or a request asks for are passed over; " \
    "false: such a request is refused, since only a placement service could judge it'\n" \
  "[options.request_cache_mib]\n" \
  "type = 'integer'\n" \
  "default = 256\n" \
  "minimum = 0\n" \
  "help = 'MiB of memory for what hosts are and weigh to requests that came before: one like them costs what has changed " \
    "since. 0: each request goes through all hosts; what is decided is the same'\n" \
  "[options.host_subset_size]\n" \
  "type = 'integer'\n" \
  "default = 1\n" \
  "minimum = 1\n" \
  "help = 'the host is chosen at random among so many of the best'\n" \
  "[options.shuffle_best_same_weighed_hosts]\n" \
  "type = 'boolean'\n" \
  "default = false\n" \
  "help = 'true: hosts whose weight equals the best one are shuffled'\n" \
  "[options.ram_weight_multiplier]\n" \
  "type = 'real'\n" \
  "default = 1.0\n" \
  "help = 'of RAMWeigher; below 0: hosts with little free memory first. An aggregate may say otherwise by metadata " \
    "of the same name, here and with all multipliers'\n" \
  "[options.cpu_weight_multiplier]\n" \
  "type = 'real'\n" \
  "default = 1.0\n" \
  "help = 'of CPUWeigher; below 0: hosts with few free vCPUs first'\n" \
  "[options.disk_weight_multiplier]\n" \
  "type = 'real'\n" \
  "default = 1.0\n" \
  "help = 'of DiskWeigher; below 0: hosts with little free disk first'\n" \
  "[options.io_ops_weight_multiplier]\n" \
  "type = 'real'\n" \
  "default = -1.0\n" \
  "help = 'of IoOpsWeigher; above 0: busy hosts first'\n" \
  "[options.pci_weight_multiplier]\n" \
  "type = 'real'\n" \
  "default = 1.0\n" \
  "help = 'of PCIWeigher; at least 0'\n" \
  "[options.soft_affinity_weight_multiplier]\n" \
  "type = 'real'\n" \
  "default = 1.0\n" \
  "help = 'of ServerGroupSoftAffinityWeigher; at least 0 (Ocata: any)'\n" \
  "[options.soft_anti_affinity_weight_multiplier]\n" \
  "type = 'real'\n" \
  "default = 1.0\n" \
  "help = 'of ServerGroupSoftAntiAffinityWeigher; at least 0 (Ocata: any)'\n" \
  "[options.build_failure_weight_multiplier]\n" \
  "type = 'real'\n" \
  "default = 1000000.0\n" \
  "help = 'of BuildFailureWeigher: how strongly recent failed builds count against a host'\n" \
  "[options.cross_cell_move_weight_multiplier]\n" \
  "type = 'real'\n" \
  "default = 1000000.0\n" \
  "help = 'of CrossCellWeigher; below 0: hosts in other cells first'\n" \
  "[options.metrics_weight_multiplier]\n" \
  "type = 'real'\n" \
  "default = 1.0\n" \
  "help = 'of MetricsWeigher ([metrics] weight_multiplier)'\n" \
  "[options.metrics_weight_setting]\n" \
  "type = 'strings'\n" \
  "default = []\n" \
  "help = 'metrics and how much each counts, as name=number; what MetricsWeigher adds up and MetricsFilter demands " \
    "([metrics] weight_setting)'\n" \
  "[options.metrics_required]\n" \
  "type = 'boolean'\n" \
  "default = true\n" \
  "help = 'true: a host that lacks one of these metrics makes the request fail unless MetricsFilter has removed " \
    "it; false: it gets metrics_weight_of_unavailable ([metrics] required)'\n" \
  "[options.metrics_weight_of_unavailable]\n" \
  "type = 'real'\n" \
  "default = -10000.0\n" \
  "help = 'what a host weighs for MetricsWeigher that lacks a metric which is not required ([metrics] " \
    "weight_of_unavailable)'\n" \
  "[options.max_io_ops_per_host]\n" \
  "type = 'integer'\n" \
  "default = 8\n" \
  "minimum = 0\n" \
  "help = 'IoOpsFilter and AggregateIoOpsFilter pass hosts with fewer instances that do heavy I/O'\n" \
  "[options.max_instances_per_host]\n" \
  "type = 'integer'\n" \
  "default = 50\n" \
  "minimum = 1\n" \
  "help = 'NumInstancesFilter and AggregateNumInstancesFilter pass hosts with fewer instances'\n" \
  "[options.isolated_images]\n" \
  "type = 'strings'\n" \
  "default = []\n" \
  "help = 'ids of images that IsolatedHostsFilter lets run on isolated hosts alone'\n" \
  "[options.isolated_hosts]\n" \
  "type = 'strings'\n" \
  "default = []\n" \
  "help = 'names of the hosts that are kept for these images'\n" \
  "[options.restrict_isolated_hosts_to_isolated_images]\n" \
  "type = 'boolean'\n" \
  "default = true\n" \
  "help = 'true: IsolatedHostsFilter lets no other image run on the isolated hosts'\n" \
  "[options.aggregate_image_properties_isolation_namespace]\n" \
  "type = 'string'\n" \
  "default = ''\n" \
  "help = 'AggregateImagePropertiesIsolation looks only at metadata whose key begins with it and the separator; " \
    "empty: at all'\n" \
  "[options.aggregate_image_properties_isolation_separator]\n" \
  "type = 'string'\n" \
  "default = '.'\n" \
  "help = 'between namespace and property in such a key'\n" \
  "[options.image_properties_default_architecture]\n" \
  "type = 'string'\n" \
  "default = ''\n" \
  "choices = ['', 'alpha', 'armv6', 'armv7l', 'armv7b', 'aarch64', 'cris', 'i686', 'ia64', 'lm32', 'm68k', " \
    "'microblaze', 'microblazeel', 'mips', 'mipsel', 'mips64', 'mips64el', 'openrisc', 'parisc', 'parisc64', 'ppc', " \
    "'ppcle', 'ppc64', 'ppc64le', 'ppcemb', 's390', 's390x', 'sh4', 'sh4eb', 'sparc', 'sparc64', 'unicore32', " \
    "'x86_64', 'xtensa', 'xtensaeb']\n" \
  "help = 'the architecture that ImagePropertiesFilter takes for an image that names none; empty: any'\n" \
  "[options.packing_host_numa_cells_allocation_strategy]\n" \
  "type = 'boolean'\n" \
  "default = false\n" \
  "help = 'true: an instance with a NUMA topology goes to the fullest NUMA cells of its host that have room; " \
    "false: to the emptiest ([compute])'\n" \
  "[options.cpu_allocation_ratio]\n" \
  "type = 'real'\n" \
  "default = 16.0\n" \
  "minimum = 0\n" \
  "help = 'compatibility = icehouse alone: vCPUs for each real one, on every host; otherwise what the host reports " \
    "holds, or else [scheduling] cpu_allocation_ratio'\n" \
  "[options.ram_allocation_ratio]\n" \
  "type = 'real'\n" \
  "default = 1.5\n" \
  "minimum = 0\n" \
  "help = 'compatibility = icehouse alone: the same of memory'\n" \
  "[options.disk_allocation_ratio]\n" \
  "type = 'real'\n" \
  "default = 1.0\n" \
  "minimum = 0\n" \
  "help = 'compatibility = icehouse alone: the same of disk'\n"
// clang-format on
