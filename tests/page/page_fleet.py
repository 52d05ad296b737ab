# SPDX-License-Identifier: Apache-2.0
"""A fleet for the page to show: zones of unlike fullness, some hosts down or disabled, servers, and a host whose name would
be a script if it were taken for markup."""

import random
import uuid

HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
ZONES = [("az1", 0.46, 0.58), ("az2", 0.30, 0.74), ("az3", 0.16, 0.34), ("edge", 0.08, 0.9)]
SIZES = [(32, 131072, 1600), (64, 262144, 3200), (96, 524288, 6400)]
FLAVORS = [("m1.small", 1, 2048, 20), ("m1.medium", 2, 4096, 40), ("m1.large", 4, 8192, 80), ("r2.2xlarge", 8, 65536, 160)]
CHUNK = 2000


def zone_of(at, count):
    share = at / count
    for name, part, mean in ZONES:
        if share < part:
            return name, mean
        share -= part
    return ZONES[-1][0], ZONES[-1][2]


def node_of(host, zone, mean, chance):
    vcpus, memory, disk = SIZES[chance.randrange(3)]
    part = min(1.0, max(0.0, chance.gauss(mean, 0.2)))
    busy = min(1.0, max(0.0, chance.gauss(part, 0.1)))
    used = int(memory * part), int(disk * part * 0.7)
    return {"host": host, "hypervisor_hostname": host, "deleted": 0, "vcpus": vcpus, "memory_mb": memory, "local_gb": disk,
            "vcpus_used": int(vcpus * 4 * busy), "memory_mb_used": used[0], "local_gb_used": used[1],
            "free_ram_mb": memory - used[0], "free_disk_gb": disk - used[1], "cpu_allocation_ratio": 4.0,
            "ram_allocation_ratio": 1.0, "disk_allocation_ratio": 1.0, "running_vms": int(vcpus * part),
            "hypervisor_type": "QEMU", "hypervisor_version": 7002000, "host_ip": f"192.0.2.{chance.randrange(1, 255)}",
            "rack": f"{zone}-r{chance.randrange(12)}"}


def service_of(host, chance, always_up):
    row = {"topic": "compute", "host": host, "binary": "nova-compute", "deleted": 0}
    drawn = chance.random()
    if always_up:
        return row
    if drawn < 0.006:
        row["forced_down"] = True
    elif drawn < 0.018:
        row.update(disabled=True, disabled_reason="new disks on Thursday")
    return row


def tables_of(count, seed):
    chance = random.Random(seed)
    services, nodes, members = [], [], {name: [] for name, _, _ in ZONES}
    for at in range(count):
        zone, mean = zone_of(at, count)
        host = HOSTILE if at == 1 else f"{zone}-c{at + 1:05}"
        services.append(service_of(host, chance, always_up=at == 1))
        nodes.append(node_of(host, zone, mean, chance))
        members[zone].append(host)
    return services, nodes, members


def build(call, count, seed=20261124):
    """Imports the fleet by call(method, args) and returns the uuids of the servers that it then boots there."""
    services, nodes, members = tables_of(count, seed)
    for at in range(0, count, CHUNK):
        call("import", {"tables": {"services": services[at:at + CHUNK], "compute_nodes": nodes[at:at + CHUNK]}})
    aggregates = [{"id": number, "uuid": str(uuid.UUID(int=number)), "name": name, "deleted": 0}
                  for number, name in enumerate(members, 1)]
    zones = [{"aggregate_id": number, "key": "availability_zone", "value": name, "deleted": 0}
             for number, name in enumerate(members, 1)]
    hosts = [{"aggregate_id": number, "host": host, "deleted": 0}
             for number, name in enumerate(members, 1) for host in members[name]]
    call("import", {"tables": {"services": [], "aggregates": aggregates, "aggregate_metadata": zones,
                               "aggregate_hosts": hosts}})
    return boot(call)


def request_of(flavor, count=1, zone=None):
    name, vcpus, memory, disk = flavor
    sizes = {"vcpus": vcpus, "memory_mb": memory, "root_gb": disk, "ephemeral_gb": 0}
    properties = {"display_name": f"web-{name}", "project_id": "shop", "user_id": "ana", "availability_zone": zone, **sizes}
    return {"num_instances": count, "instance_properties": properties,
            "instance_type": {"name": name, "extra_specs": {}, **sizes}}


def boot(call):
    """Boots servers of each flavor, and asks for one that no host has room for."""
    placed = []
    for at, flavor in enumerate(FLAVORS):
        zone = [None, "az2", "az3"][at % 3]
        answer = call("schedule_run_instance", {"request_spec": request_of(flavor, 2, zone)})
        placed += [instance["uuid"] for instance in answer["instances"]]
    call("schedule_run_instance", {"request_spec": request_of(("huge", 16, 2097152, 100))})
    call("schedule_run_instance", {"request_spec": request_of(FLAVORS[0], 1, "az9")})
    return placed
