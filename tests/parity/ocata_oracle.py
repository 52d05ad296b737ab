#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Random NUMA fits, usages and PCI requests with what Nova's Ocata decides about them, one JSON object a line.

    ocata_oracle.py CHECKOUT [--seed S] [--cases N]

CHECKOUT: a checkout of Nova's tag ocata-eol. Its hardware.py, numa.py, instance_numa_topology.py, stats.py and utils.py are
loaded as they are, for the Python of today, with plain stand-ins for the libraries around them; one division, which
Python 2 cuts off, is made one that is cut off. The lines have the form of recorded decisions; ocata_decisions.jsonl.xz
beside this file is `--seed 2017 --cases 1400`, packed.
"""

import argparse
import ast
import collections
import copy
import itertools
import json
import math
import os
import random
import secrets
import sys
import types

FIT = {"_numa_cell_supports_pagesize_request", "_pack_instance_onto_cores", "_numa_fit_instance_cell_with_pinning",
       "_numa_fit_instance_cell", "numa_fit_instance_to_host", "_numa_pagesize_usage_from_cell",
       "numa_usage_from_instances"}


class Anything:
    """Whatever is asked of it, it is there and does nothing."""

    def __getattr__(self, name):
        return Anything()

    def __call__(self, *args, **kwargs):
        return Anything()


class Exceptions:
    def __getattr__(self, name):
        made = type(name, (Exception,), {"__init__": lambda self, **details: Exception.__init__(self, str(details))})
        setattr(self, name, made)
        return made


class NovaObject:
    def __init__(self, **fields):
        for name, value in fields.items():
            setattr(self, name, value)

    def __contains__(self, name):
        return hasattr(self, name)

    obj_attr_is_set = __contains__

    def obj_reset_changes(self, *_names):
        pass


class DictProxy:
    def __init__(self, name):
        self.name = name

    def __get__(self, holder, _kind):
        return getattr(holder, self.name, None)

    def __set__(self, holder, value):
        setattr(holder, self.name, value)


class Fields:
    CPUAllocationPolicy = types.SimpleNamespace(DEDICATED="dedicated", SHARED="shared")
    CPUThreadAllocationPolicy = types.SimpleNamespace(PREFER="prefer", ISOLATE="isolate", REQUIRE="require")
    PciDeviceType = types.SimpleNamespace(STANDARD="type-PCI", SRIOV_PF="type-PF", SRIOV_VF="type-VF")
    DictProxyField = DictProxy

    def __getattr__(self, name):
        return lambda *args, **kwargs: None


def load(checkout):
    """Nova's own functions and classes by their names."""
    names = {
        "base": types.SimpleNamespace(NovaObject=NovaObject, NovaObjectDictCompat=type("Compat", (), {}),
                                      NovaObjectRegistry=types.SimpleNamespace(register=lambda made: made),
                                      remotable=lambda made: made, remotable_classmethod=classmethod),
        "exception": Exceptions(), "fields": Fields(), "obj_fields": Fields(),
        "units": types.SimpleNamespace(Ki=1024), "fractions": types.SimpleNamespace(gcd=math.gcd),
        "six": types.SimpleNamespace(PY2=False, string_types=str), "objects": types.SimpleNamespace(
            VirtCPUTopology=NovaObject),
        "copy": copy, "itertools": itertools, "collections": collections, "_LE": str, "_LI": str,
        "MEMPAGES_SMALL": -1, "MEMPAGES_LARGE": -2, "MEMPAGES_ANY": -3}
    for name in ("LOG", "hardware", "versionutils", "jsonutils", "logging", "cfg", "pci_device_pool", "whitelist"):
        names[name] = Anything()

    def run(path, wanted):
        with open(os.path.join(checkout, "nova", path), encoding="utf-8") as file:
            text = file.read().replace("units.Ki /\n", "units.Ki //\n")
        for node in ast.parse(text).body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name in wanted:
                exec(compile(ast.Module([node], []), path, "exec"), names)  # pylint: disable=exec-used

    run("objects/numa.py", {"all_things_equal", "NUMACell", "NUMAPagesTopology", "NUMATopology"})
    run("objects/instance_numa_topology.py", {"InstanceNUMACell", "InstanceNUMATopology"})
    for name in ("NUMACell", "NUMAPagesTopology", "NUMATopology", "InstanceNUMATopology"):
        setattr(names["objects"], name, names[name])
    run("virt/hardware.py", FIT)
    run("pci/utils.py", {"pci_device_prop_match"})
    names["utils"] = types.SimpleNamespace(pci_device_prop_match=names["pci_device_prop_match"])
    run("pci/stats.py", {"PciDeviceStats"})
    return types.SimpleNamespace(**names)


