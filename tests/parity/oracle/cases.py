# SPDX-License-Identifier: Apache-2.0
"""Blocks of cases of one kind: the questions, not yet answered. What is dear to make (hosts, requests) is shared."""

from . import candidates
from . import filter_scenes
from . import fleet
from . import host_updates
from . import images
from . import nova_runtime
from . import releases
from . import placement
from . import requests
from . import topology
from .dice import NUMBERS, ODD_NUMBERS, requirement, word

# Their text in Python shows objects or times: no extra spec may ask for them of a host that has them.
_SHOWN_AS_OBJECTS = {"aggregates", "instances", "metrics", "service", "numa_topology", "pci_stats"}
_MULTIPLIERS = {"CPUWeigher": "cpu", "RAMWeigher": "ram", "DiskWeigher": "disk", "IoOpsWeigher": "io_ops",
                "PCIWeigher": "pci", "ServerGroupSoftAffinityWeigher": "soft_affinity",
                "ServerGroupSoftAntiAffinityWeigher": "soft_anti_affinity",
                "BuildFailureWeigher": "build_failure", "CrossCellWeigher": "cross_cell_move",
                "MetricsWeigher": "metrics", "HypervisorVersionWeigher": "hypervisor_version",
                "NumInstancesWeigher": "num_instances", "ImagePropertiesWeigher": "image_props"}
_MULTIPLIERS = {name: short for name, short in _MULTIPLIERS.items() if name in nova_runtime.WEIGHERS}
_NEVER_NEGATIVE = {"pci", "soft_affinity", "soft_anti_affinity"}


def _call(function, dice, thing, uuids):
    if getattr(function, "takes_uuids", False):
        function(dice, thing, uuids)
    else:
        function(dice, thing)


def _uuids(dice):
    return [dice.uuid() for _ in range(9)]


def filter_cases(dice, names):
    name = dice.one(names)
    give, ask, options = filter_scenes.SCENES[name]
    uuids = _uuids(dice)
    config = options(dice)
    hosts = [fleet.plain_host(dice) for _ in range(4)]
    specs = [requests.plain_spec(dice) for _ in range(2)]
    for host in hosts:
        _call(give, dice, host, uuids)
    for spec in specs:
        _call(ask, dice, spec, uuids)
    groups = None
    if candidates.are_judged_by([name]) and dice.chance(0.6):
        groups = {spec["instance_uuid"]: _ask_devices(dice, spec) for spec in specs}
        for host in hosts:
            _place_devices(dice, host)
    for spec in specs:
        for host in hosts:
            case = {"kind": "filter", "filter": name, "filter_module": nova_runtime.FILTERS[name].__module__,
                    "config": config, "host": host, "spec": spec}
            if name == "ComputeFilter":
                case["service_up"] = nova_runtime.service_is_up(host["service"], fleet.NOW)
            if groups is not None:
                case["candidates"] = candidates.of_host(dice, host, groups[spec["instance_uuid"]])
            yield case


def _place_devices(dice, host):
    if dice.chance(0.8):
        candidates.place_devices(dice, host)


def _ask_devices(dice, spec):
    """Asks for devices, mostly, and now and then for none of them. Returns the groups."""
    return candidates.ask_devices(dice, spec) if dice.chance(0.9) else []


def _scene(dice, names, count, uuids):
    """A fleet, a request and options for several filters at once."""
    hosts = [fleet.plain_host(dice, *pair) for pair in fleet.fleet_names(dice, count)]
    spec, config = requests.plain_spec(dice), {}
    requests.ask_flavor(dice, spec)
    for host in hosts:
        fleet.give_numbers(dice, host)
    for name in names:
        give, ask, options = filter_scenes.SCENES[name]
        config.update(options(dice))
        for host in hosts:
            if dice.chance(0.7):
                _call(give, dice, host, uuids)
        if spec["image"] is not None and spec.get("scheduler_hints") is not None and "extra_specs" in spec["flavor"]:
            _call(ask, dice, spec, uuids)
    extra_specs = spec["flavor"].get("extra_specs", {})
    for key in list(extra_specs):
        if _SHOWN_AS_OBJECTS & set(key.split(":")):
            del extra_specs[key]
    return hosts, spec, config


def _who_is_up(hosts):
    return [nova_runtime.service_is_up(host["service"], fleet.NOW) if "created_at" in host["service"] else True
            for host in hosts]


