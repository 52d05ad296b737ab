# SPDX-License-Identifier: Apache-2.0
"""Random NUMA topologies of hosts and instances, PCI pools and PCI requests."""

from . import releases

PHYSNETS = ["pn1", "pn2", "PN1"]


def in_order(values):
    """A set in the order of its members."""
    return {"_set": sorted(values)}


def host_topology(dice):
    """One to four cells: threads or none, shared and dedicated CPUs apart or the same, pages, networks, usage."""
    threads = dice.one([1, 2, 2, 2, 4])
    legacy = dice.chance(0.4)
    next_cpu, cells = 0, []
    if dice.chance(0.01):
        return {"_object": "NUMATopology", "cells": []}
    ids = list(range(dice.one([1, 1, 2, 2, 2, 3, 4])))
    if dice.chance(0.1):
        dice.shuffle(ids)
    if dice.chance(0.05):
        ids = [2 * number for number in ids]
    sockets = dice.one(["one", "each", "pairs", "none"])
    fewer_pages = dice.chance(0.3)
    for cell_id in ids:
        cores = dice.one([1, 2, 3, 4, 6])
        first, next_cpu = next_cpu, next_cpu + cores * threads
        if legacy or dice.chance(0.1):
            dedicated = shared = set(range(first, next_cpu))
            everything = range(first, next_cpu)
        else:
            shared_cores = dice.one([0, 1, 2, 4])
            everything = range(first, next_cpu + shared_cores * threads)
            dedicated, shared = set(range(first, next_cpu)), set(range(next_cpu, everything.stop))
            next_cpu = everything.stop
        cells.append(_host_cell(dice, cell_id, dedicated, shared, everything, threads, fewer_pages))
        cells[-1]["socket"] = {"one": 0, "each": cell_id, "pairs": cell_id // 2, "none": None}[sockets]
    if dice.chance(0.35):
        _give_networks(dice, cells)
    return {"_object": "NUMATopology", "cells": cells}


def _host_cell(dice, cell_id, dedicated, shared, everything, threads, fewer_pages):
    interleaved = dice.chance(0.3)
    count = len(everything) // threads
    siblings = [[everything[core + thread * count] if interleaved else everything[core * threads + thread]
                 for thread in range(threads)] for core in range(count)]
    if dice.chance(0.02):
        siblings = []
    memory = dice.one([512, 1024, 2048, 4096])
    pinned = dice.some(sorted(dedicated), dice.one([0, 0, 1, 3, len(dedicated)]))
    pages = []
    if dice.chance(0.85):
        pages.append((4, memory * 256))
    if dice.chance(0.6) and not fewer_pages:
        pages.append((2048, dice.one([0, memory // 4, memory // 2, dice.randint(0, memory)])))
    if dice.chance(0.25) and not fewer_pages:
        pages.append((1048576, dice.one([0, 1, 4])))
    if dice.chance(0.1):
        dice.shuffle(pages)
    cell = {"_object": "NUMACell", "cpu_usage": dice.one([0, 0, 1, 3, 8]), "cpuset": in_order(shared), "id": cell_id,
            "memory": memory, "memory_usage": dice.one([0, 0, 0, 0, 256, memory // 2, memory]),
            "mempages": [_pages(dice, size, total) for size, total in pages], "pcpuset": in_order(dedicated),
            "pinned_cpus": in_order(pinned), "siblings": [in_order(core) for core in siblings], "socket": 0}
    return cell


def _pages(dice, size, total):
    made = {"_object": "NUMAPagesTopology", "size_kb": size, "total": total,
            "used": dice.one([0, 0, total // 2, total])}
    if dice.chance(0.7):
        made["reserved"] = dice.one([0, 0, total // 4])
    return made


def _give_networks(dice, cells):
    for cell in cells:
        if dice.chance(0.8):
            cell["network_metadata"] = {"_object": "NetworkMetadata", "physnets": in_order(dice.some(PHYSNETS, 2)),
                                        "tunneled": dice.chance(0.3)}


def network_request(dice):
    """What the request's networks need; either part may be missing."""
    made = {"_object": "NetworkMetadata", "physnets": in_order(dice.some(PHYSNETS, 2)), "tunneled": dice.chance(0.5)}
    if dice.chance(0.05):
        del made[dice.one(["physnets", "tunneled"])]
    return made


def instance_topology(dice, pinned_to=None):
    """One to three cells of one policy; with `pinned_to`, a host's cells, CPUs pinned there as after a fit."""
    policy = dice.one([None, "shared", "dedicated", "dedicated", "dedicated", "mixed"])
    thread_policy = dice.one([None, None, "prefer", "require", "isolate"])
    pagesize = dice.one([None, None, None, None, None, -1, -2, -3, -3, 4, 4, 2048, 1048576, 16])
    next_cpu, cells = 0, []
    count_of_cells = dice.one([1, 1, 1, 2, 2, 3]) if pinned_to is None else dice.randint(0, len(pinned_to))
    for cell_id in range(count_of_cells if dice.chance(0.99) else 0):
        count = dice.one([1, 1, 1, 2, 2, 2, 3, 4, 6])
        numbers = list(range(next_cpu, next_cpu + count))
        next_cpu += count
        shared = {None: numbers, "shared": numbers, "dedicated": [], "mixed": numbers[:count // 2]}[policy]
        if releases.has("antelope") and policy == "mixed" and dice.chance(0.3):
            shared = numbers
        cell = {"_object": "InstanceNUMACell", "cpu_pinning_raw": None, "cpu_policy": policy,
                "cpu_thread_policy": thread_policy if policy in ("dedicated", "mixed") or dice.chance(0.1) else None,
                "cpuset": in_order(shared), "cpuset_reserved": None, "id": cell_id,
                "memory": dice.one([100, 128, 128, 256, 256, 512, 512, 1024, 2048]), "pagesize": pagesize,
                "pcpuset": in_order(set(numbers) - set(shared))}
        if pinned_to is not None:
            _pin(dice, cell, pinned_to[cell_id])
        cells.append(cell)
    made = {"_object": "InstanceNUMATopology", "cells": cells}
    if dice.chance(0.35):
        made["emulator_threads_policy"] = dice.one([None, "share", "isolate", "isolate"])
    return made


def _pin(dice, cell, host_cell):
    cell["id"] = host_cell["id"]
    if cell.get("pagesize") in (-1, -2, -3):
        cell["pagesize"] = dice.one([4, 2048])
    if cell["cpu_policy"] in ("dedicated", "mixed"):
        free = sorted(set(host_cell["pcpuset"]["_set"]) - set(host_cell["pinned_cpus"]["_set"]))
        chosen = free if dice.chance(0.85) else host_cell["pcpuset"]["_set"] + [999]
        wanted = cell["pcpuset"]["_set"]
        cell["cpu_pinning_raw"] = {str(cpu): to for cpu, to in zip(wanted, dice.some(chosen, len(wanted), len(wanted)))}
        if releases.has("antelope") and (not wanted or dice.chance(0.05)):
            cell["cpu_pinning_raw"] = None
        if dice.chance(0.15) and chosen:
            cell["cpuset_reserved"] = in_order([dice.one(chosen)])


def numa_limits(dice):
    made = {"_object": "NUMATopologyLimits", "cpu_allocation_ratio": dice.one([0.5, 1.0, 2.0, 16.0]),
            "ram_allocation_ratio": dice.one([0.9, 1.0, 1.5])}
    if dice.chance(0.45):
        made["network_metadata"] = network_request(dice)
    return made


_DEVICE_TYPES = ["type-PCI", "type-PCI", "type-VF", "type-VF", "type-PF", "vdpa"]


def pci_pools(dice):
    """Flat pools, those with fewer keys first, as Nova keeps them."""
    pools = []
    for _ in range(dice.one([0, 1, 2, 3, 4, 6, 8])):
        pool = {"product_id": dice.one(["1520", "1db4", "1DB4"]), "vendor_id": dice.one(["8086", "8086", "10de"]),
                "numa_node": dice.one([0, 0, 1, 2, None]), "count": dice.one([0, 1, 1, 2, 3, 4, 150]),
                "dev_type": dice.one(_DEVICE_TYPES)}
        if dice.chance(0.4):
            pool["physical_network"] = dice.one(PHYSNETS)
        if dice.chance(0.5):
            pool["remote_managed"] = dice.one(["false", "false", "true", "True", "yes", "0", "on", "t", ""])
        if dice.chance(0.1):
            pool["capabilities_network"] = dice.one([["rx", "tx"], ["rx"], []])
        if releases.has("antelope"):
            _tag(dice, pool)
        pools.append(pool)
    return sorted(pools, key=len)


def pci_requests(dice, at_most=3):
    """Requests of alternatives, with counts and policies; the list of alternatives may be empty, a policy unset."""
    return [_pci_request(dice) for _ in range(dice.one([1, 1, dice.randint(1, at_most)]))]


def _pci_request(dice):
    request = {"_object": "InstancePCIRequest", "count": dice.one([1, 1, 1, 1, 2, 3, 5]), "request_id": dice.uuid(),
               "spec": [_pci_spec(dice) for _ in range(dice.one([1, 1, 1, 2, 0 if dice.chance(0.1) else 1]))]}
    if dice.chance(0.005):
        del request["spec"]
    policy = dice.one(["unset", None, "legacy", "preferred", "required", "required", "socket"])
    if policy != "unset":
        request["numa_policy"] = policy
    if releases.has("antelope"):
        _name_providers(dice, request)
    return dict(sorted(request.items()))


_PROVIDERS = [f"de71ce00-0000-4000-a000-00000000000{digit}" for digit in "1234"]


def _tag(dice, pool):
    """What placement and later releases add to a pool."""
    if dice.chance(0.5):
        pool["rp_uuid"] = dice.one(_PROVIDERS)
    if dice.chance(0.5):
        pool["address"] = dice.one(["0000:81:00.0", "0000:82:00.0"])
    if dice.chance(0.1):
        pool[dice.one(["traits", "resource_class"])] = dice.one(["CUSTOM_A", "CUSTOM_B"])
    if releases.has("epoxy") and dice.chance(0.4):
        pool["live_migratable"] = dice.one(["true", "true", "false", "True"])


def _name_providers(dice, request):
    """Requests of flavors, that placement may have given providers, a provider several times among them."""
    request["alias_name"] = dice.one([None, "gpu", "gpu"])
    for spec in request.get("spec", ()):
        if dice.chance(0.4):
            spec["rp_uuids"] = ",".join(dice.one(_PROVIDERS[:3]) for _ in range(request["count"]))
            if dice.chance(0.6):
                for name in ("vendor_id", "product_id", "dev_type", "physical_network", "remote_managed"):
                    spec.pop(name, None)
        if dice.chance(0.2):
            spec[dice.one(["traits", "resource_class"])] = dice.one(["CUSTOM_A", "CUSTOM_C"])
        if releases.has("epoxy") and dice.chance(0.3):
            spec["live_migratable"] = dice.one(["true", "true", "false"])


def _pci_spec(dice):
    choices = {"vendor_id": ["8086", "8086", "10de", "10DE"], "product_id": ["1520", "1520", "1db4", "1Db4"],
               "dev_type": ["type-PCI", "type-VF", "type-PF", "vdpa"],
               "physical_network": ["pn1", "PN1", "pn2", None], "remote_managed": ["true", "false", "True", "1"]}
    names = dice.some(list(choices), dice.one([0, 0, 1, 1, 1, 2, 3]))
    return {name: dice.one(choices[name]) for name in names}


def give_pci(dice, host):
    host["pci_stats"] = None if dice.chance(0.12) else {"_pci_stats": True, "pools": pci_pools(dice)}


def give_topology(dice, host):
    """A host's NUMA topology, its ratios and sometimes devices; now and then none."""
    host["cpu_allocation_ratio"] = dice.one([1.0, 2.0, 16.0])
    host["ram_allocation_ratio"] = dice.one([0.9, 1.0, 1.5])
    if dice.chance(0.94):
        host["numa_topology"] = host_topology(dice)
    if dice.chance(0.005):
        host["cpu_allocation_ratio"] = None
    if dice.chance(0.4):
        give_pci(dice, host)


def ask_pci(dice, spec):
    spec["pci_requests"] = {"_object": "InstancePCIRequests", "instance_uuid": spec["instance_uuid"],
                            "requests": [] if dice.chance(0.06) else pci_requests(dice)}


def ask_topology(dice, spec):
    """A NUMA topology, CPU policies by flavor and by image, networks, devices."""
    if dice.chance(0.93):
        spec["numa_topology"] = instance_topology(dice)
    extra, image = spec["flavor"]["extra_specs"], spec["image"]["properties"]
    if dice.chance(0.3):
        extra["hw:cpu_policy"] = dice.one(["dedicated", "dedicated", "shared", "mixed"])
    if dice.chance(0.3):
        extra["hw:cpu_thread_policy"] = dice.one(["require", "require", "prefer", "isolate"])
    if dice.chance(0.2):
        image["hw_cpu_policy"] = dice.one(["dedicated", "dedicated", "shared", "mixed"])
    if dice.chance(0.2):
        image["hw_cpu_thread_policy"] = dice.one(["require", "require", "prefer", "isolate"])
    if dice.chance(0.3):
        spec["network_metadata"] = network_request(dice)
    if dice.chance(0.35):
        ask_pci(dice, spec)
    if dice.chance(0.01):
        spec["image"] = None
