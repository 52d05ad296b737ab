# SPDX-License-Identifier: Apache-2.0
"""What many aggregates and server groups cost a gantryd: to put, to read, to change, to decide among, to start with.

    many_bench.py PROGRAM_DIRECTORY [--hosts 10000] [--aggregates 3000] [--in-each 200] [--groups 5000]

Prints a table. Ends with 1 if an answer is not what the changes before it made. No time is judged.
"""

import argparse
import http.client
import json
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time


class Connection(http.client.HTTPConnection):
    """HTTP over the socket of the daemon."""

    def __init__(self, path):
        super().__init__("localhost", timeout=600)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(600)
        self.sock.connect(self.path)


class Daemon:
    """A gantryd with its own store, and the calls to it."""

    def __init__(self, programs):
        self.programs = programs
        self.directory = pathlib.Path(tempfile.mkdtemp())
        (self.directory / "none").mkdir()
        self.directory.chmod(0o755)
        self.process = None
        self.connection = None

    def start(self):
        began = time.monotonic()
        with open(self.directory / "log", "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [self.programs / "gantryd", "--config", "/dev/null", "--config-dir", self.directory / "none",
                 "--set", "scheduler_driver=filter",
                 "--set", f'driver_directories=["{(self.programs / "../lib/gantry/drivers").resolve()}"]',
                 "--set", f"store.path={self.directory}/db", "--set", f"server.socket={self.directory}/s"],
                stdout=log, stderr=log)
        self.connection = Connection(str(self.directory / "s"))
        while self.process.poll() is None:
            try:
                self.call("status")
                return time.monotonic() - began
            except OSError:
                self.connection.close()
                time.sleep(0.01)
        raise SystemExit((self.directory / "log").read_text())

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()

    def remove(self):
        if self.process and self.process.poll() is None:
            self.stop()
        shutil.rmtree(self.directory)

    def call(self, method, **args):
        self.connection.request("POST", f"/v1/{method}", json.dumps({"args": args}),
                                {"Content-Type": "application/json"})
        answer = json.loads(self.connection.getresponse().read())
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def resident(self):
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
        return 0

    def stored(self):
        return sum(each.stat().st_size for each in self.directory.glob("db*") if each.is_file()) / (1 << 20)


class Table:
    """The lines of the table, each with a time and what it left in memory."""

    def __init__(self, daemon):
        self.daemon = daemon
        print(f"{'':<58}{'ms':>10}{'MiB':>8}")

    def row(self, what, work, times=1):
        began = time.monotonic()
        result = work()
        each = (time.monotonic() - began) * 1000 / times
        print(f"{what:<58}{each:>10.2f}{self.daemon.resident():>8.0f}", flush=True)
        return result


def expect(what, found, expected):
    if found != expected:
        raise SystemExit(f"{what}: expected {expected}, found {found}")


NODE = {"vcpus": 64, "vcpus_used": 0, "memory_mb": 262144, "memory_mb_used": 0, "local_gb": 1000, "local_gb_used": 0}


def host(number):
    return f"compute-{number:05}"


def put_facts(daemon, table, wish):
    def put_hosts():
        for number in range(wish.hosts):
            daemon.call("service_register", topic="compute", host=host(number), binary="bench")
            daemon.call("update_resource_stats", name=host(number), stats=NODE)

    def put_aggregates():
        for number in range(wish.aggregates):
            daemon.call("create_aggregate", name=f"p{number}", metadata={"filter_tenant_id": f"p{number}"})

    def add_hosts():
        for number in range(wish.aggregates):
            first = number * 7 % wish.hosts
            names = [host((first + at) % wish.hosts) for at in range(min(wish.in_each, wish.hosts))]
            daemon.call("add_aggregate_host", aggregate=f"p{number}", hosts=names)

    def put_groups():
        for number in range(wish.groups):
            daemon.call("create_group", name=f"g{number}", policy="anti-affinity")

    table.row("register and report a host", put_hosts, wish.hosts)
    table.row("create an aggregate", put_aggregates, wish.aggregates)
    table.row(f"add {wish.in_each} hosts to an aggregate", add_hosts, wish.aggregates)
    table.row("create a group", put_groups, wish.groups)


def decide(daemon, number, **more):
    uuid = f"0f6f7d0a-2d6b-4d2f-9a51-{number:012}"
    spec = {"instance_uuids": [uuid], "flavor": {"vcpus": 1, "memory_mb": 64},
            "instance_properties": {"project_id": "p1"}}
    return uuid, daemon.call("schedule_run_instance", request_spec=spec, **more)["instances"][0]


