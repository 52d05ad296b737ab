# SPDX-License-Identifier: Apache-2.0
"""Asks the scheduler for hosts with Nova's own client, one request after the other, and takes the time: bench_client.py TASK

TASK is a JSON object:
  conf       nova.conf
  socket     of the database server
  count      how many requests
  instances  of each request
  database   the process id of the database server
  floor      true: after each request also the time of an RPC that is answered at once, and of placement's answer to the same claim
  get        true: also the time of placement's answer to the request's question for candidates
  direct     Gantry's socket, or its https address: it is asked past the broker, by packaging/nova-client
  token_file, ca_file  with an address: the token, and who has signed the certificate
  template   a file that gets the request as it goes over the wire, for raw_clients.py
The result is a JSON object on standard output, times in seconds: {"select", "ping", "claim", "get", "database": [...], "login"}.
"select reply" and "ping reply" are the times until the answer had reached this process: a caller may notice it later.
What was claimed is given back before the next request, and the host's row is renewed, as a compute does.
"""

import json
import sys
import time
import uuid
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
if "direct" in json.loads(sys.argv[1]):
    sys.path[:0] = [str(REPOSITORY / "packaging" / "nova-client"), str(REPOSITORY / "sdk" / "python")]
    import gantry_nova_client

    gantry_nova_client.install()

from nova import monkey_patch  # noqa: F401, E402  first, because it sets up eventlet
from nova import baserpc, config, context, objects
from nova.conf import CONF
from nova.objects import base
from nova.scheduler import request_filter, utils
from nova.scheduler.client import query, report
from oslo_messaging._drivers import amqpdriver
import pymysql

from bare_placement import BarePlacement

objects.register_all()
WARM_UP = 2


def spec(instances: list[str]) -> objects.RequestSpec:
    """Of one small server, for which most hosts have room."""
    flavor = objects.Flavor(
        id=1, flavorid="1", name="m1.tiny", memory_mb=512, vcpus=1, root_gb=1, ephemeral_gb=0, swap=0, extra_specs={}, disabled=False,
        is_public=True, rxtx_factor=1.0, vcpu_weight=0)
    image = objects.ImageMeta(
        id=str(uuid.uuid4()), name="image", status="active", disk_format="raw", container_format="bare", min_ram=0, min_disk=0, size=1024,
        properties=objects.ImageMetaProps())
    return objects.RequestSpec(
        instance_uuid=instances[0], flavor=flavor, image=image, num_instances=len(instances), project_id="admin", user_id="admin",
        availability_zone=None, numa_topology=None, pci_requests=objects.InstancePCIRequests(requests=[], instance_uuid=instances[0]),
        force_hosts=None, force_nodes=None, ignore_hosts=None, requested_destination=None, retry=None, limits=objects.SchedulerLimits(),
        instance_group=None, scheduler_hints={}, security_groups=objects.SecurityGroupList(objects=[]),
        network_metadata=objects.NetworkMetadata(physnets=set(), tunneled=False), is_bfv=False, requested_resources=[],
        request_level_params=objects.RequestLevelParams(), requested_networks=objects.NetworkRequestList(objects=[]))


def new_ids(count: int) -> list[str]:
    return [str(uuid.uuid4()) for _ in range(count)]


def timed(action, *arguments, **named):
    began = time.monotonic()
    result = action(*arguments, **named)
    return result, time.monotonic() - began


class Replies:
    """When the last message for a caller of this process came."""

    def __init__(self):
        self._at = 0.0
        put = amqpdriver.ReplyWaiters.put

        def put_and_note(waiters, msg_id, message_data):
            self._at = time.monotonic()
            return put(waiters, msg_id, message_data)

        amqpdriver.ReplyWaiters.put = put_and_note

    def timed(self, action, *arguments, **named):
        """The result, the seconds of the call, and those until its answer was here."""
        began = time.monotonic()
        result, seconds = timed(action, *arguments, **named)
        return result, seconds, self._at - began if self._at > began else seconds


