# SPDX-License-Identifier: Apache-2.0
"""Outages of the broker under boots, with one scheduler after the other: who is back before the requests are?

RabbitMQ loses the queues of the schedulers with its application, and drops what conductors send before a scheduler has made
them again: such a boot ends in ERROR after 60 s, or never ends. Both schedulers have this hazard. So what counts is not
that none is lost, but that Gantry leaves no more requests without an answer than nova-scheduler over the same outages."""

import threading
import time

from api import Refused
from outage_table import Outcome, table, verdict
from processes import say
from schedulers import Scheduler
from stack import Stack
from tap import Tap

LENGTHS = (1, 2, 4, 8, 15, 30)  # seconds
EVERY = 0.7  # seconds between two boots
PATIENCE = 120  # seconds after which a server that is neither ACTIVE nor in ERROR counts as lost: twice that of a conductor
BEFORE, AFTER = 3.0, 8.0  # seconds of boots around an outage
# After a restart of the broker, hosts are silent for up to a minute, as they wait for answers that were lost.
OPTIONS = {"DEFAULT": {"service_down_time": 600}}


class Boots(threading.Thread):
    """A boot every now and then, whatever becomes of those before."""

    def __init__(self, stack: Stack, image: str):
        super().__init__(daemon=True)
        self.stack = stack
        self.image = image
        self.ended = threading.Event()
        self.servers: list[str] = []

    def run(self) -> None:
        while not self.ended.wait(EVERY):
            try:
                made = self.stack.cloud.nova("POST", "/servers", {"server": {
                    "name": "outage", "flavorRef": "small", "imageRef": self.image, "networks": "none"}})
                self.servers.append(made["server"]["id"])
            except (Refused, OSError):
                pass  # by an API that cannot reach the broker: nothing was promised


def run(stack: Stack, schedulers: list[Scheduler], lengths: tuple[int, ...]) -> int:
    """Returns 0 if Gantry has left no more requests without an answer than nova-scheduler."""
    outcomes = {scheduler.name: _play(stack, scheduler, lengths) for scheduler in schedulers}
    print("\n".join(table(lengths, outcomes)))
    return verdict(outcomes)


def _play(stack: Stack, scheduler: Scheduler, lengths: tuple[int, ...]) -> list[Outcome]:
    stack.use("one")
    scheduler.configure(OPTIONS)
    scheduler.process.start()
    try:
        stack.let_hosts_have_rounds()
        stack.start_hosts()
        scheduler.await_ready()
        image = next(each["id"] for each in stack.cloud.glance("GET", "/v2/images")["images"] if each["name"] == "plain")
        return [_outage(stack, scheduler, image, length) for length in lengths]
    finally:
        scheduler.stop()


def _outage(stack: Stack, scheduler: Scheduler, image: str, length: int) -> Outcome:
    with Tap(stack.broker) as tap:
        boots = Boots(stack, image)
        boots.start()
        time.sleep(BEFORE)
        stack.broker.control("stop_app")
        time.sleep(length)
        stack.broker.control("start_app")
        back = time.monotonic()
        scheduler.await_ready()
        seconds = time.monotonic() - back
        time.sleep(AFTER)
        boots.ended.set()
        boots.join()
        states = _ends_of(stack, boots.servers)
        unanswered = sum(call["reply"] is None for call in tap.calls())
    for server in boots.servers:
        try:
            stack.cloud.nova("DELETE", f"/servers/{server}")
        except (Refused, OSError) as failure:
            say(f"{server} is not deleted: {failure}")
    made = Outcome(len(states), sum(state == "ERROR" for state in states), sum(state not in ("ACTIVE", "ERROR") for state in states),
                   unanswered, seconds)
    say(f"broker away for {length} s with {scheduler.name}: {made.boots} boots, {made.errors} in ERROR, {made.lost} lost, "
        f"{made.unanswered} requests unanswered, the scheduler back after {made.seconds:.1f} s")
    return made


def _ends_of(stack: Stack, servers: list[str]) -> list[str]:
    end = time.monotonic() + PATIENCE
    while True:
        states = []
        for server in servers:
            try:
                states.append(stack.cloud.nova("GET", f"/servers/{server}")["server"]["status"])
            except (Refused, OSError):
                states.append("")
        if all(state in ("ACTIVE", "ERROR") for state in states) or time.monotonic() > end:
            return states
        time.sleep(1)
