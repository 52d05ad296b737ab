# SPDX-License-Identifier: Apache-2.0
"""What requests cost with nova-scheduler and with Gantry, on the same databases, in turns."""

import json
import os
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

import bench_table
import processors
import release
from bench_gantry import BenchGantry
from bench_table import Row
from fleet_rows import ROWS
from processes import StartFailed, say
from schedulers import NovaScheduler, Scheduler
from specs import make_fleet
from stack import Stack

HERE = Path(__file__).resolve().parent
TURNS = 2
OF_NOVA = {100: 12, 1000: 6}  # requests in a turn
OF_NOVA_IN_LARGER = 3
OF_GANTRY = 50
OPTIONS = {"DEFAULT": {"service_down_time": 86400}}  # nobody reports for the hosts
# As sites set it where many ask at once: without it all take the same host, and their claims meet in one row of placement.
SPREAD = {**OPTIONS, "filter_scheduler": {"host_subset_size": 200}}
SEVERAL = (1, 2, 4)  # Gantrys
CALLERS = 16
DIRECT = ("nova_direct_calls", "")
CALLING_SECONDS = 10
MOST_IN_STEPS = 510  # milliseconds of a request whose caller looks for the answer every half second


def resident_kilobytes(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:"))


class Bench:
    def __init__(self, stack: Stack, clients: set[int]):
        self._stack = stack
        self._clients = clients
        self._nova = NovaScheduler(stack.home, stack.broker)
        self._gantry = BenchGantry(stack.home, stack.broker)
        self._login: dict = {}
        self._in_steps = release.waits_in_steps()
        self.rows: list[Row] = []
        self.times: dict[tuple[int, str], dict] = {}
        self.parts: dict[int, dict[str, float]] = {}

    def measure(self, hosts: int, kinds: list[str]) -> None:
        self._stack.use(make_fleet(self._stack, hosts, 1))
        if "requests" in kinds:
            self._requests(hosts)
        if "direct" in kinds:
            self._direct(hosts)
        if "ten" in kinds and hosts == 1000:
            self._ten(hosts)
        if "asking" in kinds and hosts == 1000:
            self._asking(hosts)
        if "clients" in kinds and hosts == 1000:
            self._callers(hosts)
        if "several" in kinds and hosts == 1000:
            self._several(hosts)
        if "memory" in kinds and hosts == 10000:
            self._memory(hosts)
        if "ready" in kinds and hosts == 10000:
            self._ready(hosts)

    @contextmanager
    def _running(self, *schedulers: Scheduler, options=OPTIONS):
        """Each has answered some requests before anything is measured."""
        try:
            for scheduler in schedulers:
                scheduler.configure(options)
                scheduler.start()
            self._ask(1)
            yield schedulers[0]
        finally:
            for scheduler in schedulers:
                scheduler.stop()

    # ---- clients

    def _run(self, program: str, task: dict) -> dict:
        done = subprocess.run(
            ["/usr/bin/python3", "-B", str(HERE / program), json.dumps(task)], text=True, capture_output=True,
            preexec_fn=lambda: os.sched_setaffinity(0, self._clients))
        if done.returncode != 0:
            self._stack.home.file("log", f"{program}.log").write_text(done.stdout + done.stderr)
            raise StartFailed(f"{program} failed; see {self._stack.home.file('log', f'{program}.log')}")
        return json.loads(done.stdout)

    def _ask(self, count: int, instances: int = 1, **more) -> dict:
        home = self._stack.home
        result = self._run("bench_client.py", {
            "conf": str(home.file("etc", "nova.conf")), "socket": str(self._stack.database.socket), "count": count,
            "instances": instances, "database": self._stack.database.process.pid(), "template": str(self._file("template.json")), **more})
        self._login = result.pop("login")
        return result

    def _file(self, name: str) -> Path:
        return self._stack.home.file("results", name)

    def _call(self, alone: bool) -> float:
        """How many claims a second 16 callers get."""
        said = self._run("raw_clients.py", {
            **self._login, "template": str(self._file("template.json")), "claims": str(self._file("claims.json")),
            "callers": CALLERS, "seconds": CALLING_SECONDS, "alone": alone})
        rate = said["done"] / said["seconds"]
        say(f"{CALLERS} callers of {'placement alone' if alone else 'the scheduler'}: {rate:.1f} claims a second, {said['refused']} refused")
        return rate

    def _waited(self, times: dict) -> float:
        return bench_table.waited(times, "select", self._in_steps)

    def _floor(self, times: dict) -> float:
        return bench_table.floor(times, self._in_steps)

    # ---- what is measured

    def _requests(self, hosts: int) -> None:
        turns: dict[str, list[dict]] = {"nova-scheduler": [], "Gantry": []}
        for _ in range(TURNS):
            with self._running(self._nova):
                turns["nova-scheduler"].append(self._ask(OF_NOVA.get(hosts, OF_NOVA_IN_LARGER), floor=True))
            with self._running(self._gantry):
                before = self._gantry.counters()
                turns["Gantry"].append(self._ask(OF_GANTRY, floor=True))
                self.parts[hosts] = bench_table.parts_of(before, self._gantry.counters())
        nova, gantry = (bench_table.merged(runs) for runs in turns.values())
        self.times[hosts, "nova-scheduler"], self.times[hosts, "Gantry"] = nova, gantry
        whole, floor = self._waited(gantry), self._floor(gantry)
        faster = self._waited(nova) / whole
        say(f"{hosts} hosts: {faster:.1f} times as fast, {whole / floor:.2f} times the floor")
        if self._in_steps:
            self.rows.append(Row("select_destinations p50, milliseconds that the caller waits for Gantry", hosts,
                                 1000 * bench_table.median(gantry["select"]), most=MOST_IN_STEPS))
        until = ", until the answer had reached the caller" if self._in_steps else ""
        self.rows += [
            Row(f"select_destinations p50, nova-scheduler over Gantry{until}", hosts, faster, least=100 if hosts >= 1000 else None),
            Row(f"Gantry over the floor{until}", hosts, whole / floor, most=1.2 if hosts <= 1000 else 1.5),
            Row("database's processor time for a request, nova-scheduler over Gantry", hosts,
                sum(nova["database"]) / len(nova["database"]) / (sum(gantry["database"]) / len(gantry["database"])),
                least=5 if hosts == 1000 else None)]

    def _direct(self, hosts: int) -> None:
        with self._running(self._gantry):
            for words, way in (("past the broker", {"direct": str(self._gantry.socket())}),
                               ("past the broker over TLS", self._gantry.over_tls())):
                before = self._gantry.counters()
                times = self._ask(OF_GANTRY, floor=True, **way)
                taken = self._gantry.counters().get(DIRECT, 0) - before.get(DIRECT, 0)
                if taken < OF_GANTRY:
                    raise StartFailed(f"Gantry took {taken} of {OF_GANTRY} requests {words}; the others went over RPC")
                beside = [1000 * (whole - claim) for whole, claim in zip(times["select"], times["claim"])]
                whole, claim = (1000 * bench_table.median(times[part]) for part in ("select", "claim"))
                say(f"{hosts} hosts, {words}: {whole:.1f} ms, of which placement's claim {claim:.1f} ms")
                self.rows.append(Row(f"{words}, p50 milliseconds beside placement's own time for the claim", hosts,
                                     bench_table.median(beside), most=2 if hosts == 1000 else None))

    def _ten(self, hosts: int) -> None:
        with self._running(self._gantry):
            times = self._ask(OF_GANTRY // 2, instances=10, floor=True)
        ratio = self._waited(times) / bench_table.median(times["claim"])
        say(f"ten instances: {1000 * self._waited(times):.1f} ms")
        self.rows.append(Row("ten instances over placement's own time for the claims", hosts, ratio, most=1.3))

    def _asking(self, hosts: int) -> None:
        with self._running(BenchGantry(self._stack.home, self._stack.broker, mirrors=False)):
            times = self._ask(OF_GANTRY // 2, floor=True, get=True)
        floor = self._floor(times) + bench_table.median(times["get"])
        say(f"asking: {1000 * self._waited(times):.1f} ms, of which the floor with its GET {1000 * floor:.1f} ms")
        self.rows.append(Row("asking, over the floor and its GET", hosts, self._waited(times) / floor, most=1.2))

    def _callers(self, hosts: int) -> None:
        for words, options in (("host_subset_size = 200", SPREAD), ("all choose the same host", OPTIONS)):
            with self._running(self._gantry, options=options):
                with_gantry = self._call(alone=False)
            self.rows.append(Row(f"{CALLERS} raw clients, decisions a second over placement's PUTs a second; {words}", hosts,
                                 with_gantry / self._call(alone=True), least=0.8))

    def _several(self, hosts: int) -> None:
        rates = {}
        for count in SEVERAL:
            gantrys = [BenchGantry(self._stack.home, self._stack.broker, number) for number in range(1, count + 1)]
            with self._running(*gantrys, options=SPREAD):
                rates[count] = self._call(alone=False)
        self.rows += [Row(f"{count} Gantrys, claims a second beside one", hosts, rates[count] / rates[1]) for count in SEVERAL[1:]]

    def _memory(self, hosts: int) -> None:
        used = []
        for scheduler in (self._gantry, self._nova):
            with self._running(scheduler):
                used.append(resident_kilobytes(scheduler.process.pid()))
        say(f"resident memory: Gantry {used[0] / 1024:.0f} MiB, a worker of nova-scheduler {used[1] / 1024:.0f} MiB")
        self.rows.append(Row("resident memory, Gantry over one worker of nova-scheduler", hosts, used[0] / used[1], most=1))

    def _ready(self, hosts: int) -> None:
        database = self._stack.database
        starts, reads = [], []
        for _ in range(3):
            began = time.monotonic()
            subprocess.run(["mariadb", "--no-defaults", f"--socket={database.socket}", "--user=root", "--batch", "--quick"],
                           input=ROWS, text=True, stdout=subprocess.DEVNULL, check=True)
            reads.append(time.monotonic() - began)
            self._gantry.configure(OPTIONS)
            began = time.monotonic()
            self._gantry.start()
            starts.append(time.monotonic() - began)
            self._gantry.stop()
        start, read = bench_table.median(starts), bench_table.median(reads)
        say(f"ready after {start:.2f} s; the mariadb client reads the rows in {read:.2f} s")
        self.rows.append(Row("from start to ready, over reading the same rows with the mariadb client", hosts, start / read, most=3))

    def print(self) -> None:
        for lines in (bench_table.ratio_lines(self.rows), self.times and bench_table.time_lines(self.times),
                      self.parts and bench_table.part_lines(self.parts)):
            if lines:
                print("\n".join(lines) + "\n")


def run(stack: Stack, sizes: list[int], kinds: list[str]) -> int:
    """Pins the servers to a half of the processors, and the clients to the other half."""
    servers, clients = processors.halves()
    NovaScheduler(stack.home, stack.broker).stop()
    for number in range(1, SEVERAL[-1] + 1):
        BenchGantry(stack.home, stack.broker, number).stop()
    stack.down()
    os.sched_setaffinity(0, servers)
    began = time.monotonic()
    stack.up()
    bench = Bench(stack, clients)
    try:
        for hosts in sizes:
            bench.measure(hosts, kinds)
    finally:
        stack.down()
        bench.print()
    say(f"the benchmark took {time.monotonic() - began:.0f} s")
    return 0
