# SPDX-License-Identifier: Apache-2.0
"""How long the work takes to change hands: pings on the schedulers' queue, 50 a second, around the operator's command."""

import json
import threading
import time
import uuid

import amqp

from broker import Broker
from tap import Tap
from wire import PROBE, Message

INTERVAL = 0.02
AROUND = 2.0  # seconds of pings after the command has returned


def late(probes: list[Message], command_at: float, before: str) -> float | None:
    """Seconds from the command until `before` got its last request. None: it got the last request of all."""
    taken = sorted((moment, user) for probe in probes for moment, user in probe.taken)
    if not taken or taken[-1][1] == before:
        return None
    return max((moment - command_at for moment, user in taken if user == before and moment > command_at), default=0.0)


class Handover:
    """Pings while it is entered."""

    def __init__(self, broker: Broker, tap: Tap, before: str):
        self._broker = broker
        self._tap = tap
        self._before = before
        self._word = f"{PROBE} {uuid.uuid4().hex}"
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._ping, daemon=True)
        self.seconds: float | None = None
        self.unheard = 0  # pings that nobody took

    def __enter__(self) -> "Handover":
        self._thread.start()
        time.sleep(0.5)
        self._command_at = time.time()
        return self

    def __exit__(self, *_) -> None:
        time.sleep(AROUND)
        self._ended.set()
        self._thread.join()
        time.sleep(0.5)  # the last copies
        probes = self._tap.read(lambda wire: list(wire.probes.values()))
        self._tap.read(lambda wire: wire.probes.clear())
        self.seconds = late(probes, self._command_at, self._before)
        self.unheard = sum(not probe.taken for probe in probes)

    def _ping(self) -> None:
        with self._broker.connect() as connection:
            channel = connection.channel()
            while not self._ended.is_set():
                inner = {"method": "ping", "namespace": "baseapi", "version": "1.1", "args": {"arg": self._word},
                         "_unique_id": uuid.uuid4().hex}
                body = json.dumps({"oslo.version": "2.0", "oslo.message": json.dumps(inner)})
                channel.basic_publish(amqp.Message(body, content_type="application/json", content_encoding="utf-8"),
                                      exchange="nova", routing_key="scheduler")
                time.sleep(INTERVAL)
