# SPDX-License-Identifier: Apache-2.0
"""A loop of boots while the scheduler is killed again and again, and broker, database and placement restart once each."""

import random
import subprocess
import threading
import time
from collections import Counter

from api import Cloud, Refused
from broker import Tap
from observation import CELLS
from processes import say
from schedulers import Scheduler
from stack import Stack

CLIENTS = 3
PATIENCE = 300  # seconds after which a server that is neither ACTIVE nor in ERROR counts as lost
COUNTED = ("lost", "ERROR without cause", "doubled", "orphaned", "over capacity")


class Client(threading.Thread):
    """Boots one server after the other and deletes most of them. Never asks for more than the fleet has."""

    def __init__(self, stack: Stack, number: int, seed: int, image: str):
        super().__init__(daemon=True)
        self.cloud = Cloud(stack.home)
        self.number = number
        self.dice = random.Random(f"client {seed} {number}")
        self.image = image
        self.ended = threading.Event()
        self.states: dict[str, str] = {}  # server: what became of it
        self.refused = 0  # by an API whose database or broker was away: nothing was promised

    def run(self) -> None:
        while not self.ended.is_set():
            server = self._patiently(lambda: self.cloud.nova("POST", "/servers", {"server": {
                "name": f"chaos-{self.number}", "flavorRef": "small", "imageRef": self.image, "networks": "none"}}), again=False)
            if server is None:
                self.refused += 1
                time.sleep(0.5)
                continue
            identity = server["server"]["id"]
            self.states[identity] = self._end_of(identity)
            if self.states[identity] == "ACTIVE" and self.dice.random() < 0.8:
                if self._patiently(lambda: self.cloud.nova("DELETE", f"/servers/{identity}") or True):
                    self.states[identity] = "deleted"

    def _patiently(self, action, again: bool = True):
        end = time.monotonic() + PATIENCE
        while True:
            try:
                return action()
            except (Refused, OSError) as failure:
                if isinstance(failure, Refused) and failure.status == 404:
                    return True
                if not again or time.monotonic() > end:
                    return None
                time.sleep(0.5)

    def _end_of(self, identity: str) -> str:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            answer = self._patiently(lambda: self.cloud.nova("GET", f"/servers/{identity}"))
            status = answer["server"]["status"] if isinstance(answer, dict) else ""
            if status in ("ACTIVE", "ERROR"):
                return status
            time.sleep(0.3)
        return "lost"


def run(stack: Stack, scheduler: Scheduler, kills: int, seed: int) -> int:
    """Returns 0 if nothing was lost, doubled, orphaned or over capacity, and nothing in ERROR without cause."""
    dice = random.Random(f"chaos {seed}")
    stack.use("one")
    scheduler.configure({})
    scheduler.process.start()
    stack.start_hosts()
    scheduler.await_ready()
    image = next(each["id"] for each in stack.cloud.glance("GET", "/v2/images")["images"] if each["name"] == "plain")
    clients = [Client(stack, number, seed, image) for number in range(CLIENTS)]
    taps = [Tap(stack.broker)]
    taps[0].__enter__()
    for client in clients:
        client.start()
    restarts = dict(zip(dice.sample(range(1, max(kills, 4)), 3), ("broker", "database", "placement")))
    try:
        for number in range(kills):
            time.sleep(dice.uniform(3, 10))
            scheduler.kill()
            scheduler.start()
            say(f"{scheduler.name} killed {number + 1} of {kills} times; {sum(len(each.states) for each in clients)} boots so far")
            if number in restarts:
                _restart(stack, restarts[number], taps)
        time.sleep(10)
    finally:
        for client in clients:
            client.ended.set()
        for client in clients:
            client.join(2 * PATIENCE)
        for tap in taps:
            tap.__exit__()
        time.sleep(5)  # what was deleted last gives back what it held
        scheduler.stop()
    counts, details = _count(stack, clients, taps)
    print(f"{scheduler.name}, seed {seed}: {kills} kills, {sum(len(each.states) for each in clients)} boots, "
          f"{sum(each.refused for each in clients)} more that the API refused while something else was away")
    for name in (*COUNTED, "ERROR after the scheduler had answered"):
        print(f"{counts[name]:6} {name}")
    for line in details:
        say(line)
    bad = sum(counts[name] for name in COUNTED)
    if bad:
        say(f"logs are in {stack.home.file('log')}")
    return 1 if bad else 0


def _restart(stack: Stack, what: str, taps: list[Tap]) -> None:
    say(f"restarts the {what}")
    if what == "broker":
        stack.broker.process.stop()
        stack.broker.start()
        taps.append(Tap(stack.broker))
        taps[-1].__enter__()
    elif what == "database":
        stack.database.process.stop()
        stack.database.start()
    else:
        stack.placement.stop()
        stack.placement.start()


def _count(stack: Stack, clients: list[Client], taps: list[Tap]) -> tuple[Counter, list[str]]:
    counts: Counter = Counter()
    details = []
    answered = set()  # servers for which the scheduler has named a host
    for tap in taps:
        for call in tap.calls():
            if call["reply"] and call["reply"]["result"]:
                answered.update(call["request"]["instance_uuids"])
    for client in clients:
        for server, state in client.states.items():
            if state == "ERROR":
                kind = "ERROR after the scheduler had answered" if server in answered else "ERROR without cause"
                counts[kind] += 1
                details.append(f"{server}: {kind}: {_fault(stack, server)}")
            elif state == "lost":
                counts["lost"] += 1
                details.append(f"{server}: neither ACTIVE nor in ERROR after {PATIENCE} s")
    rows = stack.database.rows
    for consumer, providers in rows("select consumer_id, count(distinct resource_provider_id) from placement.allocations group by 1 having count(distinct resource_provider_id) > 1"):
        counts["doubled"] += 1
        details.append(f"{consumer} has allocations of {providers} hosts")
    living = {server for cell in CELLS for (server,) in rows(f"select uuid from {cell}.instances where deleted = 0 and vm_state <> 'error'")}
    for (consumer,) in rows("select distinct consumer_id from placement.allocations"):
        if consumer not in living:
            counts["orphaned"] += 1
            details.append(f"{consumer} has an allocation and is no server")
    audit = subprocess.run(
        ["/usr/bin/nova-manage", "--config-file", str(stack.home.file("etc", "nova.conf")), "placement", "audit", "--verbose"],
        text=True, capture_output=True)
    if audit.returncode != 0:
        counts["orphaned"] = max(1, counts["orphaned"])
        details.append(f"nova-manage placement audit ended with {audit.returncode}: {audit.stdout[-1000:]}")
    for name, resource, used, room in rows(
        "select p.name, c.name, sum(a.used) in_use, max((i.total - i.reserved) * i.allocation_ratio) room from placement.allocations a "
        "join placement.inventories i on i.resource_provider_id = a.resource_provider_id and i.resource_class_id = a.resource_class_id "
        "join placement.resource_providers p on p.id = a.resource_provider_id "
        "join placement.resource_classes c on c.id = a.resource_class_id "
        "group by p.id, c.id having in_use > room"
    ):
        counts["over capacity"] += 1
        details.append(f"{name} has {used} of {room} {resource} in use")
    return counts, details


def _fault(stack: Stack, server: str) -> str:
    for cell in CELLS:
        for (message,) in stack.database.rows(f"select message from {cell}.instance_faults where instance_uuid = %s order by id desc", server):
            return message
    return "without a fault"
