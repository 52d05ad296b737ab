# SPDX-License-Identifier: Apache-2.0
"""Random requests that ask much of placement, in a cloud of a few aggregates, networks and nodes."""

from . import releases
from . import requests
from .judge_placement import FILTERS

_AMOUNTS = ["0", "1", "4", "512", "-1", "x", "2.5", " 7 ", "+3", "1_0", "1__0", "_1", "1_", "007", "-0", "", "\t5\n",
            "99999999999999999999", "0x10", "1e3"]
_CLASSES = ["VCPU", "PCPU", "MEMORY_MB", "DISK_GB", "VGPU", "CUSTOM_GOLD", "CUSTOM_", "BOGUS", "", "VCPU\n",
            "NUMA_CORE", "CUSTOM_A:B", "CUSTOM_\u00fc ber&=+~", "CUSTOM_A\nB"]
_SUFFIXES = ["", "", "", "1", "2", "_a", "-", "_" + "x" * 63, "_" + "x" * 64, "\u00fc", " "]
_TRAITS = ["HW_CPU_X86_AVX", "HW_CPU_X86_VMX", "COMPUTE_NODE", "CUSTOM_FOO", "CUSTOM_SSD", "", "a,b"]
_MASKS = ["0", "0-1", "1-2", "^0", "^0-1", " ^1 ", "0-3,^1", "^0-99", "0-99", "", ",", "0,,1", "^", "a", "1-", "-1",
          "3-1", "1-a", "^a", "^1-a", "99999999999999999999", "0-9999,^1", "it's", "1 - 2", "+1", "1_0"]
_SPECS = {
    "hw:cpu_policy": ["dedicated", "dedicated", "shared", "mixed", "mixed", "bogus", ""],
    "hw:cpu_thread_policy": ["prefer", "isolate", "require", "bogus", ""],
    "hw:emulator_threads_policy": ["share", "isolate", "isolate", "bogus", ""],
    "hw:cpu_dedicated_mask": _MASKS,
    "hw:cpu_realtime": ["yes", "true", " T ", "no", "1", "", "maybe"],
    "hw:cpu_realtime_mask": _MASKS,
    "hw:mem_encryption": ["true", "false", "1", "", "yes"],
    "hw:pmem": ["6GB", "6GB, 6GB", "a-b,\u00fc,,16GB", ",", ""],
    "hw:tpm_version": ["1.2", "2.0", "3.0", "", "it's", "a\\\n\"'\x01"],
    "hw:tpm_model": ["tpm-tis", "tpm-crb", "bogus", ""],
    "os:secure_boot": ["required", "disabled", "optional", "bogus", ""],
    "hw:pci_numa_affinity_policy": ["required", "legacy", "preferred", "socket", "socket", "bogus", ""],
    "hw:ephemeral_encryption": ["true", "false", "", "on"],
    "hw:ephemeral_encryption_format": ["luks", "plain", "luksv2", "bogus", ""],
    "accel:device_profile": ["fpga", ""],
    "group_policy": ["none", "isolate", "bogus", ""],
}
_PROPERTIES = {
    "hw_cpu_policy": ["dedicated", "shared", "mixed"],
    "hw_cpu_thread_policy": ["prefer", "isolate", "require"],
    "hw_cpu_realtime_mask": _MASKS,
    "hw_mem_encryption": [True, False],
    "hw_firmware_type": ["uefi", "uefi", "bios"],
    "hw_machine_type": ["q35", "pc-q35-2.1", "pc"],
    "hw_tpm_version": ["1.2", "2.0"],
    "hw_tpm_model": ["tpm-tis", "tpm-crb"],
    "os_secure_boot": ["required", "disabled", "optional"],
    "hw_pci_numa_affinity_policy": ["required", "legacy", "preferred", "socket"],
    "hw_ephemeral_encryption": [True, False],
    "hw_ephemeral_encryption_format": ["luks", "plain", "luksv2"],
    "traits_required": [[], ["CUSTOM_FOO"], ["HW_CPU_X86_AVX", "COMPUTE_NODE"]],
    "hw_architecture": ["x86_64", "aarch64", "i686"],
    "hw_emulation_architecture": ["aarch64", "x86_64", "i686"],
    "hw_disk_bus": ["virtio", "scsi", "lxc"],
    "hw_cdrom_bus": ["ide", "sata"],
    "hw_video_model": ["virtio", "none", "qxl"],
    "hw_vif_model": ["virtio", "ne2k_pci", "spapr-vlan", "e1000e"],
    "hw_viommu_model": ["intel", "auto"],
}
# What releases after Zed read beside.
_LATER_SPECS = {
    "caracal": {"hw:virtio_packed_ring": ["true", "false", "1", "", "maybe"],
                "hw:maxphysaddr_mode": ["passthrough", "emulate", "emulate", "bogus", ""]},
    "flamingo": {"hw:sound_model": ["virtio", "virtio", "ich9", "bogus", ""],
                 "hw:mem_encryption_model": ["amd-sev", "amd-sev-es", "amd-sev-snp", "intel-tdx", "bogus", ""]},
    "gazpacho": {"hw:tpm_secret_security": ["user", "host", "deployment", "", "it's", "USER"]},
}
_LATER_PROPERTIES = {
    "caracal": {"hw_virtio_packed_ring": [True, False], "hw_maxphysaddr_mode": ["passthrough", "emulate"]},
    "dalmatian": {"hw_firmware_stateless": [True, True, False]},
    "epoxy": {"hw_vif_model": ["igb", "igb", "virtio"]},
    "flamingo": {"hw_sound_model": ["virtio", "ich9"], "hw_mem_encryption_model": ["amd-sev", "amd-sev-es"]},
    "hibiscus": {"hw_mem_encryption_model": ["amd-sev-snp", "amd-sev-snp", "amd-sev", *releases.models_of_intel()]},
}
_OPTIONS = {
    "scheduler.max_placement_results": [1, 50],
    "scheduler.limit_tenants_to_placement_aggregate": [True],
    "scheduler.placement_aggregate_required_for_tenants": [True],
    "scheduler.query_placement_for_availability_zone": [False],
    "scheduler.query_placement_for_image_type_support": [True],
    "scheduler.enable_isolated_aggregate_filtering": [True],
    "scheduler.image_metadata_prefilter": [True],
    "scheduler.query_placement_for_routed_network_aggregates": [True],
}
if releases.has("bobcat"):
    del _OPTIONS["scheduler.query_placement_for_availability_zone"]