def change_facts(daemon, table, wish):
    table.row("create an aggregate of its own", lambda: daemon.call("create_aggregate", name="all"))
    names = [host(number) for number in range(wish.hosts)]
    all_hosts = table.row("add all hosts to it, in one call",
                          lambda: daemon.call("add_aggregate_host", aggregate="all", hosts=names))
    expect("hosts of the aggregate", len(all_hosts["hosts"]), wish.hosts)
    table.row("a decision after that", lambda: decide(daemon, 1))
    table.row("change its metadata",
              lambda: daemon.call("update_aggregate", aggregate="all", metadata={"ssd": "true"}))
    table.row("a decision after that", lambda: decide(daemon, 2))
    table.row("a decision", lambda: decide(daemon, 3))
    table.row("take a host out of it",
              lambda: daemon.call("remove_aggregate_host", aggregate="all", host=host(0)))
    table.row("add a host to it", lambda: daemon.call("add_aggregate_host", aggregate="all", host=host(0)))
    table.row("take all hosts out of it",
              lambda: daemon.call("remove_aggregate_host", aggregate="all", hosts=names))
    table.row("delete it", lambda: daemon.call("delete_aggregate", aggregate="all"))
    events = daemon.call("events", after="first", limit=1000, types=["aggregate.updated"])["events"]
    largest = max(len(json.dumps(event)) for event in events)
    print(f"{'largest event of a change to an aggregate':<58}{largest:>10} bytes")
    if largest > 4096:
        raise SystemExit(f"an event of {largest} bytes, expected one that does not grow with the aggregate")

    hint = {"filter_properties": {"scheduler_hints": {"group": "g0"}}}
    uuid, placed = table.row("a decision for a group", lambda: decide(daemon, 4, **hint))
    expect("state of the member", placed["vm_state"], "building")
    expect("members of the group", daemon.call("show_group", group="g0")["members"], [uuid])
    table.row("delete the member", lambda: daemon.call("delete_instance", instance=uuid))
    expect("members of the group", daemon.call("show_group", group="g0")["members"], [])


def read_facts(daemon, table, wish):
    export = table.row("export the fleet", lambda: daemon.call("export_fleet"))
    expect("aggregates of the export", len(export["aggregates"]), wish.aggregates)
    expect("groups of the export", len(export["groups"]), wish.groups)
    expect("hosts in aggregates of the export", sum(len(each["hosts"]) for each in export["aggregates"]),
           wish.aggregates * min(wish.in_each, wish.hosts))
    page = table.row("list 1000 aggregates", lambda: daemon.call("list_aggregates", limit=1000))
    expect("aggregates of the list", len(page), min(1000, wish.aggregates))
    table.row("list the hosts of an aggregate", lambda: daemon.call("list_hosts", aggregate="p1", limit=100))
    file = daemon.directory / "fleet.json"
    file.write_text(json.dumps(export))
    table.row("gantry whatif on the export", lambda: subprocess.run(
        [daemon.programs / "gantry", "whatif", "--driver", "filter", "--driver-dir",
         (daemon.programs / "../lib/gantry/drivers").resolve(), "--config", "/dev/null", "--fleet", file, "-o", "value"],
        check=True, capture_output=True))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("--hosts", type=int, default=10_000)
    parser.add_argument("--aggregates", type=int, default=3_000)
    parser.add_argument("--in-each", type=int, default=200)
    parser.add_argument("--groups", type=int, default=5_000)
    wish = parser.parse_args()
    daemon = Daemon(wish.programs.resolve())
    try:
        daemon.start()
        print(f"{wish.hosts} hosts, {wish.aggregates} aggregates of {wish.in_each} hosts, {wish.groups} groups")
        table = Table(daemon)
        put_facts(daemon, table, wish)
        change_facts(daemon, table, wish)
        read_facts(daemon, table, wish)
        daemon.stop()
        table.row("start from the store, until it answers", daemon.start)
        table.row("the first decision", lambda: decide(daemon, 5))
        expect("aggregates after the start", len(daemon.call("export_fleet")["aggregates"]), wish.aggregates)
        print(f"{'the store':<68}{daemon.stored():>8.0f}")
    finally:
        daemon.remove()


if __name__ == "__main__":
    main()
