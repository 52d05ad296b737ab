# SPDX-License-Identifier: Apache-2.0
"""Greedy callers beside a well-behaved one. Each row of the table is one attacker on a gantryd of its own, which tries to make
something grow or others wait: how often it was refused, what gantryd's memory came to, how long the well-behaved client's calls
waited at most, and the longest time without a message for systemd's watchdog. Exit status 1 if a row went beyond what it may.

    greed.py PROGRAM_DIRECTORY DRIVER_DIRECTORY [--only ROW]... [--seconds N] [--instances N] [--most-wait SECONDS] [--list]

One more attacker is one more function below, with @row, that runs until `attack.is_over()`.
"""

import argparse
import contextlib
import hashlib
import http.client
import json
import multiprocessing
import os
import pathlib
import resource
import secrets
import socket
import sys
import tempfile
import threading
import time
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "api"))
from running_daemon import RunningDaemon, UnixConnection  # noqa: E402

ROWS = {}
CONFIGURATION = """
scheduler_driver = "simple"
scheduling.service_down_time = 86400
server.listen = ["127.0.0.1:0"]
"""
STATS = {"vcpus": 16, "vcpus_used": 0, "memory_mb": 65536, "memory_mb_used": 0, "local_gb": 1000, "local_gb_used": 0,
         "free_ram_mb": 65536, "free_disk_gb": 1000, "hypervisor_type": "QEMU", "running_vms": 0}


def row(name, mib, configuration="", refuses=True):
    """An attacker. `mib`: by how much gantryd may grow. `refuses`: some of its calls must be refused or its connections closed."""

    def add(function):
        ROWS[name] = (function, mib, configuration, refuses)
        return function

    return add