def filter_pipeline_cases(dice, names):
    uuids = _uuids(dice)
    chosen = dice.some(names, 6, 1)
    hosts, spec, config = _scene(dice, chosen, dice.randint(1, 8), uuids)
    if dice.chance(0.6):
        requests.ask_forced(dice, spec, [(host["host"], host["nodename"]) for host in hosts])
    if dice.chance(0.1):
        requests.ask_rebuild(dice, spec)
    if dice.chance(0.05):
        requests.ask_retry(dice, spec, [(host["host"], host["nodename"]) for host in hosts])
    modules = [nova_runtime.FILTERS[name].__module__ for name in chosen if name in nova_runtime.FILTERS]
    offered = None
    if candidates.are_judged_by(chosen) and dice.chance(0.7):
        groups = _ask_devices(dice, spec)
        for host in hosts:
            _place_devices(dice, host)
        offered = [candidates.of_host(dice, host, groups) for host in hosts]
    for index in (0, dice.one([1, 2])):
        case = {"kind": "filter_pipeline", "filters": chosen, "filter_modules": list(dict.fromkeys(modules)),
                "index": index,
                "config": config, "hosts": hosts, "spec": spec}
        if "ComputeFilter" in chosen:
            case["service_up"] = _who_is_up(hosts)
        if offered is not None:
            case["candidates"] = offered
        yield case


def _images(dice, hosts, spec, config):
    """Images of the hosts' instances as their system metadata has them, and a request's, with ties between them."""
    known = [images.metadata(dice) for _ in range(dice.randint(1, 4))]
    for host in hosts:
        for one in host["instances"]:
            one["system_metadata"] = dice.one(known) if dice.chance(0.9) else {"image_base_image_ref": "", "boot_roles": "r"}
    if dice.chance(0.05):
        spec["image"] = None
    else:
        spec["image"]["properties"] |= images.properties(dice, dice.one(known))
    config["filter_scheduler.image_props_weight_multiplier"] = dice.one([1.0, 1.0, -1.0, 2.0, 0.5, -1000000.0, 0.0])
    if dice.chance(0.6):
        config["filter_scheduler.image_props_weight_setting"] = images.setting(dice)


def _weighing(dice, count):
    """A fleet with ties, a request and options that every weigher looks at."""
    uuids = _uuids(dice)
    hosts = [fleet.plain_host(dice, *pair) for pair in fleet.fleet_names(dice, count)]
    values = [text for text in NUMBERS + ODD_NUMBERS if text.strip().lower() != "nan"]
    keys = {short + "_weight_multiplier": lambda dice: dice.one(values) for short in _MULTIPLIERS.values()}
    for host in hosts:
        fleet.give_numbers(dice, host)
        host["cell_uuid"] = dice.one(fleet.CELLS)
        fleet.give_instances(dice, host, uuids)
        if releases.has("bobcat"):
            host["hypervisor_version"] = dice.one([None, 0, 5, 7002000, 7002000, 8000000, dice.randint(0, 1 << 24)])
        fleet.give_metrics(dice, host)
        if dice.chance(0.5):
            topology.give_pci(dice, host)
        if dice.chance(0.5):
            fleet.give_aggregates(dice, host, keys)
        if dice.chance(0.004):
            host["cpu_allocation_ratio"] = None
    if count > 1 and dice.chance(0.4):
        for name in ("free_ram_mb", "vcpus_used", "vcpus_total", "free_disk_mb", "num_io_ops", "failed_builds"):
            hosts[-1][name] = hosts[0][name]
    spec, config = requests.plain_spec(dice), {}
    if dice.chance(0.7):
        requests.ask_group(dice, spec, uuids)
    requests.ask_cell(dice, spec)
    for short in dice.some(sorted(_MULTIPLIERS.values()), 4):
        allowed = [0.0, 0.5, 1.0, 2.0, 1000000.0] + ([] if short in _NEVER_NEGATIVE else [-1.0, -0.1, -1000000.0])
        option = "metrics.weight_multiplier" if short == "metrics" else f"filter_scheduler.{short}_weight_multiplier"
        config[option] = dice.one(allowed)
    if releases.has("epoxy"):
        _images(dice, hosts, spec, config)
    if dice.chance(0.8):
        config.update(filter_scenes.metrics_options(dice))
        if dice.chance(0.9):
            config["metrics.required"] = False
        if dice.chance(0.3):
            config["metrics.weight_of_unavailable"] = dice.one([-10.0, 0.0, 5.5])
    return hosts, spec, config


def weigher_raw_cases(dice, names):
    hosts, spec, config = _weighing(dice, 2)
    for name in dice.sample(sorted(_MULTIPLIERS), 5):
        for host in hosts:
            yield {"kind": "weigher_raw", "weigher": name, "weigher_module": nova_runtime.WEIGHERS[name].__module__,
                   "config": config, "host": host, "spec": spec}