def processor_seconds(process: int) -> float:
    """What all threads of the process have used."""
    total = 0
    for thread in Path(f"/proc/{process}/task").iterdir():
        try:
            total += int((thread / "schedstat").read_text().split()[0])
        except (OSError, ValueError):
            pass  # it has just ended
    return total / 1e9


def candidates_path(ctxt, request: objects.RequestSpec) -> str:
    request_filter.process_reqspec(ctxt, request)
    question = utils.ResourceRequest.from_request_spec(request)
    return f"/allocation_candidates?{question.to_querystring()}"


class Client:
    def __init__(self, task: dict):
        self._task = task
        self.ctxt = context.RequestContext("admin", "admin", is_admin=True)
        self._replies = Replies()
        self._scheduler = query.SchedulerQueryClient()
        adapter = report.SchedulerReportClient()._client
        self.login = {"endpoint": adapter.get_endpoint(), "token": adapter.get_token()}
        self._placement = BarePlacement(**self.login)
        self._computes = pymysql.connect(unix_socket=task["socket"], user="root", autocommit=True)

    def one(self) -> dict:
        """One request with all that is compared with it."""
        instances = new_ids(self._task["instances"])
        request = spec(instances)
        before = processor_seconds(self._task["database"])
        answer, seconds, reply = self._replies.timed(
            self._scheduler.select_destinations, self.ctxt, request, instances, return_objects=True, return_alternates=True)
        times = {"select": seconds, "select reply": reply, "database": processor_seconds(self._task["database"]) - before}
        chosen = [choices[0] for choices in answer]
        self._give_back(instances, chosen)
        if self._task.get("floor"):
            times.update(self._floor([choice.allocation_request for choice in chosen]))
        if self._task.get("get"):
            times["get"] = self._expect(200, "GET", candidates_path(self.ctxt, spec(instances)))
        return times

    def _give_back(self, instances: list[str], chosen: list) -> None:
        for instance, choice in zip(instances, chosen):
            self._placement.delete(instance)
            self._scheduler.delete_instance_info(self.ctxt, choice.service_host, instance)
        with self._computes.cursor() as cursor:
            for host in {choice.service_host for choice in chosen}:
                cursor.execute("update nova.compute_nodes set updated_at = utc_timestamp() where host = %s", (host,))

    def _floor(self, claims: list[str]) -> dict:
        _, ping, reply = self._replies.timed(baserpc.BaseAPI(topic="scheduler").ping, self.ctxt, "x")
        consumers = new_ids(len(claims))
        if len(claims) == 1:
            status, claim = timed(self._placement.put, consumers[0], claims[0])
        else:
            status, claim = timed(self._placement.post, dict(zip(consumers, claims)))
        for consumer in consumers:
            self._placement.delete(consumer)
        if status != 204:
            raise SystemExit(f"placement answered a claim with {status}")
        return {"ping": ping, "ping reply": reply, "claim": claim}

    def _expect(self, wanted: int, *call) -> float:
        status, seconds = timed(self._placement.call, *call)
        if status != wanted:
            raise SystemExit(f"placement answered {call[1]} with {status}")
        return seconds


def write_template(ctxt, path: str) -> None:
    primitive = base.NovaObjectSerializer().serialize_entity(ctxt, spec(new_ids(1)))
    message = {"method": "select_destinations", "version": "4.5",
               "args": {"instance_uuids": [], "spec_obj": primitive, "return_objects": True, "return_alternates": True}}
    message.update({f"_context_{name}": value for name, value in ctxt.to_dict().items()})
    Path(path).write_text(json.dumps(message))


def main() -> None:
    task = json.loads(sys.argv[1])
    config.parse_args(["bench", "--config-file", task["conf"]])
    if "direct" in task:
        for option, member in (("url", "direct"), ("token_file", "token_file"), ("ca_file", "ca_file")):
            CONF.set_override(option, task.get(member), "gantry")
    client = Client(task)
    if "template" in task:
        write_template(client.ctxt, task["template"])
    result: dict = {"login": client.login}
    for number in range(WARM_UP + task["count"]):
        times = client.one()
        for name, value in times.items() if number >= WARM_UP else ():
            result.setdefault(name, []).append(value)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
