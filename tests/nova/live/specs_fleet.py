# SPDX-License-Identifier: Apache-2.0
"""Writes a fleet of unlike hosts into the databases of Nova and placement: specs_fleet.py SOCKET HOSTS SEED

Run by `nova-live specs` on the databases of the three fake hosts, which are not running then and so count as silent.
"""

import json
import random
import sys
import uuid

import pymysql
from nova import objects
from nova.objects import network_metadata, numa

objects.register_all()
ZONES = ("z0", "z1", "z2", "z3")
TRAITS = ("HW_CPU_X86_AVX2", "HW_CPU_X86_SSE42", "STORAGE_DISK_SSD", "CUSTOM_GOLD", "CUSTOM_SILVER")
LICENCE = "CUSTOM_LICENCE"
KINDS = (
    ("kvm", 2008000, [["x86_64", "kvm", "hvm"], ["i686", "kvm", "hvm"]]),
    ("QEMU", 7002000, [["x86_64", "qemu", "hvm"], ["aarch64", "qemu", "hvm"]]),
    ("fake", 1000, [["x86_64", "fake", "hvm"]]),
)


class Fleet:
    def __init__(self, cursor: pymysql.cursors.Cursor, hosts: int, seed: int):
        self.cursor = cursor
        self.dice = random.Random(f"fleet {seed}")
        self.hosts = [f"h{number:05}" for number in range(hosts)]
        self.classes = dict(self.rows("select name, id from placement.resource_classes"))
        self.traits = dict(self.rows("select name, id from placement.traits"))
        self.now = self.rows("select utc_timestamp()")[0][0]
        # From Nova 34 on requests want providers that Nova owns, as a nova-compute says of its own.
        self.owned = self.rows(
            "select n.name from placement.resource_provider_traits t join placement.resource_providers p on p.id = t.resource_provider_id "
            "join placement.traits n on n.id = t.trait_id where p.name = 'c0' and n.name = 'OWNER_NOVA'")
        self.cell = self.rows("select id from nova_api.cell_mappings where name = 'cell1'")[0][0]

    def rows(self, query: str):
        self.cursor.execute(query)
        return self.cursor.fetchall()

    def insert(self, table: str, **values) -> int:
        names = ", ".join(f"`{name}`" for name in values)
        self.cursor.execute(f"insert into {table} ({names}) values ({', '.join(['%s'] * len(values))})", list(values.values()))
        return self.cursor.lastrowid

    def id(self) -> str:
        return str(uuid.UUID(int=self.dice.getrandbits(128), version=4))

    def write(self) -> None:
        for trait in TRAITS:
            if trait not in self.traits:
                self.traits[trait] = self.insert("placement.traits", name=trait)
        if LICENCE not in self.classes:
            self.classes[LICENCE] = self.insert("placement.resource_classes", name=LICENCE)
        self.project = self.insert("placement.projects", external_id="fleet")
        self.user = self.insert("placement.users", external_id="fleet")
        self.aggregates()
        for host in self.hosts:
            self.host(host)

    def aggregates(self) -> None:
        metadata = [{"availability_zone": zone} for zone in ZONES]
        metadata += [{"disk": "ssd"}, {"disk": "nvme", "class": "fast"}, {"os_type": "windows"}, {"weight": "7"}]
        self.numbers = []
        for number, keys in enumerate(metadata):
            identity = self.id()
            aggregate = self.insert("nova_api.aggregates", uuid=identity, name=f"aggregate{number}")
            for key, value in keys.items():
                self.insert("nova_api.aggregate_metadata", aggregate_id=aggregate, key=key, value=value)
            self.numbers.append((aggregate, self.insert("placement.placement_aggregates", uuid=identity)))

    def host(self, name: str) -> None:
        dice = self.dice
        cpus = dice.choice([16, 24, 32, 64, 96])
        memory = cpus * dice.choice([2048, 4096, 8192])
        disk = dice.choice([500, 1000, 4000])
        ratios = {"VCPU": dice.choice([1.0, 2.0, 4.0, 16.0]), "MEMORY_MB": dice.choice([1.0, 1.2, 1.5]), "DISK_GB": dice.choice([1.0, 1.5])}
        share = dice.random() * 0.95
        used = {"VCPU": int(cpus * ratios["VCPU"] * share), "MEMORY_MB": int(memory * share), "DISK_GB": int(disk * share * 0.7)}
        state = dice.random()
        kind, version, instances = dice.choice(KINDS)
        identity = self.id()
        self.cursor.execute(
            "insert into nova.services (created_at, updated_at, host, `binary`, topic, report_count, disabled, deleted, uuid, version, "
            "last_seen_up, forced_down) values (utc_timestamp(), utc_timestamp(), %s, 'nova-compute', 'compute', 1, %s, 0, %s, (select version from nova.services as known where host = 'c0' and `binary` = 'nova-compute'), "
            "utc_timestamp() - interval %s day, %s)",
            (name, state < 0.03, self.id(), 3 if 0.03 <= state < 0.06 else 0, 0.06 <= state < 0.09))
        topology = self.topology(cpus, memory) if dice.random() < 0.4 else None
        stats = {"failed_builds": dice.choice([0] * 9 + [1, 3]), "io_workload": dice.choice([0, 0, 0, 1, 2, 9]),
                 "num_instances": dice.randrange(40)}
        self.insert(
            "nova.compute_nodes", created_at=self.now, updated_at=self.now, uuid=identity, host=name, hypervisor_hostname=name, host_ip="127.0.0.1", deleted=0, mapped=1,
            vcpus=cpus, memory_mb=memory, local_gb=disk, vcpus_used=used["VCPU"], memory_mb_used=used["MEMORY_MB"],
            local_gb_used=used["DISK_GB"], free_ram_mb=memory - used["MEMORY_MB"], free_disk_gb=disk - used["DISK_GB"],
            disk_available_least=dice.choice([None, disk - used["DISK_GB"] - 5]), hypervisor_type=kind, hypervisor_version=version,
            cpu_info=json.dumps({"arch": "x86_64", "model": dice.choice(["Nehalem", "Haswell"]), "features": ["pge"],
                                 "topology": {"cores": 4, "threads": 2, "sockets": 2}}),
            supported_instances=json.dumps(instances), metrics="[]", stats=json.dumps({key: str(value) for key, value in stats.items()}),
            current_workload=stats["io_workload"], running_vms=stats["num_instances"], numa_topology=topology and topology._to_json(),
            pci_stats=self.devices(), ram_allocation_ratio=ratios["MEMORY_MB"], cpu_allocation_ratio=ratios["VCPU"],
            disk_allocation_ratio=ratios["DISK_GB"])
        self.insert("nova_api.host_mappings", cell_id=self.cell, host=name)
        self.provider(name, identity, {"VCPU": cpus, "MEMORY_MB": memory, "DISK_GB": disk}, ratios, used, topology, state < 0.015)
        for _ in range(dice.choice([0, 1, 2])):
            self.insert("nova.instances", uuid=self.id(), host=name, node=name, deleted=0, vm_state="active", display_name="old",
                        project_id="fleet", user_id="fleet", memory_mb=1, vcpus=1, root_gb=0, ephemeral_gb=0)

    def provider(self, name, identity, totals, ratios, used, topology, disabled) -> None:
        dice = self.dice
        provider = self.insert("placement.resource_providers", uuid=identity, name=name, generation=1)
        self.cursor.execute("update placement.resource_providers set root_provider_id = id where id = %s", (provider,))
        if topology:
            totals = {**totals, "PCPU": sum(len(cell.pcpuset) for cell in topology.cells)}
        if dice.random() < 0.3:
            totals = {**totals, LICENCE: dice.randint(1, 8)}
        for name_of_class, total in totals.items():
            self.insert("placement.inventories", resource_provider_id=provider, resource_class_id=self.classes[name_of_class], total=total,
                        reserved=0, min_unit=1, max_unit=total, step_size=1, allocation_ratio=ratios.get(name_of_class, 1.0))
        consumer = self.id()
        self.insert("placement.consumers", uuid=consumer, project_id=self.project, user_id=self.user, generation=1)
        for name_of_class, amount in used.items():
            if amount:
                self.insert("placement.allocations", resource_provider_id=provider, consumer_id=consumer,
                            resource_class_id=self.classes[name_of_class], used=amount)
        traits = [trait for trait in TRAITS if dice.random() < 0.4] + (["COMPUTE_STATUS_DISABLED"] if disabled else [])
        traits += [name for (name,) in self.owned]
        for trait in traits:
            self.insert("placement.resource_provider_traits", trait_id=self.traits[trait], resource_provider_id=provider)
        memberships = [dice.randrange(len(ZONES))] if dice.random() < 0.8 else []
        memberships += [number for number in range(len(ZONES), len(self.numbers)) if dice.random() < 0.25]
        for number in memberships:
            aggregate, mirrored = self.numbers[number]
            self.insert("nova_api.aggregate_hosts", aggregate_id=aggregate, host=name)
            self.insert("placement.resource_provider_aggregates", resource_provider_id=provider, aggregate_id=mirrored)

    def topology(self, cpus: int, memory: int):
        half = cpus // 2
        cells = []
        for number in range(2):
            first = number * half
            pinned = self.dice.choice([0, 0, 2, half // 4])
            dedicated = set(range(first + half // 2, first + half))
            threads = self.dice.choice([1, 2])
            cells.append(numa.NUMACell(
                id=number, cpuset=set(range(first, first + half // 2)), pcpuset=dedicated, memory=memory // 2,
                cpu_usage=self.dice.randrange(half), memory_usage=self.dice.randrange(memory // 2), socket=number,
                pinned_cpus=set(sorted(dedicated)[:pinned]), siblings=[
                    set(range(core, core + threads)) for core in range(first, first + half, threads)], network_metadata=network_metadata.NetworkMetadata(
                    physnets=set(), tunneled=False),
                mempages=[numa.NUMAPagesTopology(size_kb=4, total=memory // 2 * 256, used=0, reserved=0)]))
        return numa.NUMATopology(cells=cells)

    def devices(self) -> str:
        pools = []
        if self.dice.random() < 0.3:
            pools.append(objects.PciDevicePool(
                vendor_id="8086", product_id="10ed", numa_node=self.dice.choice([None, 0, 1]), count=self.dice.randint(0, 6),
                tags={"dev_type": "type-PCI"}))
        return json.dumps(objects.PciDevicePoolList(objects=pools).obj_to_primitive())


def main() -> None:
    socket, hosts, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    connection = pymysql.connect(unix_socket=socket, user="root", autocommit=False)
    with connection.cursor() as cursor:
        Fleet(cursor, hosts, seed).write()
    connection.commit()


if __name__ == "__main__":
    main()