_ENABLES = {
    "require_tenant_aggregate": "scheduler.limit_tenants_to_placement_aggregate",
    "require_image_type_support": "scheduler.query_placement_for_image_type_support",
    "isolate_aggregates": "scheduler.enable_isolated_aggregate_filtering",
    "transform_image_metadata": "scheduler.image_metadata_prefilter",
    "routed_networks_filter": "scheduler.query_placement_for_routed_network_aggregates",
}
_AGGREGATES = [f"aaaaaaaa-0000-4000-8000-00000000000{number}" for number in range(6)]
_PORTS = [f"bbbbbbbb-0000-4000-8000-00000000000{number}" for number in range(4)]


def _ask_extra_specs(dice, spec):
    asked = spec["flavor"]["extra_specs"]
    for _ in range(dice.randint(0, 5)):
        suffix = dice.one(_SUFFIXES)
        if dice.chance(0.6):
            asked[f"resources{suffix}:{dice.one(_CLASSES)}"] = dice.one(_AMOUNTS)
        else:
            asked[f"trait{suffix}:{dice.one(_TRAITS)}"] = dice.one(["required", "required", "forbidden", "maybe"])
    for key in dice.some(list(_SPECS), 4):
        asked[key] = dice.one(_SPECS[key])
    if dice.chance(0.15):
        mask = dice.one(["hw:cpu_dedicated_mask", "hw:cpu_realtime_mask"])
        asked.update({"hw:cpu_policy": "mixed", mask: dice.one(_MASKS), "hw:cpu_realtime": dice.one(["true", "false"])})
    if dice.chance(0.03):
        asked[dice.one(["resources", "traits:X", "xresources:VCPU", "resourcesVCPU"])] = "1"


def _ask_image(dice, spec):
    image = spec["image"]
    if dice.chance(0.7):
        image["name"] = dice.one(["jammy", "it's \u00fc"])
    if dice.chance(0.7):
        image["disk_format"] = dice.one(["qcow2", "raw", "vhdx", "unknown"])
    for key in dice.some(list(_PROPERTIES), 5):
        image["properties"][key] = dice.one(_PROPERTIES[key])
    if dice.chance(0.1):
        image["properties"] |= {"hw_mem_encryption": True, "hw_firmware_type": "uefi",
                                "hw_machine_type": dice.one(_PROPERTIES["hw_machine_type"])}


def _of_release(later):
    return {key: values for since, entries in later.items() if releases.has(since) for key, values in entries.items()}


