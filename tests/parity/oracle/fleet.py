# SPDX-License-Identifier: Apache-2.0
"""Random hosts as recorded decisions write them: plain ones, and what makes one differ from another."""

import datetime
import json

from . import releases
from .dice import number, word

NOW = datetime.datetime(2026, 1, 1, 12, 0, 0)
HOST_NAMES = ["host1", "host2", "host3", "host4", "Host1", "compute-a", "compute-b", "HOST2"]
CELLS = ["c0000000-0000-4000-a000-00000000000" + digit for digit in "123"]
METRIC_NAMES = ["cpu.frequency", "cpu.user.time", "cpu.kernel.time", "cpu.idle.time", "cpu.percent"]
# It carries a value per NUMA node and no single one.
UNVALUED_METRIC = "numa.membw.current"


def plain_host(dice, name=None, node=None):
    """A host as HostState's constructor leaves it, with names of its own and a service that is enabled."""
    name = name or dice.one(HOST_NAMES)
    return {"_class": "HostState", "host": name, "nodename": node or name + dice.one(["", ".example", "-n2"]),
            "uuid": dice.uuid(), "total_usable_ram_mb": 0, "total_usable_disk_gb": 0, "disk_mb_used": 0,
            "free_ram_mb": 0, "free_disk_mb": 0, "vcpus_total": 0, "vcpus_used": 0, "pci_stats": None,
            "numa_topology": None, "num_instances": 0, "num_io_ops": 0, "failed_builds": 0, "host_ip": None,
            "hypervisor_type": None, "hypervisor_version": None, "hypervisor_hostname": None, "cpu_info": None,
            "supported_instances": None, "limits": {}, "metrics": None, "aggregates": [], "instances": [],
            "ram_allocation_ratio": None, "cpu_allocation_ratio": None, "disk_allocation_ratio": None,
            "cell_uuid": CELLS[0], "updated": None, "stats": {}, "service": {"disabled": False, "host": name}}


def fleet_names(dice, count):
    """(host, node) pairs, each once; some hosts have several nodes."""
    pairs = [(name, node) for name in HOST_NAMES for node in (name, name + ".example", "shared-node")]
    return dice.sample(pairs, count)


def give_numbers(dice, host):
    """Capacity and use; few distinct values, so that weights tie."""
    host["total_usable_ram_mb"] = dice.one([2048, 65536, 131072])
    host["free_ram_mb"] = dice.one([-512, 0, 512, 2048, 65536, 65536, 131072, dice.randint(-1000, 1 << 20)])
    host["total_usable_disk_gb"] = dice.one([0, 100, 2000])
    host["free_disk_mb"] = dice.one([-1024, 0, 1024, 102400, dice.randint(0, 1 << 24)])
    host["disk_mb_used"] = dice.one([0, 10240])
    host["vcpus_total"] = dice.one([0, 4, 8, 16, 64, dice.randint(1, 256)])
    host["vcpus_used"] = dice.one([0, 0, 3, 8, 40, dice.randint(0, 300)])
    host["num_instances"] = dice.one([0, 1, 5, 49, 50, 51, dice.randint(0, 60)])
    host["num_io_ops"] = dice.one([0, 1, 7, 8, 9, dice.randint(0, 20)])
    host["failed_builds"] = dice.one([0, 0, 0, 1, 2, 10])
    host["cpu_allocation_ratio"] = dice.one([0.9, 1.0, 4.0, 16.0, 0.1, 1.5, round(dice.uniform(0.1, 20), 3)])
    host["ram_allocation_ratio"] = dice.one([0.9, 1.0, 1.5, round(dice.uniform(0.5, 2), 3)])
    host["disk_allocation_ratio"] = dice.one([0.9, 1.0, 1.5])


def give_aggregates(dice, host, keys, at_most=3):
    """Aggregates whose metadata has some of `keys`; keys is {name: function of the dice that makes a value}."""
    names = list(keys)
    for _ in range(dice.one([0] + list(range(1, at_most + 1)))):
        metadata = {name: keys[name](dice) for name in dice.some(names, 2)}
        if dice.chance(0.2):
            metadata["other"] = word(dice)
        host["aggregates"].append({"id": len(host["aggregates"]) + 1, "uuid": dice.uuid(),
                                   "name": f"agg{len(host['aggregates']) + 1}", "metadata": metadata,
                                   "hosts": [host["host"]]})


def listed(dice, values):
    """One value or several with commas, with blanks and empty ones among them."""
    parts = [dice.one(values) for _ in range(dice.one([1, 1, 1, 2, 3]))]
    text = dice.one([",", ",", ", ", " ,"]).join(parts)
    return dice.one([text, text, text, text, " " + text + " ", text + ",", ","]) if dice.chance(0.3) else text


def numeric_value(dice):
    return number(dice, 0.12)


