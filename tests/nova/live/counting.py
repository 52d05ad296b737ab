# SPDX-License-Identifier: Apache-2.0
"""What became of the servers of a run, and by whose doing."""

import re
import subprocess
import time
from collections import Counter

from causes import failure_in_nova, gave_up_without_broker, killed_twice, loss_at_broker, loss_at_nova_scheduler
from home import HOSTS
from observation import CELLS, LIVING
from stack import Stack
from wire import Wire

BY_NOVA = "failed in Nova's own services before the scheduler was asked or after it had answered"
BY_BROKER = "lost by the broker, which ended with the message, had no queue of another service for it after its restart, or was away when the caller gave up"
BY_ABSENCE = "came to the broker before the scheduler was back; nova-live outages compares these with nova-scheduler's"
BY_KILLS = "refused after the process was killed twice before the request was claimed"
BY_NOVA_SCHEDULER = "failed by nova-scheduler, which took the request and never answered, or answered with a failure"
COUNTED = ("lost", "ERROR without cause", "doubled", "orphaned", "over capacity")
FREEING = 90  # seconds for a nova-compute to free in its next round what it could not free while placement was away
OVER_CAPACITY = (
    "select p.name, c.name, sum(a.used) in_use, max((i.total - i.reserved) * i.allocation_ratio) room from placement.allocations a "
    "join placement.inventories i on i.resource_provider_id = a.resource_provider_id and i.resource_class_id = a.resource_class_id "
    "join placement.resource_providers p on p.id = a.resource_provider_id "
    "join placement.resource_classes c on c.id = a.resource_class_id "
    "group by p.id, c.id having in_use > room")
DOUBLED = ("select consumer_id, count(distinct resource_provider_id) from placement.allocations group by 1 "
           "having count(distinct resource_provider_id) > 1")


class Counting:
    """A failure is another's if the wire or a log of that other names the server in it."""

    def __init__(self, stack: Stack, wire: Wire, absences: list[tuple[float, float]], kills: dict[str, list[float]]):
        self.stack = stack
        self.wire = wire
        self.absences = absences  # of the broker
        self.kills = kills  # of each scheduler
        self.counts: Counter = Counter()
        self.details: list[str] = []

    def add(self, kind: str, server: str, words: str) -> None:
        of_others, evidence = self._by_others(kind, server)
        kind = of_others or kind
        self.counts[kind] += 1
        self.details.append(f"{server}: {kind}: {words}" + (f"; {evidence}" if evidence else ""))
        self.details += [f"    {line}" for line in self._story(server)]

    def add_finding(self, kind: str, words: str) -> None:
        self.counts[kind] += 1
        self.details.append(words)

    def _by_others(self, kind: str, server: str) -> tuple[str, str]:
        messages = self.wire.of(server)
        if evidence := loss_at_broker(messages, self.absences):
            return BY_ABSENCE if messages[-1].call and not messages[-1].queues else BY_BROKER, evidence
        # A claim must be given back then.
        if kind != "orphaned" and (evidence := gave_up_without_broker(messages, self.absences)):
            return BY_BROKER, evidence
        if evidence := killed_twice(messages, self.kills):
            return BY_KILLS, evidence
        if evidence := loss_at_nova_scheduler(messages):
            return BY_NOVA_SCHEDULER, evidence
        calls = [message.call for message in messages if message.call]
        if not calls or (calls[-1]["reply"] and calls[-1]["reply"]["result"]):
            names = {server, *(message.request_id for message in messages if message.request_id)}
            logs = [self.stack.home.file("log", f"{name}.log") for name in (*HOSTS, "nova-conductor", "nova-conductor-cell2")]
            if evidence := failure_in_nova(logs, names):
                return BY_NOVA, evidence
        return "", ""

    def _story(self, server: str) -> list[str]:
        def clock(moment: float) -> str:
            return time.strftime("%H:%M:%S", time.localtime(moment)) + f"{moment % 1:.3f}"[1:]

        lines = []
        for message in self.wire.of(server):
            taken = ", ".join(f"{clock(moment)} {user}" for moment, user in message.taken)
            line = f"{clock(message.sent)} {message.method} to {message.queues}, taken: {taken or 'never'}"
            if message.call:
                reply = message.call["reply"] or {}
                answer = "none" if not reply else (reply.get("failure") or "a host")[:300]
                line += f", {message.request_id}, answer of {message.call['answered_by'] or 'nobody'}: {answer}"
            lines.append(line)
        return lines


def count(counting: Counting, states: dict[str, str], patience: float) -> None:
    stack = counting.stack
    for server, state in states.items():
        if state == "ERROR":
            counting.add("ERROR without cause", server, _fault(stack, server))
        elif state == "lost":
            counting.add("lost", server, f"neither ACTIVE nor in ERROR after {patience} s")
    rows = stack.database.rows
    for consumer, providers in rows(DOUBLED):
        counting.add_finding("doubled", f"{consumer} has allocations of {providers} hosts")
    end = time.monotonic() + FREEING
    while (orphans := _without_server(stack)) and time.monotonic() < end:
        time.sleep(2)
    for consumer in orphans | _audited(stack, counting):
        counting.add("orphaned", consumer, "has an allocation and is no server")
    for name, resource, used, room in rows(OVER_CAPACITY):
        counting.add_finding("over capacity", f"{name} has {used} of {room} {resource} in use")


def _without_server(stack: Stack) -> set[str]:
    rows = stack.database.rows
    living = {server for cell in CELLS for (server,) in rows(f"select uuid from {cell}.instances where {LIVING} and vm_state <> 'error'")}
    return {consumer for (consumer,) in rows("select distinct consumer_id from placement.allocations") if consumer not in living}


def _audited(stack: Stack, counting: Counting) -> set[str]:
    audit = subprocess.run(
        ["/usr/bin/nova-manage", "--config-file", str(stack.home.file("etc", "nova.conf")), "placement", "audit", "--verbose"],
        text=True, capture_output=True)
    found = set(re.findall(r"consumer UUID ([0-9a-f-]{36})", audit.stdout))
    if audit.returncode != 0 and not found:
        counting.add_finding("orphaned", f"nova-manage placement audit ended with {audit.returncode}: {audit.stdout[-1000:]}")
    return found


def _fault(stack: Stack, server: str) -> str:
    for cell in CELLS:
        for (message,) in stack.database.rows(f"select message from {cell}.instance_faults where instance_uuid = %s order by id desc", server):
            return message
    return "without a fault"