class Attack:
    """What an attacker works with, and counts."""

    def __init__(self, daemon, address, seconds, instances):
        self.daemon, self.address, self.instances = daemon, address, instances
        self.until = time.monotonic() + seconds
        self.counts = {}
        self.lock = threading.Lock()

    def is_over(self):
        return time.monotonic() >= self.until

    def count(self, what):
        with self.lock:
            self.counts[what] = self.counts.get(what, 0) + 1

    def token(self, role, **more):
        text = secrets.token_urlsafe(32)
        made = {"name": role, "role": role, "sha256": hashlib.sha256(text.encode()).hexdigest(), **more}
        must(self.daemon.ask("POST", "/v1/create_token", body={"args": made}))
        return text

    def connect(self):
        host, port = self.address.rsplit(":", 1)
        return socket.create_connection((host, int(port)), timeout=60)

    def ask(self, connection, token, method, **args):
        """One call. Counts its status, or "closed"."""
        return self.take_answer(connection) if self.send(connection, token, method, **args) else 0

    def volley(self, calls):
        """Calls of (connection, token, method): all are sent before the first answer is taken, so that more of them are under way
        than may be, however fast the machine is. Counts as ask()."""
        for connection in [connection for connection, token, method in calls if self.send(connection, token, method)]:
            self.take_answer(connection)

    def send(self, connection, token, method, **args):
        try:
            connection.request("POST", "/v1/" + method, json.dumps({"args": args}),
                               {"Authorization": "Bearer " + token, "Content-Type": "application/json"})
            return True
        except (OSError, http.client.HTTPException):
            return self.count_closed(connection)

    def take_answer(self, connection):
        try:
            answer = connection.getresponse()
            answer.read()
            self.count(answer.status)
            return answer.status
        except (OSError, http.client.HTTPException):
            return self.count_closed(connection)

    def count_closed(self, connection):
        self.count("closed")
        connection.close()
        return 0

    def http(self):
        host, port = self.address.rsplit(":", 1)
        return http.client.HTTPConnection(host, int(port), timeout=60)

    def crowd(self, size, act):
        """Runs act(connection) again and again on each of so many connections."""

        def one():
            connection = self.http()
            while not self.is_over():
                act(connection)
            connection.close()

        threads = [threading.Thread(target=one) for _ in range(size)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def must(answer):
    if answer.status != 200:
        raise RuntimeError(f"{answer.status}: {answer.text[:300]}")
    return answer.json["result"]


@row("long lists", mib=1500, refuses=False)
def long_lists(attack):
    token = attack.token("reader")
    attack.crowd(16, lambda connection: attack.ask(connection, token, "list_instances", limit=10_000))


@row("very many long lists", mib=1500)
def very_many_long_lists(attack):
    token = attack.token("reader")
    attack.crowd(64, lambda connection: attack.ask(connection, token, "list_instances", limit=10_000))


@row("reports, exports, examinations", mib=1500, configuration="server.workers = 4\n")
def reports(attack):
    tokens = [attack.token("reader") for _ in range(3)]
    methods = ["export_fleet", "report", "doctor"] * 30  # of each more at a time than may wait and run for one token
    crowd = [(attack.http(), token, method) for token in tokens for method in methods]
    while not attack.is_over():
        attack.volley(crowd)
    for connection, _, _ in crowd:
        connection.close()


@row("connections without a token", mib=200, configuration="server.max_connections = 400\n")
def strangers(attack):
    held = []
    while not attack.is_over():
        try:
            one = attack.connect()
            one.sendall(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
            held.append(one)
        except OSError:
            attack.count("closed")
        if len(held) >= 800:
            gone = held.pop(0)
            gone.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                try:
                    gone.recv(4096)
                    attack.count("closed" if gone.recv(1) == b"" else "open")
                except ConnectionError:
                    attack.count("closed")
            gone.close()
    for one in held:
        one.close()


@row("answers that nobody takes", mib=400, configuration="server.max_unsent_bytes = 33554432\n")
def unread(attack):
    token = attack.token("reader")
    body = b'{"args":{"limit":10000}}'
    request = (f"POST /v1/list_instances HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
               f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n").encode() + body
    held = []
    while not attack.is_over():
        if len(held) < 64:
            held.append(attack.connect())
            held[-1].setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        for one in list(held):
            try:
                one.sendall(request)
            except OSError:
                attack.count("closed")
                held.remove(one)
        time.sleep(0.02)
    for one in held:
        one.close()


@row("topics without end", mib=200)
def topics(attack):
    token = attack.token("agent", host="greedy")
    numbers = iter(range(10 ** 9))
    attack.crowd(4, lambda connection: attack.ask(connection, token, "service_register", topic=f"t{next(numbers)}" + "y" * 200,
                                                  host="greedy", binary="b"))


@row("facts without end", mib=400)
def facts(attack):
    token = attack.token("agent", host="greedy")
    numbers = iter(range(10 ** 9))

    def act(connection):
        base = next(numbers) * 50_000
        attack.ask(connection, token, "update_resource_stats", name="greedy", topic="compute",
                   stats={f"k{base + i}": i for i in range(50_000)})

    attack.crowd(1, act)


@row("capabilities of a megabyte on many nodes", mib=400)
def capabilities(attack):
    agent, reader = attack.token("agent", host="greedy"), attack.token("reader")
    numbers = iter(range(10 ** 9))

    def act(connection):
        at = next(numbers)
        if at == 0:
            attack.ask(connection, agent, "update_service_capabilities", service_name="compute", host="greedy",
                       capabilities={"x": "y" * 1_000_000})
        attack.ask(connection, agent, "update_resource_stats", name=["greedy", f"node{at}"], topic="compute", stats={"vcpus": 1})
        if at % 300 == 299:
            attack.ask(connection, reader, "list_hosts")

    attack.crowd(1, act)


class Neighbour(multiprocessing.Process):
    """The well-behaved client: a heartbeat over the unix socket and a question over TCP, twenty times a second. A process of its
    own, so that the attacker's threads do not hold it up."""

    def __init__(self, daemon, address, token):
        super().__init__(daemon=True)
        self.daemon_path, self.address, self.token = daemon.socket, address, token
        self.waits, self.faults = [], []
        self.ended, self.found = multiprocessing.Event(), multiprocessing.Queue()

    def run(self):
        host, port = self.address.rsplit(":", 1)
        local = UnixConnection(self.daemon_path)
        remote = http.client.HTTPConnection(host, int(port), timeout=60)
        while not self.ended.is_set():
            self.ask(local, "report_state", {"topic": "compute", "host": "n0"})
            self.ask(remote, "hosts_up", {"topic": "compute"})
            # A newcomer, as each command of an operator is one, from an address that is not the attacker's.
            fresh = http.client.HTTPConnection(host, int(port), timeout=60, source_address=("127.0.0.2", 0))
            self.ask(fresh, "hosts_up", {"topic": "compute"})
            fresh.close()
            time.sleep(0.05)
        self.found.put((self.waits, self.faults))

    def ask(self, connection, method, args):
        begun = time.monotonic()
        try:
            connection.request("POST", "/v1/" + method, json.dumps({"args": args}),
                               {"Authorization": "Bearer " + self.token, "Content-Type": "application/json"})
            answer = connection.getresponse()
            text = answer.read()
            if answer.status != 200:
                self.faults.append(text[:200].decode())
        except (OSError, http.client.HTTPException) as fault:
            self.faults.append(f"{method}: {fault!r}")
            connection.close()
        self.waits.append(time.monotonic() - begun)

    def stop(self):
        self.ended.set()
        self.waits, self.faults = self.found.get()
        self.join()


class Watchdog(threading.Thread):
    """Hears what systemd would hear."""

    def __init__(self):
        super().__init__(daemon=True)
        self.directory = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.directory.name, "notify")
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(self.path)
        self.socket.settimeout(0.2)
        self.beats, self.ended = [time.monotonic()], threading.Event()

    def run(self):
        while not self.ended.is_set():
            with contextlib.suppress(TimeoutError):
                if b"WATCHDOG=1" in self.socket.recv(4096):
                    self.beats.append(time.monotonic())

    def stop(self):
        self.ended.set()
        self.join()
        self.socket.close()
        self.directory.cleanup()
        beats = self.beats + [time.monotonic()]
        return max(b - a for a, b in zip(beats, beats[1:]))


def memory_of(process):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return {name: int(status.split(name + ":")[1].split()[0]) // 1024 for name in ("VmRSS", "VmHWM")}


def fill(daemon, instances):
    for host in ("n0", "greedy"):
        must(daemon.ask("POST", "/v1/service_register", body={"args": {"topic": "compute", "host": host, "binary": "nova-compute"}}))
        must(daemon.ask("POST", "/v1/update_resource_stats", body={"args": {"name": host, "stats": STATS}}))
    size = 5000
    for begin in range(0, instances, size):
        rows = [{"uuid": str(uuid.UUID(int=at + 1)), "host": "n0", "node": "n0", "vm_state": "active", "task_state": None,
                 "display_name": f"web-{at}", "project_id": "shop", "user_id": "ana", "vcpus": 0, "memory_mb": 0, "root_gb": 0,
                 "ephemeral_gb": 0, "instance_type_id": 1, "deleted": 0}
                for at in range(begin, min(begin + size, instances))]
        must(daemon.ask("POST", "/v1/import", body={"args": {"tables": {"services": [], "instances": rows}}}))


def run(name, programs, drivers, given):
    attacker, mib, configuration, refuses = ROWS[name]
    watchdog = Watchdog()
    watchdog.start()
    os.environ.update(NOTIFY_SOCKET=watchdog.path, WATCHDOG_USEC=str(given.watchdog * 1_000_000))
    daemon = RunningDaemon(programs, drivers, CONFIGURATION + configuration)
    try:
        fill(daemon, given.instances)
        log = (daemon.directory / "gantryd.log").read_text()
        address = log.split("listening address=")[1].split()[0].removeprefix("http://")
        attack = Attack(daemon, address, given.seconds, given.instances)
        neighbour = Neighbour(daemon, address, attack.token("admin"))
        before = memory_of(daemon.process)["VmRSS"]
        attack.until = time.monotonic() + given.seconds
        neighbour.start()
        attacker(attack)
        neighbour.stop()
        grown = memory_of(daemon.process)["VmHWM"] - before
    finally:
        silent = watchdog.stop()
        daemon.stop()
    waits = sorted(neighbour.waits)
    longest, half = waits[-1] * 1000, waits[len(waits) // 2] * 1000
    counts = " ".join(f"{what}:{many}" for what, many in sorted(attack.counts.items(), key=str))
    print(f"{name:42} {grown:8} {half:9.1f} {longest:9.1f} {silent:9.1f}  {counts}", flush=True)
    refused = sum(many for what, many in attack.counts.items() if what not in (200, "open"))
    return [fault for fault, is_true in (
        (f"gantryd grew by {grown} MiB, more than {mib}", grown > mib),
        (f"another client waited {longest:.0f} ms, more than {given.most_wait * 1000:.0f}", longest > given.most_wait * 1000),
        (f"another client's call failed: {neighbour.faults[:1]}", bool(neighbour.faults)),
        (f"the watchdog heard nothing for {silent:.1f} s, of {given.watchdog}", silent > given.watchdog),
        ("the attacker was never refused", refuses and not refused)) if is_true]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="?")
    parser.add_argument("drivers", nargs="?")
    parser.add_argument("--only", action="append", choices=list(ROWS), help="this row")
    parser.add_argument("--list", action="store_true", help="the rows there are")
    parser.add_argument("--seconds", type=float, default=40, help="of each row")
    parser.add_argument("--instances", type=int, default=100_000, help="in the store")
    parser.add_argument("--most-wait", type=float, default=5, help="seconds that another client may wait")
    parser.add_argument("--watchdog", type=int, default=30, help="WatchdogSec of the unit")
    given = parser.parse_args()
    if given.list:
        return print("\n".join(ROWS))
    if not given.drivers:
        parser.error("PROGRAM_DIRECTORY and DRIVER_DIRECTORY are wanted")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4096)), hard))
    print(f"{given.instances} instances, {given.seconds:g} s a row; MiB: the most that gantryd grew by")
    print(f"{'':42} {'MiB':>8} {'half, ms':>9} {'most, ms':>9} {'silent, s':>9}  answers")
    failed = False
    for name in given.only or ROWS:
        for fault in run(name, given.programs, given.drivers, given):
            failed = True
            print(f"  {fault}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
