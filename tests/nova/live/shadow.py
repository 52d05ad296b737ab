# SPDX-License-Identifier: Apache-2.0
"""A loop of boots that nova-scheduler serves, with Gantry in its shadow."""

import json
import random
import subprocess
import threading
import time
from pathlib import Path

from api import Cloud, Refused
from processes import await_condition, say
from schedulers import GantryScheduler, Scheduler
from stack import FLAVORS, Stack

PATIENCE = 120
AGREEMENTS = ("agreed", "equal_weight", "agreed_later", "facts_changed", "differed", "not_known")


class GantryInTheShadow(GantryScheduler):
    def configure(self, options, **more) -> None:
        super().configure(options, **more)
        with self.settings.open("a") as file:
            file.write('mode = "shadow"\nshadow_kept = 1000\n')

    def status(self) -> dict:
        """What it says of Nova; empty: it does not answer."""
        answer = subprocess.run([str(Path(self.programs) / "gantry"), "--config", str(self.settings), "-o", "json", "nova", "status"],
                                text=True, capture_output=True)
        return json.loads(answer.stdout) if answer.returncode == 0 else {}

    def await_ready(self) -> None:
        await_condition("Gantry watches", lambda: self.status().get("rpc", {}).get("connected"), process=self.process)


class User(threading.Thread):
    """Boots servers of several kinds, also some that fit nowhere, and deletes them after a while."""

    def __init__(self, stack: Stack, number: int, seed: int, image: str, remaining: "Remaining"):
        super().__init__(daemon=True)
        self.cloud = Cloud(stack.home)
        self.dice = random.Random(f"shadow {seed} {number}")
        self.image = image
        self.remaining = remaining
        self.own: list[str] = []

    def run(self) -> None:
        while self.remaining.take():
            self._boot()
            while self.own and (len(self.own) > 3 or self.dice.random() < 0.5):
                self._remove(self.own.pop(self.dice.randrange(len(self.own))))
        for server in self.own:
            self._remove(server)

    def _boot(self) -> None:
        hints = {}
        if self.own and self.dice.random() < 0.2:
            hints = {self.dice.choice(("same_host", "different_host")): self.dice.choice(self.own)}
        flavor = "giant" if self.dice.random() < 0.05 else self.dice.choice(tuple(FLAVORS))
        count = self.dice.choice((1, 1, 1, 1, 2, 3))
        try:
            self.cloud.nova("POST", "/servers", {
                "server": {"name": f"shadow-{self.name}", "flavorRef": flavor, "imageRef": self.image, "networks": "none",
                           "min_count": count, "max_count": count},
                "os:scheduler_hints": hints})
        except Refused as refusal:
            say(f"a boot was refused: {refusal}")
            return
        found = self.cloud.nova("GET", f"/servers/detail?name=shadow-{self.name}&sort_key=created_at")["servers"]
        for server in found:
            if server["id"] not in self.own:
                self._await_end(server["id"])
                self.own.append(server["id"])

    def _await_end(self, server: str) -> None:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self.cloud.nova("GET", f"/servers/{server}")["server"]["status"] in ("ACTIVE", "ERROR"):
                return
            time.sleep(0.2)

    def _remove(self, server: str) -> None:
        try:
            self.cloud.nova("DELETE", f"/servers/{server}")
            end = time.monotonic() + PATIENCE
            while time.monotonic() < end:
                self.cloud.nova("GET", f"/servers/{server}")
                time.sleep(0.2)
        except Refused:
            return  # it is gone


class Remaining:
    """Requests that are still to be made."""

    def __init__(self, count: int):
        self._count = count
        self._lock = threading.Lock()

    def take(self) -> bool:
        with self._lock:
            self._count -= 1
            return self._count >= 0

    def left(self) -> int:
        return max(self._count, 0)


def run(stack: Stack, scheduler: Scheduler, count: int, users: int, seed: int) -> int:
    """Returns 0 if nothing differed."""
    gantry = GantryInTheShadow(stack.home, stack.broker)
    gantry.stop()
    stack.use("one")
    scheduler.configure({})
    gantry.configure({})
    stack.cloud.nova("POST", "/flavors", {"flavor": {"name": "giant", "id": "giant", "vcpus": 1, "ram": 500000, "disk": 1}})
    scheduler.start()
    stack.let_hosts_have_rounds()
    stack.start_hosts()
    gantry.start()
    image = next(each["id"] for each in stack.cloud.glance("GET", "/v2/images")["images"] if each["name"] == "plain")
    remaining = Remaining(count)
    crowd = [User(stack, number, seed, image, remaining) for number in range(users)]
    for user in crowd:
        user.start()
    try:
        while any(user.is_alive() for user in crowd):
            time.sleep(10)
            say(f"{remaining.left()} of {count} requests are left; {line(gantry.status().get('shadow', {}))}")
        await_condition("all requests have been judged", lambda: gantry.status()["shadow"]["watched"] == 0)
        shadow = gantry.status()["shadow"]
    finally:
        gantry.stop()
        scheduler.stop()
    print("\n".join(report(shadow, count, users, seed)))
    return 1 if shadow["differed"] else 0


def line(shadow: dict) -> str:
    return ", ".join(f"{shadow.get(name, 0)} {name}" for name in AGREEMENTS)


def report(shadow: dict, count: int, users: int, seed: int) -> list[str]:
    lines = [f"{count} requests of {users} users, seed {seed}, with Gantry in the shadow of nova-scheduler:"]
    lines += [f"{shadow[name]:6} {name}" for name in AGREEMENTS]
    lines += [f"       {each['cause']}: {each['requests']}" for each in shadow["causes"]]
    lines += [f"       {each['time']} {each['instance']}: nova {each['nova']}, gantry {each['gantry']}: {each['cause']}; {each['file']}"
              for each in shadow["differences"]]
    return lines