def _weighers(dice):
    chosen = sorted(_MULTIPLIERS)
    dice.shuffle(chosen)
    if dice.chance(0.3):
        chosen = chosen[:dice.randint(1, 9)]
    return [{"name": name, "module": nova_runtime.WEIGHERS[name].__module__} for name in chosen]


def weigh_pipeline_cases(dice, names):
    hosts, spec, config = _weighing(dice, dice.one([0, 1, 2, 2, 3, 3, 5, 8, 12, 16]))
    for _ in range(2):
        yield {"kind": "weigh_pipeline", "weighers": _weighers(dice), "config": config, "hosts": hosts, "spec": spec}


def normalize_cases(dice, names):
    for _ in range(6):
        make = dice.one([lambda: dice.randint(-5, 5), lambda: dice.uniform(-10, 10),
                         lambda: dice.one([0, 1, 1e300, -1e300, 0.1]),
                         lambda: dice.randint(0, 1 << 40), lambda: dice.one([5, 5.0])])
        yield {"kind": "normalize", "config": {}, "weights": [make() for _ in range(dice.one([0, 1, 2, 3, 8, 20]))],
               "minval": dice.one([None, None, 0, -3, 1.5]), "maxval": dice.one([None, None, None, 0, 5, 2.5])}


def extra_specs_match_cases(dice, names):
    values = ["4", "1.0", "ssd", "x86_64", "['aes', 'mmx']", "", "True", "ünï", "a b", "-3", "1e+22"]
    for _ in range(10):
        value = dice.one([dice.one(values), dice.one(NUMBERS), word(dice), dice.one([None, dice.one(ODD_NUMBERS)])])
        yield {"kind": "extra_specs_match", "config": {}, "value": value,
               "req": requirement(dice, values + [value or "x", "aes", "mmx", "e"])}


def _packing(dice):
    return {"compute.packing_host_numa_cells_allocation_strategy": True} if dice.chance(0.3) else {}


def consume_cases(dice, names):
    for _ in range(3):
        host, spec = fleet.plain_host(dice), requests.plain_spec(dice)
        fleet.give_numbers(dice, host)
        requests.ask_flavor(dice, spec)
        if dice.chance(0.75):
            topology.give_topology(dice, host)
            if dice.chance(0.9):
                topology.ask_topology(dice, spec)
        if dice.chance(0.5):
            topology.give_pci(dice, host)
            topology.ask_pci(dice, spec)
        if dice.chance(0.3):
            host["limits"] = {"numa_topology": topology.numa_limits(dice)}
        yield {"kind": "consume", "config": _packing(dice), "host_before": host, "spec": spec}


def numa_fit_cases(dice, names):
    for _ in range(4):
        yield {"kind": "numa_fit", "config": _packing(dice), "host_topology": topology.host_topology(dice),
               "instance_topology": topology.instance_topology(dice),
               "limits": topology.numa_limits(dice) if dice.chance(0.85) else None,
               "pci_requests": topology.pci_requests(dice, 2) if dice.chance(0.4) else dice.one([None, []]),
               "pci_pools": topology.pci_pools(dice) if dice.chance(0.5) else None}


def numa_usage_cases(dice, names):
    for _ in range(4):
        host = topology.host_topology(dice)
        yield {"kind": "numa_usage", "config": {}, "host_topology": host,
               "instance_topology": topology.instance_topology(dice, host["cells"]), "free": dice.chance(0.3)}


def _pci_cases(dice, kind, method):
    for _ in range(4):
        host = topology.host_topology(dice) if dice.chance(0.9) else None
        cells = None
        if host is not None and dice.chance(0.7):
            cells = topology.instance_topology(dice, host["cells"])["cells"]
        yield {"kind": kind, "method": method, "config": {}, "pools_before": topology.pci_pools(dice),
               "numa_topology": host,
               "requests": topology.pci_requests(dice), "numa_cells": cells}


def pci_support_requests_cases(dice, names):
    return _pci_cases(dice, "pci_support_requests", "support_requests")


def pci_apply_requests_cases(dice, names):
    return _pci_cases(dice, "pci_apply_requests", "apply_requests")


def _allocation_requests(dice, uuid):
    return [{"allocations": {uuid: {"resources": {"VCPU": 1, "MEMORY_MB": size}}}, "mappings": {"": [uuid]}}
            for size in range(512, 512 + dice.one([1, 1, 2]))]


def _as_reported(hosts):
    """Leaves of hosts what a compute node can report, and each instance on one host."""
    seen = set()
    for host in hosts:
        host["hypervisor_hostname"] = host["nodename"]
        host["hypervisor_version"] = host["hypervisor_version"] or 0
        host.setdefault("stats", {})
        host["instances"] = [one for one in host["instances"] if one["uuid"] not in seen]
        seen.update(one["uuid"] for one in host["instances"])


