# SPDX-License-Identifier: Apache-2.0
"""Random requests as recorded decisions write them: a plain one, and what can be asked for beside."""

import netaddr

from . import releases
from .dice import word
from .fleet import CELLS, HOST_NAMES


def plain_spec(dice):
    """A request for one small instance that asks for nothing beside."""
    return {"_object": "RequestSpec", "availability_zone": None,
            "flavor": {"_object": "Flavor", "ephemeral_gb": 0, "extra_specs": {}, "flavorid": "1", "id": 1,
                       "memory_mb": 512, "name": "m1", "root_gb": 1, "swap": 0, "vcpus": 1},
            "force_hosts": None, "force_nodes": None, "ignore_hosts": None,
            "image": {"_object": "ImageMeta", "id": dice.uuid(), "properties": {"_object": "ImageMetaProps"}},
            "instance_group": None, "instance_uuid": dice.uuid(), "is_bfv": False, "num_instances": 1,
            "numa_topology": None, "pci_requests": None, "project_id": "p1",
            "request_level_params": {"_object": "RequestLevelParams"}, "requested_destination": None,
            "requested_resources": [], "retry": None, "scheduler_hints": {}, "user_id": "u1"}


def ask_flavor(dice, spec):
    flavor = spec["flavor"]
    flavor["name"] = dice.one(["m1", "m1.small", "c5", "gpu large", "ünï"])
    flavor["memory_mb"] = dice.one([0, 128, 512, 2048, 65536])
    flavor["vcpus"] = dice.one([1, 2, 4, 16])
    flavor["root_gb"] = dice.one([0, 1, 20])
    flavor["ephemeral_gb"] = dice.one([0, 0, 10])
    flavor["swap"] = dice.one([0, 0, 512])
    spec["is_bfv"] = dice.chance(0.1)


def ask_no_image(dice, spec):
    """Some requests come without an image, some images without an id."""
    if dice.chance(0.5):
        spec["image"] = None
    else:
        del spec["image"]["id"]


POLICIES = ("affinity", "anti-affinity", "soft-affinity", "soft-anti-affinity")


def ask_group(dice, spec, uuids, policies=POLICIES):
    """A server group of any policy; the old list and the new field may disagree, fields may be missing."""
    policy = dice.one(policies)
    group = {"_object": "InstanceGroup", "_rules": {}, "hosts": dice.some(HOST_NAMES, 3), "id": 1,
             "members": dice.some(uuids, 5), "name": "g", "policies": [policy], "policy": policy, "uuid": dice.uuid()}
    if dice.chance(0.4):
        group["_rules"] = {"max_server_per_host": dice.one(["1", "2", "3", " 2 ", "0", "-1"])}
    odd = dice.random()
    if odd < 0.08:
        group["policies"] = dice.one([[], ["affinity"], ["legacy"], ["affinity", "anti-affinity"]])
    elif odd < 0.12:
        group["policy"] = dice.one([None, "affinity", "anti-affinity", "unheard-of"])
    elif odd < 0.17:
        del group[dice.one(["_rules", "uuid", "policies", "hosts", "members", "policy"])]
    elif odd < 0.19:
        group[dice.one(["members", "hosts", "policies"])] = None
    elif odd < 0.20:
        group["_rules"] = {"max_server_per_host": dice.one(["two", "", "1.5"])}
    elif odd < 0.22:
        group["_rules"] = {"another_rule": "1"}
    if group.get("members"):
        group["members"] += group["members"][:1] if dice.chance(0.1) else []
        if dice.chance(0.3):
            spec["instance_uuid"] = dice.one(group["members"])
    spec["instance_group"] = group


def ask_hints(dice, spec, uuids):
    """different_host and same_host: none, one, several, none of them known."""
    hints = spec["scheduler_hints"]
    for name in dice.one([["different_host"], ["same_host"]] + [["different_host", "same_host"]] * 5 + [["another"]]):
        hints[name] = dice.one([dice.some(uuids, 4, 2), dice.some(uuids, 3, 1), dice.some(uuids, 1, 1), [dice.uuid()],
                                [], [""]])
    if dice.chance(0.03):
        spec["scheduler_hints"] = None
    elif dice.chance(0.03):
        del spec["scheduler_hints"]


def _is_network(text):
    try:
        return netaddr.IPNetwork(text) is not None
    except netaddr.AddrFormatError:
        return False


# The library netaddr takes it up to 0.10, as Gantry does.
_SHORT_ADDRESS = "10.0" if _is_network("10.0/24") else "bogus"


def ask_near(dice, spec):
    """SimpleCIDRAffinity's two hints: networks of both families, masks written in both ways, and what is none."""
    hints = spec["scheduler_hints"]
    if dice.chance(0.92):
        hints["build_near_host_ip"] = [dice.one(
            ["10.0.0.5", "10.0.0.5", "192.168.1.1", "10.0.1.9", "fe80::1", "2001:db8::5", "0.0.0.0", "255.255.255.255"]
            + (["bogus", "10.0.0.300", "", _SHORT_ADDRESS, "10.0.0.5/8"] if dice.chance(0.2) else []))]
    if dice.chance(0.7):
        hints["cidr"] = [dice.one(["/24", "/16", "/8", "/0", "/32", "/30", "/64", "/128", "/29"]
                                  + (["24", "/33", "/129", "/-1", "/x", "", "/", "/255.255.0.0", "/0.0.0.255"]
                                     if dice.chance(0.3) else []))]
    if dice.chance(0.02):
        hints["cidr"] = ["/24", "/8"]


def ask_zone(dice, spec):
    spec["availability_zone"] = dice.one([None, "", "nova", "az1", "az2", "AZ1", "internal", "az1,az2"])


