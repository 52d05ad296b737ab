# SPDX-License-Identifier: Apache-2.0
"""A hypervisor of nova.virt.fake whose resources and behaviour a file describes: one for each host of the fleet.

The file is named by GANTRY_FAKE_HOST. Sizes, NUMA cells, devices and nested resources are read at the start, "build"
("fails" or "aborts") each time a server is built.
"""

import json
import os
import time

from nova import exception
from nova.conf import CONF
from nova.objects import network_metadata, numa
from nova.virt import fake
from oslo_utils.fixture import uuidsentinel


def _shape() -> dict:
    with open(os.environ["GANTRY_FAKE_HOST"]) as file:
        return json.load(file)


class FakeHost(fake.FakeDriver):
    capabilities = {**fake.FakeDriver.capabilities, "supports_migrate_to_same_host": True, "supports_pcpus": True}

    def __init__(self, virtapi, read_only=False):
        self.shape = _shape()
        _keep_node_id()
        self.vcpus = self.shape["vcpus"]
        self.memory_mb = self.shape["memory_mb"]
        self.local_gb = self.shape["local_gb"]
        super().__init__(virtapi, read_only)

    def get_available_resource(self, nodename):
        resources = super().get_available_resource(nodename)
        if not resources:
            return resources
        resources["disk_available_least"] = None  # the fake driver's 0 would make every claim an overcommitment
        if "numa" in self.shape:
            resources["numa_topology"] = self._numa_topology()._to_json()
        if "devices" in self.shape:
            resources["pci_passthrough_devices"] = json.dumps(self._devices())
        return resources

    def _numa_topology(self):
        cells = [
            numa.NUMACell(
                id=number, cpuset=set(cell["shared"]), pcpuset=set(cell["dedicated"]), memory=cell["memory_mb"],
                cpu_usage=0, memory_usage=0, pinned_cpus=set(), siblings=[
                    {cpu} for cpu in (*cell["shared"], *cell["dedicated"])], mempages=[
                    numa.NUMAPagesTopology(size_kb=size, total=total, used=0, reserved=0)
                    for size, total in cell.get("pages", [[4, cell["memory_mb"] * 256]])
                ], network_metadata=network_metadata.NetworkMetadata(physnets=set(), tunneled=False), socket=number,
            )
            for number, cell in enumerate(self.shape["numa"])
        ]
        return numa.NUMATopology(cells=cells)

    def _devices(self):
        return [
            {"address": f"0000:81:00.{number}", "product_id": "10ed", "vendor_id": "8086", "status": "available",
             "dev_type": "type-PCI", "parent_addr": None, "numa_node": None, "label": "label_8086_10ed"}
            for number in range(self.shape["devices"])
        ]

    def update_provider_tree(self, provider_tree, nodename, allocations=None):
        super().update_provider_tree(provider_tree, nodename, allocations)
        inventory = dict(provider_tree.data(nodename).inventory)
        dedicated = sum(len(cell["dedicated"]) for cell in self.shape.get("numa", []))
        if dedicated:
            shared = sum(len(cell["shared"]) for cell in self.shape["numa"])
            inventory["PCPU"] = _amount(dedicated)
            if shared:
                inventory["VCPU"].update(total=shared, max_unit=shared)
            else:
                del inventory["VCPU"]
        inventory.update({name: _amount(total) for name, total in self.shape.get("resources", {}).items()})
        if self.shape.get("no_disk"):
            del inventory["DISK_GB"]
        provider_tree.update_inventory(nodename, inventory)
        for child, resources in self.shape.get("children", {}).items():
            name = f"{nodename}_{child}"
            if not provider_tree.exists(name):
                provider_tree.new_child(name, nodename)
            provider_tree.update_inventory(name, {resource: _amount(total) for resource, total in resources.items()})

    def spawn(self, context, instance, *args, **kwargs):
        build = _shape().get("build")
        if build:
            # The row of this host must be renewed in a later second than the one of the choice, or the scheduler
            # would rightly keep what it has counted.
            time.sleep(2)
        if build == "fails":
            raise exception.ComputeResourcesUnavailable(reason="this fake host builds nothing")
        if build == "aborts":
            raise exception.BuildAbortException(instance_uuid=instance.uuid, reason="this fake host aborts builds")
        return super().spawn(context, instance, *args, **kwargs)


def _keep_node_id() -> None:
    """From Nova 27 on the id of a host must outlive a restart, and the fake driver draws a new one at each start."""
    try:
        with open(os.path.join(CONF.state_path, "compute_id")) as file:
            setattr(uuidsentinel, f"node_{CONF.host}", file.read().strip())
    except FileNotFoundError:
        pass


def _amount(total: int) -> dict:
    return {"total": total, "reserved": 0, "min_unit": 1, "max_unit": total, "step_size": 1, "allocation_ratio": 1.0}