def _forget_providers(spec):
    """A request does not name its providers before it is placed: filters would pass what consumption then refuses."""
    for request in (spec["pci_requests"] or {}).get("requests", ()):
        for alternative in request.get("spec", ()):
            alternative.pop("rp_uuids", None)


def schedule_cases(dice, names):
    """A whole request for one to four instances; some claims fail, some hosts have no allocation request."""
    uuids = _uuids(dice)
    usable = [name for name in names if name not in ("AvailabilityZoneFilter", "JsonFilter")]
    chosen = dice.some(usable, 3, 1)
    hosts, spec, config = _scene(dice, chosen, dice.randint(1, 6), uuids)
    config = dict(config)
    if dice.chance(0.9):
        config["metrics.required"] = False
    for host in hosts:
        host["cell_uuid"] = dice.one(fleet.CELLS[:2])
        if dice.chance(0.3):
            host["aggregates"].append({"id": 9, "uuid": dice.uuid(), "name": "zone", "hosts": [host["host"]],
                                       "metadata": {"availability_zone": dice.one(["az1", "nova"])}})
    if dice.chance(0.4):
        requests.ask_group(dice, spec, uuids)
        for host in hosts:
            fleet.give_instances(dice, host, uuids)
    _as_reported(hosts)
    if releases.has("bobcat"):
        config["filter_scheduler.num_instances_weight_multiplier"] = dice.one([0.0, 1.0, -1.0, -0.5])
        for host in hosts:
            host["hypervisor_version"] = dice.one([host["hypervisor_version"], 7002000, 8000000])
    if dice.chance(0.2):
        requests.ask_forced(dice, spec, [(host["host"], host["nodename"]) for host in hosts])
    instance_uuids = [spec["instance_uuid"]] + [dice.uuid() for _ in range(dice.one([0, 0, 1, 2, 3]))]
    spec["num_instances"] = len(instance_uuids)
    if dice.chance(0.5):
        config["scheduler.max_attempts"] = dice.one([1, 2, 5])
    claimed = dice.chance(0.85)
    known = [host for host in hosts if dice.chance(0.93)]
    requested = {host["uuid"]: _allocation_requests(dice, host["uuid"]) for host in known}
    if releases.has("antelope"):
        _forget_providers(spec)
        # A host without candidates is rejected by some filters: without a claim nobody has any. Nova asks placement for
        # none where the hint of a rebuild is.
        is_rebuild = (spec.get("scheduler_hints") or {}).get("_nova_check_type") == ["rebuild"]
        claimed = (claimed or candidates.are_judged_by(chosen)) and not is_rebuild
        if candidates.are_judged_by(chosen) and dice.chance(0.8):
            groups = _ask_devices(dice, spec)
            for host in hosts:
                _place_devices(dice, host)
            spec["requested_resources"] = candidates.requested(groups)
            requested = {host["uuid"]: candidates.of_host(dice, host, groups) for host in known}
        elif candidates.are_judged_by(chosen):
            requested = {uuid: each[:1] for uuid, each in requested.items()}
    yield {"kind": "schedule", "config": config, "filters": chosen, "weighers": _weighers(dice), "hosts": hosts,
           "spec": spec,
           "service_up": _who_is_up(hosts), "instance_uuids": instance_uuids if claimed or spec["instance_group"] or dice.chance(0.5) else None,
           "alloc_reqs_by_rp_uuid": requested if claimed else None,
           "provider_summaries": {host["uuid"]: {} for host in hosts} if claimed else None,
           "allocation_request_version": "1.36" if claimed else None, "return_alternates": dice.chance(0.6),
           "claims": [{"ok": dice.chance(0.9)} for _ in range(24)], "claim_mocked": True}


# kind: (what makes a block of it, its share of all cases)
KINDS = {
    "filter": (filter_cases, 60), "filter_pipeline": (filter_pipeline_cases, 12), "weigher_raw": (weigher_raw_cases, 7),
    "weigh_pipeline": (weigh_pipeline_cases, 6), "normalize": (normalize_cases, 1),
    "extra_specs_match": (extra_specs_match_cases, 4), "consume": (consume_cases, 3), "numa_fit": (numa_fit_cases, 4),
    "numa_usage": (numa_usage_cases, 1), "pci_support_requests": (pci_support_requests_cases, 2),
    "pci_apply_requests": (pci_apply_requests_cases, 2), "schedule": (schedule_cases, 2),
    "host_state_update": (host_updates.host_state_update_cases, 1),
    "request_filter": (placement.request_filter_cases, 2), "resource_request": (placement.resource_request_cases, 3),
    "resources_from_request_spec": (placement.resources_from_request_spec_cases, 3),
}
