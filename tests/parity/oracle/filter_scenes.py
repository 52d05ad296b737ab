# SPDX-License-Identifier: Apache-2.0
"""For each of Nova's filters: how a host, a request and the options are made that reach every branch of it."""

from . import fleet
from . import json_query
from . import nova_runtime
from . import releases
from . import requests
from . import topology
from .dice import number, plain_words, requirement, word

_AGGREGATE_KEYS = ["disk", "gpu", "arch", "ratio", "tier"]


def _aggregate_specs(dice, host):
    fleet.give_aggregates(dice, host, {key: lambda dice: fleet.listed(
        dice, [number(dice, 0.06), number(dice, 0.06), word(dice)]) for key in _AGGREGATE_KEYS})


def _ask_aggregate_specs(dice, spec):
    values = ["ssd", "hdd", "gold", "x86_64", "1", "2", "4", "10"]

    def make(dice):
        key = dice.one(_AGGREGATE_KEYS) if dice.chance(0.95) else "missing"
        scope = dice.one(["", "", "aggregate_instance_extra_specs:", "aggregate_instance_extra_specs:", "capabilities:",
                          "hw:", "aggregate_instance_extra_specs:a:"])
        return scope + key, requirement(dice, values)
    requests.ask_extra_specs(dice, spec, make)


_CAPABILITIES = {
    "free_ram_mb": ["0", "512", "65536", "-512"], "vcpus_total": ["4", "8", "16"], "host": ["host1", "Host1", "host"],
    "cpu_allocation_ratio": ["16.0", "1.0", "4"], "hypervisor_type": ["QEMU", "kvm", "None"], "host_ip": ["10.0.0.7"],
    "hypervisor_version": ["7002000", "0", "6000000"], "hypervisor_hostname": ["node1.example", ""],
    "cpu_info": ["x86_64", "{", "null"], "cpu_info:arch": ["x86_64", "aarch64"],
    "cpu_info:topology:cores": ["4", "16", "8"],
    "cpu_info:features": ["aes", "mmx", "['aes', 'mmx', 'vmx']", "[]"], "cpu_info:ratio": ["1.0", "1"],
    "cpu_info:big": ["1e+22", "1e22"], "cpu_info:small": ["1e-07"], "cpu_info:on": ["True", "true"],
    "cpu_info:off": ["False"],
    "cpu_info:text": ["it's"], "cpu_info:both": ["'\""],
    "cpu_info:mixed": ["None", "[1, 'a', 2.5, None, True, {'k': [0.1]}]"],
    "cpu_info:topology": ["cores", "{'cores': 16}"], "cpu_info:none": ["None"], "cpu_info:missing": ["1"],
    "cpu_info:features:x": ["1"], "cpu_info:arch:x": ["1"], "stats:gpus": ["2", "0", "4.0"], "stats": ["{}", "gpus"],
    "gpus": ["2", "0", "4.0"], "fast": ["True", "yes"], "tags": ["ssd", "['ssd', 'gold']", "ssd,gold"],
    "level": ["1.0", "1", "0"],
    "nested": ["{}", "{bad"], "nested:a:b": ["1", "2"], "nested:a": ["{'b': '1'}", "{'b': 1}"], "nested:x": ["1"],
    "io_workload": ["3", "2"], "zero": ["0"], "empty": ["", "x"], "supported_instances": ["kvm", "[]", "x86_64"],
    "limits": ["{}", "vcpu"], "limits:vcpu": ["64.0", "64"], "service:disabled": ["False", "True"],
    "service:host": ["host1", "Host1"],
    "service": ["disabled"],
    "instances": ["{}"], "instances:x": ["1"], "num_instances": ["0", "5"], "pci_stats:pools": ["[]"],
    "metrics": ["[]"],
    "missing": ["1"], "missing:x": ["1"], "numa_topology": ["1"], "aggregates": ["[]"], "updated": ["1"],
    "host:x": ["1"],
    "free_ram_mb:x": ["1"], "": ["1", ""], ":": ["1"],
}


