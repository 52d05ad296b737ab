# SPDX-License-Identifier: Apache-2.0
"""Users who boot and delete without pause."""

import random
import threading
import time

from api import Cloud, Refused
from stack import Stack

PATIENCE = 300  # seconds after which a server that is neither ACTIVE nor in ERROR counts as lost
MOST_KEPT = 20  # servers of one user that stay: three users fill less than half of the fleet


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
        self._kept: list[str] = []

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
            if self.states[identity] != "ACTIVE":
                continue
            if self.dice.random() < 0.8:
                self._delete_server(identity)
            else:
                self._kept.append(identity)
                if len(self._kept) > MOST_KEPT:
                    self._delete_server(self._kept.pop(0))

    def _delete_server(self, identity: str) -> None:
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
