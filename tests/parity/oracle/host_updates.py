# SPDX-License-Identifier: Apache-2.0
"""The kind host_state_update: what Nova's HostState takes over from a compute node's record, and what it ignores."""

import datetime
import json

from . import fleet
from . import judge
from . import nova_objects
from . import topology

_COUNTERS = ["num_instances", "io_workload", "failed_builds"]
_TAGS = ("dev_type", "physical_network", "remote_managed", "capabilities_network")


def host_state_update_cases(dice, names):
    for _ in range(3):
        host = fleet.plain_host(dice)
        del host["service"], host["stats"]
        node = _compute_node(dice, host)
        if dice.chance(0.3):
            host["updated"] = _moment(dice)
            host["free_ram_mb"], host["limits"] = 17, {"vcpu": 8.0}
        yield {"kind": "host_state_update", "config": {}, "compute_node": node,
               "compute_node_wire": nova_objects.wire(node),
               "host_before": host}


def _moment(dice):
    moment = fleet.NOW - datetime.timedelta(seconds=dice.one([0, 0, 1, 60, -60]))
    return {"_datetime": moment.isoformat() + "+00:00"}


def _compute_node(dice, host):
    local = dice.one([0, 10, 100, 2000])
    stats = {name: dice.one(["0", "1", "12", " 3 ", "007"]) for name in dice.some(_COUNTERS, 3)}
    if dice.chance(0.3):
        stats["gpus"] = dice.one(["2", None, "x"])
    if dice.chance(0.03):
        stats[dice.one(_COUNTERS)] = dice.one(["x", "1.5", "", None])
    node = {"_object": "ComputeNode", "cpu_allocation_ratio": dice.one([16.0, 4.0, 0.1]),
            "cpu_info": dice.one([None, "", json.dumps({"arch": "x86_64"})]),
            "disk_allocation_ratio": dice.one([1.0, 1.5]),
            "disk_available_least": dice.one([None, 0, -5, local, 3, 5000]),
            "free_disk_gb": dice.one([None, local, local, local // 2, -3]),
            "free_ram_mb": dice.one([-512, 0, 2048, 65536]),
            "host": host["host"], "host_ip": dice.one([None, "10.0.0.7", "FE80::0007", "::ffff:10.0.0.7"]), "hypervisor_hostname": host["nodename"],
            "hypervisor_type": dice.one(["QEMU", "kvm"]), "hypervisor_version": dice.one([0, 7002000]), "id": 3,
            "local_gb": local, "local_gb_used": dice.one([0, 7]), "memory_mb": dice.one([4096, 65536]),
            "metrics": _metrics(dice), "numa_topology": None, "pci_device_pools": _pools(dice),
            "ram_allocation_ratio": dice.one([1.5, 1.0]), "stats": stats if dice.chance(0.9) else None,
            "supported_hv_specs": [{"_object": "HVSpec", "arch": arch, "hv_type": "kvm", "vm_mode": "hvm"}
                                   for arch in dice.some(["x86_64", "i686", "aarch64"], 3)],
            "updated_at": dice.one([None, _moment(dice), _moment(dice)]), "uuid": dice.uuid(),
            "vcpus": dice.one([0, 4, 64]),
            "vcpus_used": dice.one([0, 3, 80])}
    if dice.chance(0.5):
        node["numa_topology"] = json.dumps(nova_objects.wire(topology.host_topology(dice)))
    if dice.chance(0.04):
        del node["free_disk_gb"]
    return node


def _pools(dice):
    if dice.chance(0.2):
        return None
    pools = topology.pci_pools(dice)
    dice.shuffle(pools)
    return {"_object": "PciDevicePoolList", "objects": [
        {"_object": "PciDevicePool", "count": pool["count"], "numa_node": pool["numa_node"],
         "product_id": pool["product_id"],
         "tags": {name: pool[name] for name in _TAGS if isinstance(pool.get(name), str)},
         "vendor_id": pool["vendor_id"]}
        for pool in pools]}


def _metrics(dice):
    """The text in a compute node's record: percentages are fractions there, and a value may be missing."""
    names = dice.some(fleet.METRIC_NAMES + ["cpu.user.percent", "cpu.iowait.percent"], 4)
    fractions, numbers = [0.29, 0.57, 1.0, 0.07], [0, 5, 1800, 2.7]
    made = [{"name": name, "value": dice.one(fractions if name.endswith(".percent") else numbers),
             "timestamp": "2024-01-01T00:00:00.000000", "source": "libvirt.LibvirtDriver"} for name in names]
    if dice.chance(0.05):
        made.append({"name": "numa.membw.current", "numa_membw_values": {"0": 10, "1": 43}, "source": "s",
                     "timestamp": "2024-01-01T00:00:00.000000"})
    return dice.one([None, "", "[]"] + [json.dumps(made)] * 5)


def judge_host_state_update(case, rebuilt):
    state, node = nova_objects.host_state(case["host_before"]), nova_objects.decode(case["compute_node"])
    try:
        state.update(compute=node)
        case["expected"] = {"host_after": nova_objects.host_description(case["host_before"], state)}
    except Exception as error:
        case["expected"] = judge.raised(error)


judge.JUDGES["host_state_update"] = judge_host_state_update