def _ask_capabilities(dice, spec):
    names = list(_CAPABILITIES)

    def make(dice):
        name = dice.one(names)
        values = _CAPABILITIES[name]
        asked = requirement(dice, values + [part for value in values for part in plain_words(value)], 0.03)
        if ":" in name or dice.chance(0.5):
            scope = "capabilities:" if dice.chance(0.92) else dice.one(["hw:", "Capabilities:", "trait:", ""])
        else:
            scope = ""
        return scope + name, asked
    requests.ask_extra_specs(dice, spec, make)
    if releases.has("caracal") and "extra_specs" in spec["flavor"] and dice.chance(0.2):
        spec["flavor"]["extra_specs"]["hw:maxphysaddr_bits"] = dice.one(["36", "42", "43", "46", "47", "x", "", "42.0"])


def _image_metadata(dice, host):
    pools = {"hw_architecture": ["x86_64", "aarch64", "i686"], "os_distro": ["ubuntu", "debian", "x"],
             "os_type": ["linux"],
             "hw_machine_type": ["q35", "pc"], "os_version": ["12"], "os_require_quiesce": ["True", "true", "False"],
             "hw_cpu_cores": ["2", "4", "0"],
             "img_hv_type": ["kvm", "KVM"], "hw_numa_mem": ["[1024]", "1024"], "traits_required": ["['CUSTOM_A']"],
             "os::distro": ["ubuntu"], "ns.os_distro": ["ubuntu"], "hw_vm_mode": ["hvm", "xen"], "my_property": ["1"],
             "hw_disk_bus": ["scsi", "virtio"], "os_distros": ["x"]}
    fleet.give_aggregates(dice, host, {key: lambda dice, values=values: fleet.listed(dice, values)
                                       for key, values in pools.items()})


def _isolation_options(dice):
    config = {}
    if dice.chance(0.4):
        namespace = dice.one(["os", "hw", "ns", "os_", ""])
        config["filter_scheduler.aggregate_image_properties_isolation_namespace"] = namespace
    if dice.chance(0.4):
        config["filter_scheduler.aggregate_image_properties_isolation_separator"] = dice.one(["_", ".", "::", ""])
    return config


def _isolated_options(dice):
    config = {}
    images = [f"1a8ed000-0000-4000-a000-00000000000{digit}" for digit in "12"]
    if dice.chance(0.75):
        config["filter_scheduler.isolated_images"] = dice.some(images, 2, 1)
    if dice.chance(0.75):
        config["filter_scheduler.isolated_hosts"] = dice.some(fleet.HOST_NAMES, 4, 1)
    if dice.chance(0.5):
        config["filter_scheduler.restrict_isolated_hosts_to_isolated_images"] = False
    return config


def _ask_isolated_image(dice, spec):
    if dice.chance(0.6):
        spec["image"]["id"] = f"1a8ed000-0000-4000-a000-00000000000{dice.one('123')}"
    if dice.chance(0.15):
        requests.ask_no_image(dice, spec)


def _ask_image(dice, spec):
    requests.ask_image(dice, spec)
    if dice.chance(0.03):
        spec["image"] = None


def metrics_options(dice):
    config, names = {}, fleet.METRIC_NAMES * 5 + [fleet.UNVALUED_METRIC]
    if dice.chance(0.9):
        config["metrics.weight_setting"] = [
            dice.one(names) + "=" + dice.one(["1", "1.0", "-2.5", "0", "0.1", "1e3", " 2 "])
            for _ in range(dice.one([1, 1, 2, 3]))] + (dice.one([["bad"], ["cpu.idle.time=x"], ["=1"], ["a=1=2"], [""]])
                                                      if dice.chance(0.2) else [])
    return config


def _limit_option(option):
    def make(dice):
        return {"filter_scheduler." + option: dice.one([1, 2, 5, 8, 50])} if dice.chance(0.5) else {}
    return make


def _limit_aggregates(key):
    def make(dice, host):
        fleet.give_numbers(dice, host)
        fleet.give_aggregates(dice, host, {key: fleet.numeric_value})
    return make


def _tenants(dice, host):
    fleet.give_aggregates(dice, host, {
        "filter_tenant_id": lambda dice: fleet.listed(dice, ["p1", "p2", "p3", ""]),
        "filter_tenant_id2": lambda dice: "p1"} | (_more_tenants() if releases.has("dalmatian") else {}))


def _more_tenants():
    return {name: lambda dice: fleet.listed(dice, ["p1", "p2", "p3", ""])
            for name in ("filter_tenant_id:5", "filter_tenant_idX", "Filter_tenant_id", "filter_tenant_i")}


