# SPDX-License-Identifier: Apache-2.0
"""Sends random requests to the scheduler with Nova's own client: specs_client.py CONF SOCKET COUNT HOSTS SEED OUTPUT

A line of OUTPUT for each: {"instances", "seconds", "hosts": for each instance the chosen one and its alternates} or {"failure"}. What
was claimed is given back before the next request. After a request that has placed one instance, "ping" and "put" are the seconds of an
RPC that the scheduler answers at once, and of placement's answer to the bare claim.
"""

import datetime
import json
import random
import sys
import time
import uuid

from nova import monkey_patch  # noqa: F401  first, because it sets up eventlet
from nova import baserpc, config, context, objects
from nova.scheduler.client import query, report
from nova.virt import hardware
import pymysql

from specs_fleet import LICENCE, TRAITS, ZONES

objects.register_all()
POLICIES = ("affinity", "anti-affinity", "soft-affinity", "soft-anti-affinity")


class Dice(random.Random):
    def id(self) -> str:
        return str(uuid.UUID(int=self.getrandbits(128), version=4))

    def chance(self, share: float) -> bool:
        return self.random() < share


def flavor(dice: Dice) -> objects.Flavor:
    specs = {}
    for trait in TRAITS:
        if dice.chance(0.08):
            specs[f"trait:{trait}"] = dice.choice(["required", "required", "forbidden"])
    if dice.chance(0.1):
        specs[f"resources:{LICENCE}"] = str(dice.randint(1, 4))
    if dice.chance(0.12):
        key, value = dice.choice([("disk", "ssd"), ("disk", "<or> ssd <or> nvme"), ("class", "fast"), ("weight", ">= 5"), ("weight", "< 5")])
        specs[f"aggregate_instance_extra_specs:{key}"] = value
    if dice.chance(0.05):
        specs["capabilities:hypervisor_type"] = dice.choice(["kvm", "QEMU", "s!= fake"])
    cpus = dice.choice([1, 1, 2, 4, 8, 16])
    if dice.chance(0.08) and cpus % 2 == 0:
        specs["hw:numa_nodes"] = "2"
    if dice.chance(0.06):
        specs["hw:cpu_policy"] = "dedicated"
    return objects.Flavor(
        id=1, flavorid="random", name="random", memory_mb=dice.choice([512, 2048, 8192, 16384, 65536]), vcpus=cpus,
        root_gb=dice.choice([0, 1, 20, 100]), ephemeral_gb=dice.choice([0, 0, 0, 50]), swap=dice.choice([0, 0, 0, 1000]), extra_specs=specs,
        disabled=False, is_public=True, rxtx_factor=1.0, vcpu_weight=0)


def image(dice: Dice) -> objects.ImageMeta:
    properties = {}
    if dice.chance(0.1):
        properties["hw_architecture"] = dice.choice(["x86_64", "aarch64", "i686"])
    if dice.chance(0.05):
        properties["img_hv_type"] = dice.choice(["kvm", "qemu"])
    if dice.chance(0.1):
        properties["os_type"] = dice.choice(["windows", "linux"])
    return objects.ImageMeta(
        id=dice.id(), name="random", status="active", disk_format="raw", container_format="bare", min_ram=0, min_disk=0, size=1024,
        properties=objects.ImageMetaProps(**properties))


def group(dice: Dice, hosts: list[str]) -> objects.InstanceGroup | None:
    if not dice.chance(0.12):
        return None
    policy = dice.choice(POLICIES)
    inside = dice.sample(hosts, min(len(hosts), 1 if policy == "affinity" else dice.randint(0, 20)))
    return objects.InstanceGroup(
        id=1, uuid=dice.id(), name="g", user_id="admin", project_id="admin", policy=policy, policies=[policy], hosts=inside,
        members=[dice.id() for _ in inside], _rules={})


