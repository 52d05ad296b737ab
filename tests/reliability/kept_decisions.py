# SPDX-License-Identifier: Apache-2.0
"""Decisions that are kept while gantryd is killed at random: clients ask without pause, the daemon is killed with SIGKILL
and started again. Afterwards each decision that was answered more than a second before a kill has to be in the archive, and
every so many-th is made again, bit for bit. Prints a table; exit status 1 if something is missing or comes out differently.

    kept_decisions.py PROGRAM_DIRECTORY DRIVER_DIRECTORY [--decisions N] [--kills N] [--every N] [--seed N]
"""

import argparse
import json
import pathlib
import random
import shutil
import socket
import subprocess
import sys
import threading
import time
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "api"))
from running_daemon import RunningDaemon  # noqa: E402

HOSTS = 40
IN_FLIGHT = 32
CLIENTS = 2
FLAVORS = [(1, 512), (2, 2048), (4, 4096), (64, 4096)]
CONFIGURATION = """
scheduler_driver = "filter"
log.level = "error"
decisions.keep = 2000000
"""


class KilledDaemon(RunningDaemon):
    def kill(self):
        self.process.kill()
        self.process.wait()

    def start(self):
        with open(self.directory / "gantryd.log", "ab") as log:
            self.process = subprocess.Popen(
                [self.programs / "gantryd", "--config", self.directory / "gantry.toml"], stdout=log, stderr=log)
        self._wait_until_ready()

    def call(self, method, **args):
        answer = self.ask("POST", f"/v1/{method}", {"args": args})
        if answer.status != 200:
            raise RuntimeError(f"{method} {args}: {answer.text}")
        return answer.json["result"]


def request(method, args, request_id):
    body = json.dumps({"args": args}).encode()
    return (f"POST /v1/{method} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nX-Request-Id: {request_id}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n").encode() + body


class Client(threading.Thread):
    """Asks in pipelines until it is told to end. `answered`: (request id, when it was answered) of decisions."""

    def __init__(self, path, seed):
        super().__init__()
        self.path = str(path)
        self.random = random.Random(seed)
        self.answered = []
        self.ends = False

    def decision(self, request_id):
        vcpus, memory = self.random.choice(FLAVORS)
        args = {"request_spec": {"num_instances": 1, "project_id": "demo",
                                 "flavor": {"name": "any", "vcpus": vcpus, "memory_mb": memory, "root_gb": 1}}}
        if self.random.random() < 0.05:
            args["instance_uuids"] = [str(uuid.UUID(int=self.random.getrandbits(128), version=4))]
        return request("select_destinations", args, request_id)

    def report(self):
        host = f"c{self.random.randrange(HOSTS)}"
        stats = {"vcpus": 64, "memory_mb": 262144, "local_gb": 4000, "vcpus_used": self.random.randrange(60),
                 "memory_mb_used": self.random.randrange(250000), "local_gb_used": 0}
        return request("update_resource_stats", {"name": host, "stats": stats}, f"req-{uuid.uuid4()}")

    def run(self):
        while not self.ends:
            try:
                with socket.socket(socket.AF_UNIX) as connection:
                    connection.settimeout(10)
                    connection.connect(self.path)
                    self.converse(connection)
            except OSError:
                time.sleep(0.01)  # killed

    def converse(self, connection):
        received = b""
        while not self.ends:
            ids = [f"req-{uuid.UUID(int=self.random.getrandbits(128), version=4)}" for _ in range(IN_FLIGHT)]
            connection.sendall(self.report() + b"".join(self.decision(each) for each in ids))
            answers = 0
            while answers <= IN_FLIGHT:
                head, mark, rest = received.partition(b"\r\n\r\n")
                length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0]) if mark else 0
                if not mark or len(rest) < length:
                    more = connection.recv(1 << 18)
                    if not more:
                        return
                    received += more
                    continue
                # The report comes first; a refusal is a decision, too.
                if answers > 0 and head.startswith((b"HTTP/1.1 200", b"HTTP/1.1 409")):
                    self.answered.append((ids[answers - 1], time.monotonic()))
                received = rest[length:]
                answers += 1


def answered_of(clients):
    return sum(len(client.answered) for client in clients)


def kept_ids(daemon):
    """The ids of all decisions that are kept, by request."""
    found, marker = {}, None
    while True:
        page = daemon.call("list_decisions", limit=1000, **({"marker": marker} if marker else {}))
        for each in page:
            found[each["request_id"]] = each["id"]
        if len(page) < 1000:
            return found
        marker = str(page[-1]["id"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs")
    parser.add_argument("drivers")
    parser.add_argument("--decisions", type=int, default=1_000_000)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--every", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 31))
    asked = parser.parse_args()
    chance = random.Random(asked.seed)
    daemon = KilledDaemon(asked.programs, asked.drivers, CONFIGURATION)
    for number in range(HOSTS):
        daemon.call("service_register", topic="compute", host=f"c{number}")
    clients = [Client(daemon.socket, chance.randrange(1 << 31)) for _ in range(CLIENTS)]
    for client in clients:
        client.start()
    kills = []
    for turn in range(1, asked.kills + 1):
        goal = asked.decisions * turn / (asked.kills + 1) * chance.uniform(0.9, 1.1)
        while answered_of(clients) < goal:
            time.sleep(chance.uniform(0.001, 0.05))
        daemon.kill()
        kills.append(time.monotonic())
        daemon.start()
    while answered_of(clients) < asked.decisions:
        time.sleep(0.01)
    for client in clients:
        client.ends = True
    for client in clients:
        client.join()

    kept = kept_ids(daemon)
    lost, too_late = 0, 0
    for request_id, when in (each for client in clients for each in client.answered):
        if request_id in kept:
            continue
        if any(0 <= kill - when <= 1 for kill in kills):
            too_late += 1
        else:
            lost += 1
    ids = sorted(kept.values())[:: asked.every]
    differ = [shown for shown in (daemon.call("show_decision", id=each) for each in ids) if not shown["facts"]["known"]]
    archive = sum(file.stat().st_size for file in (daemon.directory / "decisions").glob("decisions-*"))
    facts = sum(file.stat().st_size for file in (daemon.directory / "decisions").glob("facts-*"))
    for what, value in (("seed", asked.seed), ("decisions answered", answered_of(clients)), ("kills", len(kills)),
                        ("kept", len(kept)), ("bytes each", archive // max(1, len(kept))),
                        ("bytes of facts each", facts // max(1, len(kept))),
                        ("not kept, answered within the second before a kill", too_late),
                        ("not kept, answered earlier", lost), ("made again", len(ids)),
                        ("came out differently", len(differ))):
        print(f"{what:<52}{value:>12}")
    for shown in differ[:5]:
        print(f"decision {shown['id']}: {shown['facts']['reason']}")
    daemon.process.kill()
    daemon.process.wait()
    shutil.rmtree(daemon.directory, ignore_errors=True)
    return 1 if lost or differ or not ids else 0


if __name__ == "__main__":
    sys.exit(main())