def _ask_later(dice, spec):
    """What releases after Zed have come to read, and encrypted memory in all its forms."""
    specs, properties = _of_release(_LATER_SPECS), _of_release(_LATER_PROPERTIES)
    for key in dice.some(list(specs), 2):
        spec["flavor"]["extra_specs"][key] = dice.one(specs[key])
    for key in dice.some(list(properties), 2):
        spec["image"]["properties"][key] = dice.one(properties[key])
    if dice.chance(0.15):
        spec["flavor"]["extra_specs"]["hw:mem_encryption"] = dice.one(["true", "true", "false"])
        spec["image"]["properties"] |= {"hw_firmware_type": dice.one(["uefi", "uefi", "uefi", "bios"]),
                                        "hw_machine_type": dice.one(_PROPERTIES["hw_machine_type"])}
        for key in dice.some([key for key in specs if "encryption" in key], 1):
            spec["flavor"]["extra_specs"][key] = dice.one(specs[key])
    if dice.chance(0.2):
        spec["image"]["properties"]["hw_firmware_type"] = "uefi"
    if dice.chance(0.15):
        spec["flavor"]["extra_specs"]["hw:tpm_version"] = "2.0"
    if dice.chance(0.1):
        spec["image"].pop("id", None)


def _ask_devices(dice, spec):
    """PCI requests of a flavor and of ports, some with groups of their own."""
    ids = [dice.uuid() for _ in range(3)]
    spec["pci_requests"] = {"_object": "InstancePCIRequests", "requests": [
        {"_object": "InstancePCIRequest", "count": 1, "spec": [{"vendor_id": "8086"}],
         "alias_name": dice.one(["gpu", "gpu", "", None]), "request_id": dice.one([each, each, each, None])}
        for each in ids[:dice.randint(0, 3)]]}
    for group in spec["requested_resources"] or []:
        if dice.chance(0.6):
            group["requester_id"] = dice.one(ids) + dice.one(["-0", "-1", "-0-1", ""])


def _ask_groups(dice, spec):
    spec["requested_resources"] = [
        {"_object": "RequestGroup", "use_same_provider": True, "provider_uuids": [],
         "resources": dict((dice.one(_CLASSES), dice.randint(0, 3)) for _ in range(dice.randint(0, 2))),
         "required_traits": {"_set": sorted(dice.some(_TRAITS, 2))},
         "forbidden_traits": {"_set": sorted(dice.some(_TRAITS, 1))},
         "aggregates": [dice.some(_AGGREGATES, 2, 1) for _ in range(dice.one([0, 0, 0, 1, 2]))],
         "forbidden_aggregates": {"_set": sorted(dice.some(_AGGREGATES, 1)) if dice.chance(0.2) else []},
         "requester_id": dice.one(["port-1", "port-2", "port-3", "1", dice.uuid(), dice.uuid(), dice.uuid(), None]),
         "in_tree": dice.one([None, None, dice.uuid()])} for _ in range(dice.one([0, 1, 1, 2, 3]))]


def _ask_level_params(dice, spec):
    spec["request_level_params"].update(dice.one([{}, {
        "root_required": {"_set": sorted(dice.some(_TRAITS, 2))},
        "root_forbidden": {"_set": sorted(dice.some(_TRAITS, 2))},
        "same_subtree": [dice.some(["_a", "1", "port-1"], 3) for _ in range(dice.randint(0, 2))]}]))


def _ask_networks(dice, spec, neutron):
    def network():
        made = {"_object": "NetworkRequest", "network_id": dice.one([None, "auto", *neutron["networks"]]),
                "port_id": None}
        if dice.chance(0.4):
            made["port_id"] = dice.one(list(neutron["ports"]))
        return made

    if dice.chance(0.9):
        spec["requested_networks"] = {"_object": "NetworkRequestList",
                                      "objects": [network() for _ in range(dice.one([0, 1, 1, 2, 3]))]}


def _ask_destination(dice, spec):
    if dice.chance(0.3):
        spec["force_hosts"] = dice.one([[], ["h1"], ["h2"], ["unknown"], [""], ["h1", "h2"]])
    if dice.chance(0.3):
        spec["force_nodes"] = dice.one([[], ["n1"], ["n2"], ["unknown"]])
    if dice.chance(0.5):
        spec["requested_destination"] = wanted = {"_object": "Destination"}
        if dice.chance(0.4):
            wanted["host"] = dice.one(["h1", "h2", "unknown", ""])
        if dice.chance(0.4):
            wanted["node"] = dice.one(["n1", "n2", "n3", None, ""])
        if dice.chance(0.5):
            wanted["aggregates"] = [",".join(dice.some(_AGGREGATES, 3, 1)) for _ in range(dice.randint(0, 2))]
        if dice.chance(0.4):
            wanted["forbidden_aggregates"] = {"_set": sorted(dice.some(_AGGREGATES, 2))}
    if dice.chance(0.2):
        spec["scheduler_hints"] = dice.one([{"group": [dice.uuid()]}, {"same_host": []}, {"other": ["x"]}, None])


