# SPDX-License-Identifier: Apache-2.0
"""gantryd under mixed load for a long time: servers come and go, hosts report, operators change and read. Memory,
descriptors and the size of the store are sampled and have to level off: a line is fitted to the last half of the samples,
and what it rises by in that time has to stay below a bound. Prints the samples and the verdict; exit status 1 if something
rises or a call failed.

    soak.py PROGRAM_DIRECTORY DRIVER_DIRECTORY [--minutes N] [--every SECONDS] [--rate CALLS_A_SECOND] [--seed N]
"""

import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import sys
import threading
import time
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "api"))
from running_daemon import RunningDaemon, UnixConnection  # noqa: E402

HOSTS = 200
CLIENTS = 4
SERVERS = 100  # that each client keeps
CALLS_A_CONNECTION = 500
# What is kept is bounded; the bounds are reached soon, so that the growth up to them is over before the last half.
CONFIGURATION = """
scheduler_driver = "filter"
log.level = "error"
decisions.keep = 20000
decisions.facts_bytes = 16777216
"""
# What each may rise by in the last half: an absolute amount, or a share of what there is at the end.
BOUNDS = {"rss": (8 << 20, 0.05), "descriptors": (8, 0.0), "store": (4 << 20, 0.10)}
Sample = collections.namedtuple("Sample", "seconds calls rss descriptors store archive")


class Client(threading.Thread):
    """Makes a call after another at a fixed rate, until it is told to end. `faults`: what failed and should not."""

    def __init__(self, path, number, rate, seed):
        super().__init__(daemon=True)
        self.path, self.number, self.pause = path, number, CLIENTS / rate
        self.random = random.Random(seed)
        self.servers = collections.deque()
        self.calls, self.faults, self.ends = 0, [], False
        self.connection = None
        self.hosts = [f"c{host}" for host in range(number, HOSTS, CLIENTS)]
        self.steps = [(self.place, 4), (self.select, 8), (self.take_casts, 6), (self.report, 10), (self.beat, 10),
                      (self.read, 4), (self.operate, 2), (self.ask_wrongly, 1)]

    def call(self, method, expected=(200,), headers=None, **args):
        if self.connection is None or self.calls % CALLS_A_CONNECTION == 0:
            if self.connection is not None:
                self.connection.close()
            self.connection = UnixConnection(self.path)
        self.calls += 1
        self.connection.request("POST", f"/v1/{method}", body=json.dumps({"args": args}),
                                headers={"Content-Type": "application/json", **(headers or {})})
        response = self.connection.getresponse()
        body = response.read()
        if response.status not in expected:
            self.faults.append(f"{method}: {response.status} {body[:200]!r}")
        return json.loads(body).get("result") if response.status == 200 else None

    def spec(self, **more):
        vcpus, memory = self.random.choice([(1, 512), (2, 2048), (4, 4096), (512, 4096)])
        return {"num_instances": 1, "project_id": "demo",
                "flavor": {"name": "any", "vcpus": vcpus, "memory_mb": memory, "root_gb": 1}, **more}

    def new_uuid(self):
        return str(uuid.UUID(int=self.random.getrandbits(128), version=4))

    def place(self):
        one = self.new_uuid()
        key = {"Idempotency-Key": self.new_uuid()} if self.random.random() < 0.2 else None
        if self.call("schedule_run_instance", headers=key, request_spec=self.spec(instance_uuids=[one])):
            self.servers.append(one)
        while len(self.servers) > SERVERS:
            self.call("delete_instance", instance=self.servers.popleft())

    def select(self):
        self.call("select_destinations", (200, 409), request_spec=self.spec(),
                  **({"instance_uuids": [self.new_uuid()]} if self.random.random() < 0.1 else {}))

    def take_casts(self):
        for cast in self.call("receive_casts", topic="compute", hosts=self.hosts, limit=50) or []:
            self.call("acknowledge_cast", id=cast["id"])
            if cast["method"] == "run_instance":
                # It may have been deleted meanwhile.
                self.call("update_instance", (200, 404), uuid=cast["args"]["instance_uuid"], vm_state="active")

    def report(self):
        used = self.random.randrange(32)
        self.call("update_resource_stats", name=self.random.choice(self.hosts),
                  stats={"vcpus": 64, "memory_mb": 262144, "local_gb": 4000, "vcpus_used": used,
                         "memory_mb_used": used * 1024, "local_gb_used": used})

    def beat(self):
        self.call("report_state", topic="compute", host=self.random.choice(self.hosts))

    def read(self):
        method, args = self.random.choice([("status", {}), ("stats", {"busiest": 5}), ("list_hosts", {"limit": 50}),
                                           ("list_instances", {"limit": 50}), ("list_decisions", {"limit": 20}),
                                           ("hosts_up", {"topic": "compute"}), ("events", {"after": "first"})])
        self.call(method, **args)

    def operate(self):
        host = self.random.choice(self.hosts)
        self.call("disable_service", topic="compute", host=host, reason="soak")
        self.call("enable_service", topic="compute", host=host)
        made = self.call("create_aggregate", name=f"soak-{self.new_uuid()}")
        if made:
            self.call("add_aggregate_host", aggregate=made["id"], host=host)
            self.call("remove_aggregate_host", aggregate=made["id"], host=host)
            self.call("delete_aggregate", aggregate=made["id"])

    def ask_wrongly(self):
        self.call("select_destinations", (400,), no_such_argument=1)
        self.call("no_such_method", (404,))

    def run(self):
        actions, weights = zip(*self.steps)
        due = time.monotonic()
        while not self.ends:
            before = self.calls
            try:
                self.random.choices(actions, weights)[0]()
            except (OSError, ValueError) as error:
                self.faults.append(repr(error))
                self.connection = None
            due = max(due + self.pause * max(1, self.calls - before), time.monotonic() - 1)
            time.sleep(max(0.0, due - time.monotonic()))