class Scenes:
    """Random hosts, instances, pools and requests."""

    def __init__(self, nova, dice):
        self.nova, self.dice = nova, dice

    def siblings(self, cpus):
        dice = self.dice
        pairs = [set(cpus[at:at + 2]) for at in range(0, len(cpus), 2)]
        return dice.choice([pairs, pairs, pairs, [{cpu} for cpu in cpus], [], dice.sample(pairs, len(pairs) - 1),
                            [set(cpus[:3]), set(cpus[3:])] if len(cpus) > 3 else pairs])

    def pages(self, memory):
        dice, page = self.dice, self.nova.NUMAPagesTopology
        if dice.random() < .25:
            return []
        pages = [page(size_kb=4, total=memory * 256, used=dice.choice([0, 0, memory * 128, memory * 256]))]
        if dice.random() < .7:
            pages.append(page(size_kb=2048, total=dice.choice([0, 128, 512]), used=dice.choice([0, 100])))
        if dice.random() < .3:
            pages.append(page(size_kb=1048576, total=dice.choice([0, 2]), used=0))
        for each in pages:
            if dice.random() < .5:
                each.reserved = dice.choice([0, 10])
        dice.shuffle(pages)
        return pages

    def host(self):
        dice, cells = self.dice, []
        size = dice.choice([2, 4, 4, 8])
        for number in range(dice.choice([1, 2, 2, 3, 4])):
            cpus = list(range(number * size, number * size + size))
            memory = dice.choice([1024, 2048, 4096])
            cells.append(self.nova.NUMACell(
                id=number, cpuset=set(cpus), memory=memory, cpu_usage=dice.choice([0, 0, 1, size, 2 * size]),
                memory_usage=dice.choice([0, 0, 512, memory]), siblings=self.siblings(cpus), mempages=self.pages(memory),
                pinned_cpus=set(dice.sample(cpus, dice.choice([0, 0, 0, 1, size // 2, size])))))
        return self.nova.NUMATopology(cells=cells)

    def instance(self):
        dice, cells, first = self.dice, [], 0
        policy = dice.choice(["dedicated", "dedicated", "shared", None])
        threads = dice.choice([None, None, "prefer", "isolate", "require"]) if policy == "dedicated" else None
        pagesize = dice.choice([None, None, None, None, -1, -2, -3, 4, 2048, 1048576])
        for number in range(dice.choice([1, 1, 2, 2, 3])):
            count = dice.choice([1, 1, 2, 2, 3, 4])
            cells.append(self.nova.InstanceNUMACell(
                id=number, cpuset=set(range(first, first + count)), memory=dice.choice([1, 64, 100, 256, 512, 1024]),
                pagesize=pagesize, cpu_policy=policy, cpu_thread_policy=threads))
            first += count
        return self.nova.InstanceNUMATopology(cells=cells)

    def limits(self):
        dice = self.dice
        if dice.random() < .2:
            return None
        return types.SimpleNamespace(cpu_allocation_ratio=dice.choice([1.0, 2.0, 16.0, 0.5]),
                                     ram_allocation_ratio=dice.choice([1.0, 1.0, 1.5, 0.5]))

    def pools(self):
        dice, pools = self.dice, []
        for _ in range(dice.randint(0, 4)):
            pool = {"vendor_id": dice.choice(["8086", "10de"]), "product_id": dice.choice(["1520", "1db4"]),
                    "numa_node": dice.choice([None, 0, 0, 1, 2]), "count": dice.randint(1, 4),
                    "dev_type": dice.choice(["type-PCI", "type-PF", "type-VF"])}
            if dice.random() < .4:
                pool["physical_network"] = dice.choice(["pn1", "PN1", "pn2"])
            pools.append(pool)
        return sorted(pools, key=len)

    def requests(self):
        dice = self.dice

        def specification():
            whole = {"vendor_id": dice.choice(["8086", "10de"]), "product_id": dice.choice(["1520", "1db4"]),
                     "physical_network": dice.choice(["pn1", "PN1"]), "dev_type": dice.choice(["type-PF", "type-VF"])}
            return {key: value for key, value in whole.items() if dice.random() < .35}

        return [types.SimpleNamespace(count=dice.randint(1, 3), spec=[specification()
                                                                      for _ in range(dice.choice([1, 1, 2]))])
                for _ in range(dice.choice([0, 0, 0, 1, 1, 2]))]


def as_set(members):
    return {"_set": sorted(members)}


def host_json(topology):
    def page(each):
        fields = {"_object": "NUMAPagesTopology", "size_kb": each.size_kb, "total": each.total, "used": each.used}
        return fields | ({"reserved": each.reserved} if "reserved" in each else {})

    return {"_object": "NUMATopology", "cells": [
        {"_object": "NUMACell", "id": cell.id, "cpuset": as_set(cell.cpuset), "memory": cell.memory,
         "cpu_usage": cell.cpu_usage, "memory_usage": cell.memory_usage, "pinned_cpus": as_set(cell.pinned_cpus),
         "siblings": [as_set(each) for each in cell.siblings], "mempages": [page(each) for each in cell.mempages]}
        for cell in topology.cells]}


def instance_json(topology):
    return topology and {"_object": "InstanceNUMATopology", "cells": [
        {"_object": "InstanceNUMACell", "id": cell.id, "cpuset": as_set(cell.cpuset), "memory": cell.memory,
         "pagesize": cell.pagesize, "cpu_policy": cell.cpu_policy, "cpu_thread_policy": cell.cpu_thread_policy,
         "cpu_pinning_raw": cell.cpu_pinning and {str(vcpu): cpu for vcpu, cpu in cell.cpu_pinning.items()}}
        for cell in topology.cells]}


def limits_json(limits):
    return limits and {"_object": "NUMATopologyLimits", **vars(limits)}


def requests_json(requests):
    return [{"_object": "InstancePCIRequest", "count": each.count, "spec": each.spec} for each in requests]


class Cases:
    def __init__(self, nova, dice):
        self.nova, self.dice, self.scenes = nova, dice, Scenes(nova, dice)

    def stats(self, pools):
        if pools is None:
            return None
        stats = self.nova.PciDeviceStats.__new__(self.nova.PciDeviceStats)
        stats.pools = copy.deepcopy(pools)
        return stats

    def numa_fit(self):
        scenes = self.scenes
        host, instance, limits, requests = scenes.host(), scenes.instance(), scenes.limits(), scenes.requests()
        pools = scenes.pools() if self.dice.random() < .85 else None
        case = {"host_topology": host_json(host), "instance_topology": instance_json(instance),
                "limits": limits_json(limits), "pci_requests": requests_json(requests), "pci_pools": pools}
        try:
            fitted = self.nova.numa_fit_instance_to_host(host, instance, limits, requests, self.stats(pools))
            case["expected"] = {"fits": fitted is not None, "result": instance_json(fitted)}
        except UnboundLocalError as raised:
            case["expected"] = {"raises": type(raised).__name__}
        return case | {"instance_after": instance_json(instance)}

    def numa_usage(self):
        fitted, free = None, self.dice.random() < .3
        while fitted is None:
            host = self.scenes.host()
            try:
                fitted = self.nova.numa_fit_instance_to_host(host, self.scenes.instance())
                host = self.nova.numa_usage_from_instances(host, [fitted]) if fitted and free else host
            except Exception:  # pylint: disable=broad-except
                fitted = None  # another one
        case = {"host_topology": host_json(host), "instance_topology": instance_json(fitted), "free": free}
        try:
            after = self.nova.numa_usage_from_instances(host, [fitted], free=free)
            case["expected"] = {"result": host_json(after)}
        except Exception as raised:  # pylint: disable=broad-except
            case["expected"] = {"raises": type(raised).__name__}
        return case

    def pci(self, kind):
        pools, requests, cells = self.scenes.pools(), self.scenes.requests(), None
        if self.dice.random() < .6:
            cells = [self.nova.InstanceNUMACell(id=cell, cpuset=set(), memory=1)
                     for cell in self.dice.sample([0, 1, 2], self.dice.randint(1, 2))]
        numa_cells = cells and instance_json(types.SimpleNamespace(cells=cells))["cells"]
        case = {"method": kind, "pools_before": pools, "numa_topology": None, "requests": requests_json(requests),
                "numa_cells": numa_cells}
        stats = self.stats(pools)
        try:
            case["expected"] = {"result": getattr(stats, kind)(requests, cells)}
        except self.nova.exception.PciDeviceRequestFailed as raised:
            case["expected"] = {"raises": type(raised).__name__}
        case["expected"]["pools_after"] = stats.pools
        return case

    def next(self):
        kind = self.dice.choice(["numa_fit", "numa_fit", "numa_fit", "numa_usage", "support_requests",
                                 "apply_requests"])
        if kind.startswith("numa"):
            return {"kind": kind, **getattr(self, kind)()}
        return {"kind": "pci_" + kind, **self.pci(kind)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout")
    parser.add_argument("--seed", type=int, default=secrets.randbits(32))
    parser.add_argument("--cases", type=int, default=1000)
    options = parser.parse_args()
    print("seed", options.seed, file=sys.stderr)
    cases = Cases(load(options.checkout), random.Random(options.seed))
    for number in range(options.cases):
        case = cases.next()
        print(json.dumps({"release": "ocata", "origin": "generated", "config": {},
                          "source": f"ocata:{options.seed}:{number}"} | case))


if __name__ == "__main__":
    main()