def ask_project(dice, spec):
    spec["project_id"] = dice.one(["p1", "p2", "p3", "P1", "", None])


_ARCHITECTURES = ["x86_64", "i686", "aarch64", "ppc64le", "armv7l"]


def ask_image(dice, spec):
    """Image properties that filters compare: architecture, hypervisor, mode, versions, system, lists and flags."""
    choices = {
        "hw_architecture": lambda: dice.one(_ARCHITECTURES),
        "img_hv_type": lambda: dice.one(["kvm", "qemu", "xen", "vmware"]),
        "hw_vm_mode": lambda: dice.one(["hvm", "xen", "exe"]),
        "img_hv_requested_version": lambda: dice.one(
            [">=6.0", ">=6.0,<7.3", "==7.2.0", "!=7.2.0", "<4.3", ">=4.2.1", "<=6.0", "> 6.0", ">=7.2,!=7.2.1",
             ">=0.1a1",
             ">=6.0b2", "==6.0.0", " >=6.0 ", ">= 6.0 , < 7.2", ">=06.0", "<6.0a1"]),
        "os_distro": lambda: dice.one(["ubuntu", "debian", "windows"]),
        "os_type": lambda: dice.one(["linux", "windows"]),
        "hw_machine_type": lambda: dice.one(["q35", "pc-1.0"]),
        "os_require_quiesce": lambda: dice.chance(0.5),
        "hw_cpu_cores": lambda: dice.one([0, 2, 4]),
        "hw_disk_bus": lambda: dice.one(["virtio", "scsi"]),
        "hw_cpu_policy": lambda: dice.one(["dedicated", "shared", "mixed"]),
        "hw_cpu_thread_policy": lambda: dice.one(["require", "prefer", "isolate"]),
        "hw_numa_cpus": lambda: dice.one([[{"_set": [0, 1]}, {"_set": [2]}], []]),
        "hw_numa_mem": lambda: dice.one([[1024], [512, 256]]),
        "traits_required": lambda: dice.one([["CUSTOM_A"], []]),
    }
    names = dice.some(list(choices)[:4], 4) + dice.some(list(choices)[4:], 2)
    for name in names:
        spec["image"]["properties"][name] = choices[name]()
    if releases.has("caracal") and dice.chance(0.15):
        spec["image"]["properties"]["hw_maxphysaddr_bits"] = dice.one([0, 36, 42, 47])
    if releases.has("epoxy") and "img_hv_requested_version" in spec["image"]["properties"] and dice.chance(0.6):
        spec["image"]["properties"]["img_hv_requested_version"] = ",".join(
            dice.one(["", " "]) + dice.one(["<", "<=", ">", ">=", "!=", "=="]) + dice.one(["", " "]) + dice.one(
                ["7", "7.2", "7.2.0", "7.2.0.1", "6.0.post1", "7.2rc1", "7.2.dev3", "0!6", "1!6", "v7.2", "1.2.3.4",
                 "5", "7.2+site.1", "10"]) for _ in range(dice.one([1, 1, 2])))


def ask_forced(dice, spec, names):
    """Hosts and nodes forced, ignored or requested as the destination; any letter case, known or not."""
    hosts = sorted({host for host, _ in names})
    nodes = sorted({node for _, node in names})
    if dice.chance(0.4):
        spec["ignore_hosts"] = dice.some(hosts + ["HOST1", "unknown"], 3)
    if dice.chance(0.3):
        spec["force_hosts"] = dice.some(hosts + ["hosT2", "unknown"], 3)
    if dice.chance(0.3):
        spec["force_nodes"] = dice.some(nodes + ["SHARED-NODE", "unknown"], 3)
    if dice.chance(0.3):
        host, node = dice.one(names)
        hosts_and_nodes = [(host, node), (host, None), (host, ""), (host.upper(), None), ("unknown", node)]
        wanted, at = dice.one(hosts_and_nodes)
        spec["requested_destination"] = {"_object": "Destination", "host": wanted, "node": at}
        if dice.chance(0.1):
            del spec["requested_destination"][dice.one(["host", "host", "node"])]
    if dice.chance(0.3) and spec.get("scheduler_hints") is not None:
        spec["scheduler_hints"]["_nova_check_type"] = dice.one(
            [["rebuild"], ["rebuild"], ["evacuate"], [], ["rebuild", "rebuild"]])


def ask_rebuild(dice, spec):
    if spec.get("scheduler_hints") is not None:
        spec["scheduler_hints"]["_nova_check_type"] = ["rebuild"]


def ask_cell(dice, spec):
    """CrossCell's inputs: a destination with and without a cell, moves across cells allowed or not."""
    spec["requested_destination"] = dice.one([
        None, {"_object": "Destination"}, {"_object": "Destination", "allow_cross_cell_move": True, "cell": None},
        {"_object": "Destination", "allow_cross_cell_move": dice.chance(0.8),
         "cell": {"_object": "CellMapping", "uuid": dice.one(CELLS)}}])
    if dice.chance(0.05):
        del spec["requested_destination"]


def ask_extra_specs(dice, spec, make):
    """Extra specs from make(dice) -> (key, requirement); now and then the field is missing."""
    spec["flavor"]["extra_specs"] = dict(make(dice) for _ in range(dice.one([0, 1, 1, 1, 2, 3])))
    if dice.chance(0.02):
        del spec["flavor"]["extra_specs"]


def ask_retry(dice, spec, names):
    """A request that comes again; no filter of Zed looks at it any more."""
    host, node = dice.one(names)
    spec["retry"] = {"_object": "SchedulerRetries", "num_attempts": 2, "hosts": {
        "_object": "ComputeNodeList", "objects": [
            {"_object": "ComputeNode", "host": host, "hypervisor_hostname": node}]}}
    spec["user_id"] = word(dice)