def spec(dice: Dice, hosts: list[str]) -> tuple[objects.RequestSpec, list[str]]:
    instances = [dice.id() for _ in range(1 if dice.chance(0.8) else dice.randint(2, 4))]
    kind, picture = flavor(dice), image(dice)
    requests = []
    if dice.chance(0.08):
        requests = [objects.InstancePCIRequest(
            count=dice.randint(1, 2), alias_name="card", request_id=dice.id(), numa_policy="legacy", is_new=False, requester_id=None,
            spec=[{"vendor_id": "8086", "product_id": "10ed", "dev_type": "type-PCI"}])]
    target = dice.random()
    destination = objects.Destination(host=dice.choice(hosts)) if target < 0.03 else None
    return objects.RequestSpec(
        instance_uuid=instances[0], flavor=kind, image=picture, num_instances=len(instances), project_id="admin", user_id="admin",
        availability_zone=dice.choice(ZONES) if dice.chance(0.3) else None, numa_topology=hardware.numa_get_constraints(kind, picture),
        pci_requests=objects.InstancePCIRequests(requests=requests, instance_uuid=instances[0]),
        force_hosts=[dice.choice(hosts)] if 0.03 <= target < 0.05 else None, force_nodes=None,
        ignore_hosts=dice.sample(hosts, 5) if dice.chance(0.1) and len(hosts) > 5 else None, requested_destination=destination, retry=None,
        limits=objects.SchedulerLimits(), instance_group=group(dice, hosts), scheduler_hints={},
        security_groups=objects.SecurityGroupList(objects=[]),
        network_metadata=objects.NetworkMetadata(physnets=set(), tunneled=False), is_bfv=dice.chance(0.1), requested_resources=[],
        request_level_params=objects.RequestLevelParams(), requested_networks=objects.NetworkRequestList(objects=[])), instances


def ask(client, ctxt, request, instances) -> dict:
    began = time.monotonic()
    try:
        answer = client.select_destinations(ctxt, request, instances, return_objects=True, return_alternates=True)
    except Exception as failure:  # whatever the scheduler raised comes back as its class
        return {"failure": f"{type(failure).__name__}: {str(failure).splitlines()[0]}"}
    return {"seconds": time.monotonic() - began, "claim": answer[0][0].allocation_request,
            "hosts": [[choice.service_host for choice in choices] for choices in answer]}


def floor(placement, ctxt, dice: Dice, claim: str) -> dict:
    """What no scheduler can be faster than."""
    began = time.monotonic()
    baserpc.BaseAPI(topic="scheduler").ping(ctxt, "x")
    ping = time.monotonic() - began
    consumer = dice.id()
    body = {**json.loads(claim), "project_id": "admin", "user_id": "admin", "consumer_generation": None}
    began = time.monotonic()
    status = placement.put(f"/allocations/{consumer}", body, version="1.36").status_code
    put = time.monotonic() - began
    placement.delete_allocation_for_instance(ctxt, consumer, force=True)
    return {"ping": ping, "put": put} if status == 204 else {}


class Computes:
    """What nova-compute would do after a server is gone, beside telling the schedulers: it renews the row of its host.

    Until then a scheduler keeps what it has counted on the host. Each time is later than all before, to the second.
    """

    def __init__(self, socket: str):
        self._connection = pymysql.connect(unix_socket=socket, user="root", autocommit=True)
        self._last = datetime.datetime(2000, 1, 1)

    def renew(self, hosts: set[str]) -> None:
        now = datetime.datetime.utcnow().replace(microsecond=0)
        self._last = max(now + datetime.timedelta(seconds=2), self._last + datetime.timedelta(seconds=1)) if hosts else self._last
        with self._connection.cursor() as cursor:
            for host in hosts:
                cursor.execute("update nova.compute_nodes set updated_at = %s where host = %s", (self._last, host))


def main() -> None:
    conf, socket, count, hosts, seed, output = *sys.argv[1:3], int(sys.argv[3]), int(sys.argv[4]), *sys.argv[5:7]
    computes = Computes(socket)
    config.parse_args(["specs", "--config-file", conf])
    client, placement = query.SchedulerQueryClient(), report.SchedulerReportClient()
    names = [f"h{number:05}" for number in range(hosts)]
    with open(output, "w") as file:
        for number in range(count):
            request, instances = spec(Dice(f"spec {seed} {number}"), names)
            ctxt = context.RequestContext("admin", "admin", is_admin=True)
            answer = ask(client, ctxt, request, instances)
            for instance, choices in zip(instances, answer.get("hosts", [])):
                placement.delete_allocation_for_instance(ctxt, instance, force=True)
                client.delete_instance_info(ctxt, choices[0], instance)
            claim = answer.pop("claim", None)
            if claim and len(instances) == 1:
                answer.update(floor(placement, ctxt, Dice(f"floor {seed} {number}"), claim))
            computes.renew({choices[0] for choices in answer.get("hosts", [])})
            file.write(json.dumps({"instances": instances, **answer}) + "\n")
            file.flush()


if __name__ == "__main__":
    main()
