# SPDX-License-Identifier: Apache-2.0
"""Random PCI devices that placement knows, requests for them in groups, and the allocation candidates of hosts.

From Antelope on, filters judge the candidates of a host one by one, and the claim takes the first that is left.
"""

from . import releases

JUDGES = ("NUMATopologyFilter", "PciPassthroughFilter")
_PROVIDERS = [f"de71ce00-0000-4000-a000-00000000000{digit}" for digit in "1234"]


def are_judged_by(names):
    return releases.has("antelope") and any(name in JUDGES for name in names)


def place_devices(dice, host):
    """Pools of devices with their providers, mostly alike; a pool without one and a provider of two pools are rare."""
    providers = list(_PROVIDERS[:dice.one([1, 2, 3, 4])])
    if dice.chance(0.05):
        providers.append(dice.one(providers))
    pools = [_pool(dice, provider) for provider in providers]
    if dice.chance(0.2):
        pools.append(_pool(dice, None))
    dice.shuffle(pools)
    host["pci_stats"] = {"_pci_stats": True, "pools": sorted(pools, key=len)}


def _pool(dice, provider):
    pool = {"product_id": dice.one(["1520", "1520", "1520", "1db4"]), "vendor_id": "8086",
            "numa_node": dice.one([0, 0, 0, 1, None]), "count": dice.one([1, 1, 1, 2, 3]),
            "dev_type": dice.one(["type-PCI", "type-PCI", "type-PCI", "type-VF", "type-PF"])}
    if provider is not None:
        pool["rp_uuid"] = provider
        pool["address"] = "0000:8" + provider[-1] + ":00.0"
    if releases.has("epoxy") and dice.chance(0.3):
        pool["live_migratable"] = dice.one(["true", "false"])
    return pool


def ask_devices(dice, spec):
    """One to three requests; most are of the flavor and have a group for each device. Returns the groups."""
    requests = [_request(dice) for _ in range(dice.one([1, 1, 1, 2, 2, 3]))]
    spec["pci_requests"] = {"_object": "InstancePCIRequests", "instance_uuid": spec["instance_uuid"],
                            "requests": requests}
    return [f"{request['request_id']}-{number}" for request in requests
            if request["alias_name"] is not None and dice.chance(0.95) for number in range(request["count"])]


def _request(dice):
    wanted = {name: dice.one(values) for name, values in
              (("vendor_id", ["8086"]), ("product_id", ["1520"]), ("dev_type", ["type-PCI"]))
              if dice.chance(0.4)}
    if dice.chance(0.3):
        wanted["resource_class"] = "CUSTOM_PCI_8086_1520"
    if releases.has("epoxy") and dice.chance(0.2):
        wanted["live_migratable"] = dice.one(["true", "false"])
    made = {"_object": "InstancePCIRequest", "alias_name": "gpu" if dice.chance(0.85) else None,
            "count": dice.one([1, 1, 2, 2, 3]), "request_id": dice.uuid(), "spec": [wanted]}
    if dice.chance(0.5):
        made["numa_policy"] = dice.one([None, "legacy", "preferred", "required", "socket"])
    return dict(sorted(made.items()))


def of_host(dice, host, groups, at_most=8):
    """A host's candidates in placement's order: none, one or some, each with other devices.

    Those with equal devices are one candidate of a driver. Nova judges each of them, and its fit may answer otherwise about
    the second of two equal ones, since it changes the instance's cells.
    """
    known = {pool["rp_uuid"] for pool in (host["pci_stats"] or {"pools": []})["pools"] if "rp_uuid" in pool}
    providers = sorted(known) * 4 + _PROVIDERS
    sizes = [size for size in (0, 1, 1, 2, 3, 5, 8) if size <= at_most]
    drawn = [_candidate(dice, host["uuid"], groups, providers, number) for number in range(dice.one(sizes))]
    return [each for number, each in enumerate(drawn)
            if all(each["mappings"] != former["mappings"] for former in drawn[:number])]


def _candidate(dice, uuid, groups, providers, number):
    mappings = {"": [uuid]}
    for group in groups:
        mappings[group] = [dice.one(providers)]
    allocations = {uuid: {"resources": {"VCPU": 1, "MEMORY_MB": 512 + number}}}
    for group in groups:
        own = allocations.setdefault(mappings[group][0], {"resources": {}})["resources"]
        own["CUSTOM_PCI_8086_1520"] = own.get("CUSTOM_PCI_8086_1520", 0) + 1
    return {"allocations": allocations, "mappings": mappings}


def requested(groups):
    """The request groups that a conductor sends for them."""
    return [{"_object": "RequestGroup", "provider_uuids": [], "requester_id": group,
             "resources": {"CUSTOM_PCI_8086_1520": 1}, "use_same_provider": True} for group in groups]
