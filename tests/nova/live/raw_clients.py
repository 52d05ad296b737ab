# SPDX-License-Identifier: Apache-2.0
"""Many callers at once, without Nova's own client: raw_clients.py TASK

TASK is a JSON object:
  template   the file of bench_client.py with a request as it goes over the wire
  endpoint, token  of placement
  callers    how many ask at the same time
  seconds    for how long
  claims     a file. With "alone" its allocation requests are claimed from placement, without a scheduler, else it gets the ones that
             the scheduler has answered with
  alone      true: no scheduler is asked
The result is a JSON object on standard output: {"done", "seconds", "refused"}.
"""

import json
import random
import sys
import threading
import time
import uuid
from pathlib import Path

import amqp

from bare_placement import BarePlacement
from home import PORTS, SECRET


class Caller:
    """Asks again as soon as an answer is there."""

    def __init__(self, template: dict):
        self._template = template
        self._queue = f"reply_{uuid.uuid4().hex}"
        self._connection = amqp.Connection(f"127.0.0.1:{PORTS['broker']}", userid="nova", password=SECRET, heartbeat=0)
        self._connection.connect()
        self._channel = self._connection.channel()
        self._channel.queue_declare(self._queue, durable=False, exclusive=False, auto_delete=True)
        self._channel.basic_consume(self._queue, no_ack=True, callback=self._take)
        self._answer: dict | None = None

    def _take(self, message: amqp.Message) -> None:
        answer = json.loads(json.loads(message.body)["oslo.message"])
        if answer["ending"]:
            self._answer = answer

    def ask(self) -> str | None:
        """The claim of the chosen host. None: there is no host."""
        instance = str(uuid.uuid4())
        inner = {**self._template, "_msg_id": uuid.uuid4().hex, "_unique_id": uuid.uuid4().hex, "_reply_q": self._queue, "_timeout": 60}
        inner["args"] = {**inner["args"], "instance_uuids": [instance]}
        body = json.dumps({"oslo.version": "2.0", "oslo.message": json.dumps(inner)})
        self._answer = None
        self._channel.basic_publish(
            amqp.Message(body, content_type="application/json", content_encoding="utf-8", delivery_mode=2, expiration="60000"),
            exchange="nova", routing_key="scheduler")
        while self._answer is None:
            self._connection.drain_events(timeout=60)
        if self._answer["failure"]:
            return None
        return self._answer["result"][0][0]["nova_object.data"]["allocation_request"]


class Claimer:
    """Claims from placement what a scheduler has claimed before."""

    def __init__(self, placement: BarePlacement, claims: list[str]):
        self._placement = placement
        self._claims = claims

    def ask(self) -> str | None:
        claim = random.choice(self._claims)
        return claim if self._placement.put(str(uuid.uuid4()), claim) == 204 else None


def together(askers: list, seconds: float) -> tuple[list[str], int, float]:
    """What all of them were answered within the time, how often they were refused, and how long it took."""
    answers: list[str] = []
    refusals: list[int] = []
    begin = threading.Barrier(len(askers) + 1)

    def work(asker) -> None:
        asker.ask()
        begin.wait()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            claim = asker.ask()
            if claim is None:
                refusals.append(1)
            else:
                answers.append(claim)

    threads = [threading.Thread(target=work, args=(asker,), daemon=True) for asker in askers]
    for thread in threads:
        thread.start()
    begin.wait()
    began = time.monotonic()
    for thread in threads:
        thread.join()
    return answers, len(refusals), time.monotonic() - began


def main() -> None:
    task = json.loads(sys.argv[1])
    file = Path(task["claims"])
    if task.get("alone"):
        placement = BarePlacement(task["endpoint"], task["token"])
        askers: list = [Claimer(placement, json.loads(file.read_text())) for _ in range(task["callers"])]
    else:
        template = json.loads(Path(task["template"]).read_text())
        askers = [Caller(template) for _ in range(task["callers"])]
    answers, refused, seconds = together(askers, task["seconds"])
    if not task.get("alone"):
        file.write_text(json.dumps(answers))
    print(json.dumps({"done": len(answers), "refused": refused, "seconds": seconds}))


if __name__ == "__main__":
    main()
