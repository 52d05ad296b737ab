# SPDX-License-Identifier: Apache-2.0
"""The JSON of recorded decisions to and from Nova's objects, and to the versioned form that travels over RPC."""

import datetime
import math

import netaddr
from nova import objects
from nova.objects import base
from nova.pci import stats as pci_stats
from nova.scheduler import host_manager

_CLASSES = base.NovaObjectRegistry.obj_classes()
_NOT_ATTRIBUTES = {"_class", "host", "nodename", "cell_uuid", "numa_topology_wire", "aggregates_synthesised",
                   "agg_helper_mocked"}
_INSTANCES = {}


def decode(value):
    """Nova's value for a JSON value: objects, sets, times and dictionaries with other keys than strings included."""
    if isinstance(value, dict):
        name = value.get("_object")
        if name is not None:
            unknown = [key for key in value if key != "_object" and key not in _CLASSES[name][0].fields]
            if unknown:
                raise KeyError(f"{name} of Nova has no {unknown}")
            made = _CLASSES[name][0](**{key: decode(item) for key, item in value.items() if key != "_object"})
            made.obj_reset_changes(recursive=False)
            return made
        if len(value) == 1:
            if "_set" in value:
                return {decode(item) for item in value["_set"]}
            if "_datetime" in value:
                return datetime.datetime.fromisoformat(value["_datetime"])
            if "_pairs" in value:
                return {decode(key): decode(item) for key, item in value["_pairs"]}
            if "_float" in value:
                return float(value["_float"])
        return {key: decode(item) for key, item in value.items()}
    if isinstance(value, list):
        return [decode(item) for item in value]
    return value


def encode(value):
    """The JSON value of what Nova answered; the fields of an object in the order of their names."""
    if isinstance(value, base.NovaObject):
        made = {"_object": value.obj_name()}
        for name in sorted(value.fields):
            if value.obj_attr_is_set(name):
                made[name] = encode(getattr(value, name))
        return made
    if isinstance(value, (set, frozenset)):
        return {"_set": sorted(value)}
    if isinstance(value, dict):
        if all(isinstance(key, str) for key in value):
            return {key: encode(item) for key, item in value.items()}
        return {str(key): encode(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode(item) for item in value]
    if isinstance(value, datetime.datetime):
        return {"_datetime": value.isoformat()}
    if isinstance(value, pci_stats.PciDeviceStats):
        return None
    if isinstance(value, netaddr.IPAddress):
        return str(value)
    return encode_number(value)


def encode_number(value):
    """A number as JSON can hold it: not-a-number and the infinities by name."""
    if isinstance(value, float) and not math.isfinite(value):
        return {"_float": repr(value)}
    return value


def wire(value):
    """The versioned-object primitive of a JSON value."""
    if isinstance(value, dict):
        name = value.get("_object")
        if name is not None:
            data = {key: wire(item) for key, item in value.items() if key != "_object"}
            made = {"nova_object.name": name, "nova_object.namespace": "nova",
                    "nova_object.version": _CLASSES[name][0].VERSION, "nova_object.data": data}
            if data:
                made["nova_object.changes"] = sorted(data)
            return made
        if len(value) == 1:
            if "_set" in value:
                return list(value["_set"])
            if "_datetime" in value:
                return value["_datetime"].replace("+00:00", "Z")
        return {key: wire(item) for key, item in value.items()}
    if isinstance(value, list):
        return [wire(item) for item in value]
    return value


def instance(description):
    """An instance on a host: no filter or weigher of Zed reads more of it than its uuid, ImagePropertiesWeigher its image."""
    uuid = description["uuid"]
    if "system_metadata" in description:
        return objects.Instance(uuid=uuid, image_ref="", system_metadata=dict(description["system_metadata"]))
    if uuid not in _INSTANCES:
        if len(_INSTANCES) > 5000:
            _INSTANCES.clear()
        _INSTANCES[uuid] = objects.Instance(uuid=uuid)
    return _INSTANCES[uuid]


def pools(description, numa_topology):
    """Nova's PCI statistics with these flat pools, in this order."""
    made = pci_stats.PciDeviceStats(numa_topology)
    made.pools = [dict(pool) for pool in description]
    return made


def host_state(description):
    """Nova's HostState of one host of a fleet."""
    made = host_manager.HostState(description["host"], description["nodename"], description["cell_uuid"])
    topology = None
    for name, value in description.items():
        if name in _NOT_ATTRIBUTES:
            continue
        if name == "instances":
            made.instances = {item["uuid"]: instance(item) for item in value}
        elif name == "aggregates":
            made.aggregates = [objects.Aggregate(**item) for item in value]
        elif name == "numa_topology":
            topology = made.numa_topology = decode(value)
        elif name == "pci_stats":
            pass
        elif name == "service":
            made.service = host_manager.ReadOnlyDict(decode(value))
        elif isinstance(value, (dict, list)):
            setattr(made, name, decode(value))
        else:
            setattr(made, name, value)
    if description["pci_stats"] is not None:
        made.pci_stats = pools(description["pci_stats"]["pools"], topology)
    return made


def host_after(description, state):
    """The host's JSON after Nova consumed from it: what consumption can change is read back."""
    made = dict(description)
    for name in ("free_ram_mb", "free_disk_mb", "vcpus_used", "num_instances", "num_io_ops"):
        made[name] = getattr(state, name)
    made["numa_topology"] = encode(state.numa_topology)
    if state.numa_topology is not None:
        made["numa_topology_wire"] = wire(made["numa_topology"])
    if state.pci_stats is not None:
        made["pci_stats"] = {"_pci_stats": True, "pools": [dict(pool) for pool in state.pci_stats.pools]}
    return made


def host_description(before, state):
    """The whole JSON of a host as Nova's HostState now has it; aggregates and instances as they were before."""
    made = {"_class": "HostState", "host": state.host, "nodename": state.nodename}
    for name in before:
        if name not in made and name != "numa_topology_wire":
            made[name] = before[name] if name in ("aggregates", "instances") else encode(getattr(state, name))
    if hasattr(state, "stats"):
        made["stats"] = encode(state.stats)
    if state.numa_topology is not None:
        made["numa_topology_wire"] = wire(made["numa_topology"])
    if state.pci_stats is not None:
        made["pci_stats"] = {"_pci_stats": True, "pools": [dict(pool) for pool in state.pci_stats.pools]}
    return made