def give_service(dice, host):
    """A service that is enabled or not, and was heard from lately, long ago, never or in the future."""
    ago = dice.one([0, 5, 59, 60, 61, 600, -30, -60, -61, 59.999, 60.001])
    seen = NOW - datetime.timedelta(seconds=ago)
    disabled = dice.chance(0.25)
    times = {"last_seen_up": seen, "created_at": NOW - datetime.timedelta(days=1)}
    if dice.chance(0.2):
        times = {"last_seen_up": None, "created_at": seen}
    host["service"] = {"id": 1, "host": host["host"], "binary": "nova-compute", "disabled": disabled,
                       "disabled_reason": "maintenance" if disabled and dice.chance(0.5) else None,
                       "forced_down": dice.chance(0.15)}
    for name, value in times.items():
        host["service"][name] = None if value is None else {"_datetime": value.isoformat() + "+00:00"}


def give_instances(dice, host, uuids):
    host["instances"] = [{"uuid": uuid} for uuid in dice.some(uuids, 4)]
    host["num_instances"] = len(host["instances"])


def give_supported_instances(dice, host):
    entries = [["x86_64", "kvm", "hvm"], ["i686", "qemu", "hvm"], ["aarch64", "kvm", "hvm"], ["x86_64", "xen", "xen"],
               ["ppc64le", "kvm", "hvm"], ["x86_64", "vmware", "hvm"]]
    host["supported_instances"] = dice.one([None, [], dice.some(entries, 3, 1), dice.some(entries, 3, 1), entries])
    host["hypervisor_type"] = dice.one(["QEMU", "kvm", None])
    host["hypervisor_version"] = dice.one([None, 0, 5, 6000, 7002, 7002000, 6000000, 4002001, 10000000, 1000, 999999])
    if releases.has("epoxy") and dice.chance(0.2):
        host["hypervisor_version"] = dice.one([1002003004, 7002000001, 8000000])


def give_metrics(dice, host):
    """Metrics of some names, a name twice among them; none at all; no list."""
    if dice.chance(0.1):
        host["metrics"] = None
        return
    names = dice.some(METRIC_NAMES, 5)
    if names and dice.chance(0.15):
        names.append(names[0])
    host["metrics"] = {"_object": "MonitorMetricList", "objects": [
        {"_object": "MonitorMetric", "name": name, "source": "s",
         "timestamp": {"_datetime": "2024-01-01T00:00:00+00:00"}, "value": dice.randint(-5, 100)} for name in names]}
    if dice.chance(0.06):
        host["metrics"]["objects"].append({
            "_object": "MonitorMetric", "name": UNVALUED_METRIC, "numa_membw_values": {"0": 10, "1": 43}, "source": "s",
            "timestamp": {"_datetime": "2024-01-01T00:00:00+00:00"}})


_CPU_INFO = [
    {"arch": "x86_64", "model": "Penryn", "vendor": "Intel",
     "topology": {"cells": 1, "sockets": 2, "cores": 4, "threads": 1}, "features": ["aes", "mmx", "vmx"]},
    {"arch": "aarch64", "topology": {"cores": 16}, "features": [], "ratio": 1.0, "big": 1e22, "small": 1e-7, "on": True,
     "off": False, "none": None, "text": "it's", "both": "'\"", "mixed": [1, "a", 2.5, None, True, {"k": [0.1]}]},
]


def give_capabilities(dice, host):
    """What ComputeCapabilities and Json look at: texts, numbers, lists, nested JSON text, statistics."""
    give_numbers(dice, host)
    give_supported_instances(dice, host)
    host["cpu_info"] = dice.one([None, "", "not json", "[1, 2]", "5", "null", '"x"'] +
                                [json.dumps(info) for info in _CPU_INFO] * 3)
    if releases.has("caracal") and dice.chance(0.4):
        host["cpu_info"] = json.dumps({"arch": "x86_64", "maxphysaddr": dice.one([
            {"mode": "emulate", "bits": dice.one([36, 42, 46])}, {"mode": "passthrough", "bits": 46}, {}, None])})
    host["hypervisor_hostname"] = dice.one([None, "node1.example", ""])
    host["host_ip"] = dice.one([None, "10.0.0.7", "fe80::7"])
    stats = {"gpus": dice.one(["2", "0", 2, 4.0, "many"]), "fast": dice.one([True, False, "True", "yes"]),
             "tags": dice.one([["ssd", "gold"], [], "ssd,gold", ["a'b"]]),
             "level": dice.one([1.0, 1, "1.0", 0, -1, None]),
             "nested": dice.one([{"a": {"b": "1"}}, '{"a": {"b": 1}}', "{bad", {}]), "io_workload": "3", "zero": 0,
             "empty": ""}
    host["stats"] = {name: stats[name] for name in dice.some(list(stats), len(stats))}
    if dice.chance(0.02):
        del host["stats"]