def _leave_out(dice, spec):
    """Now and then, a field that a conductor would have set."""
    if dice.chance(0.03):
        spec["image"] = None
    if dice.chance(0.04):
        del spec[dice.one(["image", "is_bfv", "project_id", "availability_zone", "scheduler_hints", "flavor",
                           "request_level_params", "requested_resources", "force_hosts"])]
    if dice.chance(0.04) and "flavor" in spec:
        del spec["flavor"][dice.one(["vcpus", "memory_mb", "root_gb", "ephemeral_gb", "swap", "name", "extra_specs"])]


def _spec(dice, neutron):
    spec = requests.plain_spec(dice)
    requests.ask_flavor(dice, spec)
    spec["flavor"]["vcpus"] = dice.one([0, 1, 2, 4, 4, 16])
    spec["flavor"]["swap"] = dice.one([0, 0, 1, 512, 1024, 1025])
    _ask_extra_specs(dice, spec)
    _ask_image(dice, spec)
    if dice.chance(0.5):
        _ask_groups(dice, spec)
    _ask_level_params(dice, spec)
    if releases.has("antelope"):
        _ask_later(dice, spec)
        _ask_devices(dice, spec)
    _ask_networks(dice, spec, neutron)
    _ask_destination(dice, spec)
    requests.ask_zone(dice, spec)
    requests.ask_project(dice, spec)
    _leave_out(dice, spec)
    return spec


def _config(dice):
    names = dice.some(list(_OPTIONS), 4)
    return {name: dice.one(_OPTIONS[name]) for name in names}


def _aggregates(dice):
    keys = ["availability_zone", "filter_tenant_id", "filter_tenant_id1", "other", "trait:CUSTOM_FOO",
            "trait:HW_CPU_X86_AVX", "trait:COMPUTE_NODE", "trait:", "traits"]
    values = ["nova", "az1", "az2", "p1", "p2", "p3", "required", "required", "required", "forbidden", ""]
    return [{"uuid": uuid, "metadata": {key: dice.one(values) for key in dice.some(keys, 4)}}
            for uuid in dice.some(_AGGREGATES, 6)]


def _neutron(dice):
    """Networks with their segments, subnets with one or none, segments with their aggregates; None: it is unknown."""
    segments = {f"segment-{number}": dice.one([None, [], *[dice.some(_AGGREGATES, 2, 1) for _ in range(6)]])
                for number in range(3)}
    networks = {f"network-{number}": dice.one([None, [], *[dice.some(list(segments), 2) for _ in range(6)]])
                for number in range(3)}
    subnets = {f"subnet-{number}": dice.one([None, [], *[dice.some(list(segments), 1, 1) for _ in range(6)]])
               for number in range(3)}
    ports = {port: {"network_id": dice.one(list(networks)), "subnet_id": dice.one([None, *subnets]),
                                "vnic_type": dice.one(["normal", "direct", "remote-managed"])} for port in _PORTS}
    return {"ports": ports, "networks": networks | {"auto": dice.one([None, []])}, "subnets": subnets,
            "segments": segments}


def request_filter_cases(dice, names):
    neutron = _neutron(dice)
    spec, config, aggregates = _spec(dice, neutron), _config(dice), _aggregates(dice)
    lowest = {"lowest_compute_version": dice.one([0, 61, 72, 73, 73, 80])} if releases.has("hibiscus") else {}
    if lowest and dice.chance(0.1):
        spec.setdefault("request_level_params", {"_object": "RequestLevelParams"})["root_required"] = {
            "_set": ["OWNER_NOVA"]}
    for name in FILTERS:
        enabled = config | ({_ENABLES[name]: True} if name in _ENABLES and dice.chance(0.8) else {})
        yield {"kind": "request_filter", "request_filter": name, "config": enabled, "spec": spec,
               "aggregates": aggregates, "neutron": neutron} | lowest


def resource_request_cases(dice, names):
    for _ in range(3):
        spec, config = _spec(dice, _neutron(dice)), _config(dice)
        for pinning in (True, False):
            yield {"kind": "resource_request", "config": config, "spec": spec, "enable_pinning_translate": pinning}


def resources_from_request_spec_cases(dice, names):
    nodes = [{"host": host, "hypervisor_hostname": node, "uuid": dice.uuid()}
             for host, node in dice.some([("h1", "n1"), ("h2", "n2"), ("h2", "n3"), ("h3", "n1")], 4, 1)]
    for _ in range(3):
        yield {"kind": "resources_from_request_spec", "config": _config(dice), "spec": _spec(dice, _neutron(dice)),
               "compute_nodes": nodes, "enable_pinning_translate": dice.chance(0.7)}
