# SPDX-License-Identifier: Apache-2.0
"""Random requests on a fleet of unlike hosts: does the second scheduler choose as nova-scheduler does?"""

import json
import subprocess
import time
from collections import Counter
from pathlib import Path

from home import HOSTS
from judgement import judge, times
from processes import Process, StartFailed, run as run_program, say
from scenario import filters
from schedulers import NovaScheduler, Scheduler
from stack import Stack

HERE = Path(__file__).resolve().parent
OPTIONS = {
    **filters("AggregateInstanceExtraSpecsFilter", "AggregateImagePropertiesIsolation", "IoOpsFilter"),
    "DEFAULT": {"service_down_time": 86400},
}


class WeighingScheduler(NovaScheduler):
    """nova-scheduler that says what each host weighed."""

    def _process(self) -> Process:
        return Process(self.home, "nova-scheduler", [
            "/usr/bin/python3", "-B", str(HERE / "weighing_scheduler.py"),
            "--config-file", str(self.home.file("etc", "nova-scheduler.conf"))],
            {"NOVA_LIVE_WEIGHTS": str(self.home.file("results", "weights.jsonl"))})


def read_weights(file: Path) -> dict[str, list[dict[str, float]]]:
    found: dict[str, list[dict[str, float]]] = {}
    with file.open() as lines:
        for line in lines:
            entry = json.loads(line)
            found.setdefault(entry["instance"], []).append(dict(entry["weights"]))
    return found


def ask_all(stack: Stack, scheduler: Scheduler, dump: str, count: int, hosts: int, seed: int) -> list[dict]:
    stack.use(dump)
    stack.database.write("update nova.services set last_seen_up = utc_timestamp() - interval 3 day where host in %s", HOSTS)
    scheduler.configure(OPTIONS)
    output = stack.home.file("results", f"specs.{scheduler.name}.jsonl")
    scheduler.start()
    began = time.monotonic()
    try:
        done = subprocess.run(
            ["/usr/bin/python3", "-B", str(HERE / "specs_client.py"), str(stack.home.file("etc", "nova.conf")),
             str(stack.database.socket), str(count), str(hosts),
             str(seed), str(output)], stdout=stack.home.file("log", "specs-client.log").open("ab"), stderr=subprocess.STDOUT)
    finally:
        scheduler.stop()
    if done.returncode != 0:
        raise StartFailed(f"specs_client.py failed; see {stack.home.file('log', 'specs-client.log')}")
    say(f"{count} requests on {hosts} hosts with {scheduler.name}: {time.monotonic() - began:.0f} s")
    return [json.loads(line) for line in output.read_text().splitlines()]


def make_fleet(stack: Stack, hosts: int, seed: int) -> str:
    """The name of a dump of the databases with the fleet."""
    dump = f"specs-{hosts}-{seed}"
    if not stack.database.has_dump(dump):
        stack.use("one")
        run_program(stack.home, "setup.log", "/usr/bin/python3", "-B", str(HERE / "specs_fleet.py"), str(stack.database.socket), str(hosts),
                    str(seed))
        stack.database.dump(dump)
    return dump


def run(stack: Stack, schedulers: list[Scheduler], count: int, hosts: int, seed: int) -> int:
    dump = make_fleet(stack, hosts, seed)
    weights = stack.home.file("results", "weights.jsonl")
    first_file = stack.home.file("results", "specs.nova.jsonl")
    if schedulers[0].name == "nova":
        weights.unlink(missing_ok=True)
        first = ask_all(stack, WeighingScheduler(stack.home, stack.broker), dump, count, hosts, seed)
    else:
        first = [json.loads(line) for line in first_file.read_text().splitlines()]  # of an earlier run
    others = [scheduler for scheduler in schedulers if scheduler.name != "nova"]
    if not others:
        return 0
    second = ask_all(stack, others[0], dump, count, hosts, seed)
    seen = read_weights(weights)
    results: Counter = Counter()
    for number, pair in enumerate(zip(first, second)):
        verdict, why = judge(*pair, seen)
        results[verdict] += 1
        if why:
            say(f"request {number}: {why}")
    print(f"{count} random requests on {hosts} hosts (seed {seed}), nova-scheduler and {others[0].name}:")
    for verdict, number in results.most_common():
        print(f"{number:6} {verdict}")
    for line in times(first, "nova-scheduler") + times(second, others[0].name):
        print(line)
    bad = results["differed"] + results["same but the alternates"] + (len(first) != len(second))
    return 1 if bad else 0