def _types(dice, host):
    fleet.give_aggregates(dice, host, {
        "instance_type": lambda dice: fleet.listed(dice, ["m1", "m1.small", "c5", "gpu large", "m", ""])})


def _zones(dice, host):
    fleet.give_aggregates(dice, host, {
        "availability_zone": lambda dice: fleet.listed(dice, ["nova", "az1", "az2", "internal", ""])})


def _near(dice, host):
    host["host_ip"] = dice.one(["10.0.0.7", "10.0.1.5", "192.168.1.200", "fe80::7", "2001:db8::6", "10.0.0.5",
                                "0.0.0.0",
                                None if dice.chance(0.3) else "10.0.0.4", "::ffff:10.0.0.5"])


def _ask_query(dice, spec):
    if dice.chance(0.97):
        spec["scheduler_hints"]["query"] = json_query.query(dice)


def nothing(dice, thing):
    """Leaves the host or the request plain."""


def no_options(dice):
    return {}


def with_uuids(function):
    """A function that also takes the block's instance uuids."""
    function.takes_uuids = True
    return function


_instances = with_uuids(lambda dice, host, uuids: fleet.give_instances(dice, host, uuids))
_ask_hints = with_uuids(lambda dice, spec, uuids: requests.ask_hints(dice, spec, uuids))


def _ask_group(policy):
    def ask(dice, spec, uuids):
        if dice.chance(0.97):
            requests.ask_group(dice, spec, uuids, (policy, policy, policy) + requests.POLICIES)
    return with_uuids(ask)


# filter: (what the host is given, what is asked, which options)
SCENES = {
    "AggregateImagePropertiesIsolation": (_image_metadata, _ask_image, _isolation_options),
    "AggregateInstanceExtraSpecsFilter": (_aggregate_specs, _ask_aggregate_specs, no_options),
    "AggregateIoOpsFilter": (_limit_aggregates("max_io_ops_per_host"), nothing, _limit_option("max_io_ops_per_host")),
    "AggregateMultiTenancyIsolation": (_tenants, requests.ask_project, no_options),
    "AggregateNumInstancesFilter": (_limit_aggregates("max_instances_per_host"), nothing,
                                    _limit_option("max_instances_per_host")),
    "AggregateTypeAffinityFilter": (_types, requests.ask_flavor, no_options),
    "AllHostsFilter": (nothing, nothing, no_options),
    "AvailabilityZoneFilter": (_zones, requests.ask_zone, lambda dice: (
        {"DEFAULT.default_availability_zone": "az1"} if dice.chance(0.3) else {})),
    "ComputeCapabilitiesFilter": (fleet.give_capabilities, _ask_capabilities, no_options),
    "ComputeFilter": (fleet.give_service, nothing, no_options),
    "DifferentHostFilter": (_instances, _ask_hints, no_options),
    "ImagePropertiesFilter": (fleet.give_supported_instances, _ask_image, lambda dice: (
        {"filter_scheduler.image_properties_default_architecture": dice.one(["x86_64", "aarch64"])}
        if dice.chance(0.25) else {})),
    "IoOpsFilter": (fleet.give_numbers, nothing, _limit_option("max_io_ops_per_host")),
    "IsolatedHostsFilter": (nothing, _ask_isolated_image, _isolated_options),
    "JsonFilter": (fleet.give_capabilities, _ask_query, no_options),
    "MetricsFilter": (fleet.give_metrics, nothing, metrics_options),
    "NUMATopologyFilter": (topology.give_topology, topology.ask_topology, lambda dice: (
        {"compute.packing_host_numa_cells_allocation_strategy": True} if dice.chance(0.3) else {})),
    "NumInstancesFilter": (fleet.give_numbers, nothing, _limit_option("max_instances_per_host")),
    "PciPassthroughFilter": (topology.give_pci, topology.ask_pci, no_options),
    "SameHostFilter": (_instances, _ask_hints, no_options),
    "ServerGroupAffinityFilter": (nothing, _ask_group("affinity"), no_options),
    "ServerGroupAntiAffinityFilter": (_instances, _ask_group("anti-affinity"), no_options),
    "SimpleCIDRAffinityFilter": (_near, requests.ask_near, no_options),
}
SCENES = {name: scene for name, scene in SCENES.items() if name in nova_runtime.FILTERS}