def size_of(paths):
    return sum(path.stat().st_size for path in paths if path.exists())


def sample_of(daemon, clients, begun):
    proc = pathlib.Path("/proc") / str(daemon.process.pid)
    pages = int((proc / "statm").read_text().split()[1])
    return Sample(round(time.monotonic() - begun), sum(client.calls for client in clients),
                  pages * os.sysconf("SC_PAGE_SIZE"), len(list((proc / "fd").iterdir())),
                  size_of(daemon.directory / name for name in ("gantry.db", "gantry.db-wal")),
                  size_of((daemon.directory / "decisions").glob("*")))


def rise_of(samples, name):
    """What the line through the last half of the samples rises by in their time."""
    last = samples[len(samples) // 2:]
    times = [each.seconds for each in last]
    values = [getattr(each, name) for each in last]
    mean_time, mean_value = sum(times) / len(last), sum(values) / len(last)
    spread = sum((one - mean_time) ** 2 for one in times)
    if not spread:
        return 0.0
    slope = sum((one - mean_time) * (value - mean_value) for one, value in zip(times, values)) / spread
    return slope * (times[-1] - times[0])


def bound_of(samples, name):
    amount, share = BOUNDS[name]
    return max(amount, share * getattr(samples[-1], name))


def print_samples(samples):
    print(f"{'minutes':>8}{'calls':>12}{'memory MiB':>12}{'descriptors':>13}{'store MiB':>11}{'archive MiB':>13}")
    for each in samples:
        print(f"{each.seconds / 60:>8.1f}{each.calls:>12}{each.rss / 2**20:>12.1f}{each.descriptors:>13}"
              f"{each.store / 2**20:>11.1f}{each.archive / 2**20:>13.1f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs")
    parser.add_argument("drivers")
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--every", type=float, default=60)
    parser.add_argument("--rate", type=float, default=500)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 31))
    asked = parser.parse_args()
    chance = random.Random(asked.seed)
    daemon = RunningDaemon(asked.programs, asked.drivers, CONFIGURATION)
    clients = [Client(daemon.socket, number, asked.rate, chance.randrange(1 << 31)) for number in range(CLIENTS)]
    for client in clients:
        for host in client.hosts:
            client.call("service_register", topic="compute", host=host)
            client.call("update_resource_stats", name=host, stats={"vcpus": 64, "memory_mb": 262144, "local_gb": 4000})
    begun = time.monotonic()
    for client in clients:
        client.start()
    samples = [sample_of(daemon, clients, begun)]
    while time.monotonic() - begun < asked.minutes * 60 and daemon.process.poll() is None:
        time.sleep(asked.every)
        if daemon.process.poll() is None:
            samples.append(sample_of(daemon, clients, begun))
    for client in clients:
        client.ends = True
    for client in clients:
        client.join()
    ended = daemon.process.poll()
    doctor = daemon.ask("GET", "/v1/doctor").json["result"] if ended is None else {"sound": False}

    print(f"seed {asked.seed}")
    print_samples(samples)
    rising = []
    for name, unit, size in (("rss", "MiB", 2**20), ("descriptors", "", 1), ("store", "MiB", 2**20)):
        rise, bound = rise_of(samples, name), bound_of(samples, name)
        # What a start takes has not levelled off within seconds.
        rising += [name] if rise > bound and asked.minutes >= 1 else []
        print(f"{name + ' rises in the last half by':<52}{rise / size:>12.1f} {unit} (at most {bound / size:.1f})".rstrip())
    faults = [fault for client in clients for fault in client.faults]
    for what, value in (("calls", samples[-1].calls), ("calls that failed", len(faults)),
                        ("sound at the end", "yes" if doctor["sound"] else "no")):
        print(f"{what:<52}{value:>12}")
    for fault in faults[:5]:
        print(fault)
    for finding in doctor.get("findings", [])[:5]:
        print(finding)
    if ended is not None:
        print(f"gantryd ended with {ended}")
    else:
        daemon.process.terminate()
        daemon.process.wait()
    shutil.rmtree(daemon.directory, ignore_errors=True)
    return 1 if rising or faults or not doctor["sound"] else 0


if __name__ == "__main__":
    sys.exit(main())
