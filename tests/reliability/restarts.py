# SPDX-License-Identifier: Apache-2.0
"""gantryd restarted without a pause while clients ask: by `gantry restart`, with a new driver, with one that crashes or hangs as
it is created, with an invalid configuration, and with kill -9 of the new and of the old process at random moments. Prints a
table. Exit status 1 if a request was lost, refused, doubled or answered wrongly, or waited longer than --most-stall.

    restarts.py PROGRAM_DIRECTORY DRIVER_DIRECTORY BAD_DRIVER_DIRECTORY [--restarts N] [--requests N] [--hosts N]
                [--minutes N] [--seed N]
"""

import argparse
import os
import random
import signal
import socket
import subprocess
import sys
import time

from restart_clients import Client
from restarted_daemon import RestartedDaemon

KINDS = ["same version", "new driver", "driver crashes at create", "driver hangs at create", "invalid configuration",
         "kill -9 of the new", "kill -9 of the old"]
# The kinds after which the process of before must be the one that serves.
FAILING = {"driver crashes at create": "a crash by SIG", "driver hangs at create": "was not ready within", "invalid configuration": "scheduler_drivr"}
CONFIGURATION = """
log.level = "warning"
decisions.keep = 0
server.restart_timeout = 20
scheduling.claim_max_age = 86400
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Run:
    def __init__(self, asked):
        self.asked = asked
        self.chance = random.Random(asked.seed)
        self.port = free_port()
        self.daemon = RestartedDaemon(asked.programs, asked.drivers, asked.bad_drivers,
                                      CONFIGURATION + f'server.listen = ["127.0.0.1:{self.port}"]\n'
                                                      "server.require_tokens = false\n")
        self.complaints = []
        self.counts = dict.fromkeys(KINDS, 0)
        self.windows = []  # (begin, end, kind)
        self.cuts = []     # (begin, end) in which the process that served may have been killed

    def prepare(self):
        stats = {"vcpus": 100000, "memory_mb": 1 << 30, "local_gb": 1 << 20, "vcpus_used": 0, "memory_mb_used": 0,
                 "local_gb_used": 0}
        for number in range(self.asked.hosts):
            for method, args in (("service_register", {"topic": "compute", "host": f"c{number}"}),
                                 ("update_resource_stats", {"name": f"c{number}", "stats": stats})):
                answer = self.daemon.ask("POST", f"/v1/{method}", {"args": args})
                assert answer.status == 200, answer.text

    def beat(self):
        for number in range(min(self.asked.hosts, 20)):
            self.daemon.ask("POST", "/v1/report_state", {"args": {"topic": "compute", "host": f"c{number}"}})

    def restart(self, kind):
        begin = time.monotonic()
        before = self.daemon.pid
        {"same version": self.well, "new driver": self.with_new_driver, "kill -9 of the new": self.killing_new,
         "kill -9 of the old": self.killing_old}.get(kind, lambda: self.failing(kind))()
        self.windows.append((begin, time.monotonic(), kind))
        if kind == "kill -9 of the old" or kind == "kill -9 of the new" and self.daemon.pid != before:
            self.cuts.append((begin, time.monotonic() + 0.5))
        self.counts[kind] += 1

    def well(self):
        before = self.daemon.pid
        status, words = self.daemon.restart()
        if status != 0 or self.daemon.pid == before:
            self.complaints.append(f"a restart that had to succeed ended with {status}: {words}")

    def with_new_driver(self):
        self.daemon.swap_driver()
        self.well()

    def failing(self, kind):
        before = self.daemon.pid
        if kind == "invalid configuration":
            self.daemon.configure(self.daemon.driver, 'scheduler_drivr = "x"\n')
        else:
            self.daemon.install_bad_driver("crashing_create" if "crashes" in kind else "hanging_create")
        status, words = self.daemon.restart(*(["--restart-timeout", "1"] if "hangs" in kind else []))
        self.daemon.configure(self.daemon.driver)
        if status != 1 or self.daemon.pid != before or FAILING[kind] not in words:
            self.complaints.append(f"{kind}: expected exit status 1 and the reason, found {status}: {words}")

    def begin_restart(self):
        subprocess.run([self.daemon.programs / "gantry", "--url", f"unix://{self.daemon.socket}", "restart"],
                       capture_output=True, check=False)
        successor = self.daemon.successor(2)
        time.sleep(self.chance.uniform(0, self.asked.longest))
        return successor

    def killing_new(self):
        successor = self.begin_restart()
        if successor:
            self.kill(successor)
        self.daemon.start_unless_served(0.5)

    def killing_old(self):
        old = self.daemon.pid
        self.begin_restart()
        self.kill(old)
        self.daemon.start_unless_served(1.0)

    def kill(self, process):
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def is_excused(self, when, took=0.0):
        """A process that is killed while it serves cuts its connections. Their requests are sent again, and count as neither lost
        nor refused. The kill of a new process that does not serve yet excuses nothing."""
        return any(begin <= when + took and when <= end for begin, end in self.cuts)

    def stalls(self, clients, kinds):
        """Of each restart the longest wait of a request that was under way, apart from those that a kill nearby excuses."""
        longest = [0.0] * len(self.windows)
        windows = sorted((begin, end, place) for place, (begin, end, _) in enumerate(self.windows))
        for client in clients:
            at = 0
            for sent, took in client.answers:
                while at < len(windows) and windows[at][1] < sent:
                    at += 1
                for begin, _, place in windows[at:at + 2]:
                    if begin <= sent + took and took > longest[place] and not self.is_excused(sent, took):
                        longest[place] = took
        return sorted(wait for wait, (_, _, kind) in zip(longest, self.windows) if kind in kinds)

    def claims(self):
        found = {}
        for claim in self.daemon.ask("POST", "/v1/list_claims", {"args": {"limit": 10000}}).json["result"]:
            found.setdefault(claim["consumer"], []).append(claim["host"])
        return found


def share(sorted_values, part):
    return sorted_values[min(len(sorted_values) - 1, int(part * len(sorted_values)))] * 1000 if sorted_values else 0.0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs")
    parser.add_argument("drivers")
    parser.add_argument("bad_drivers")
    parser.add_argument("--restarts", type=int, default=1000)
    parser.add_argument("--requests", type=int, default=1_000_000)
    parser.add_argument("--hosts", type=int, default=20)
    parser.add_argument("--minutes", type=float, default=1e9, help="no restart begins after these")
    parser.add_argument("--longest", type=float, default=0.2, help="from a restart to a kill, at most, in seconds")
    parser.add_argument("--most-stall", type=float, default=10.0, help="seconds")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 31))
    asked = parser.parse_args()
    run = Run(asked)
    run.prepare()
    chance = run.chance
    clients = [Client(str(run.daemon.socket), chance.randrange(1 << 31)),
               Client(("127.0.0.1", run.port), chance.randrange(1 << 31)),
               Client(str(run.daemon.socket), chance.randrange(1 << 31), rate=100),
               Client(("127.0.0.1", run.port), chance.randrange(1 << 31), rate=100)]
    for client in clients:
        client.start()
    kinds = [KINDS[turn % len(KINDS)] for turn in range(asked.restarts)]
    chance.shuffle(kinds)
    answered = lambda: sum(len(client.answers) for client in clients)  # noqa: E731
    end = time.monotonic() + 60 * asked.minutes
    for turn, kind in enumerate(kinds):
        if time.monotonic() > end:
            break
        run.restart(kind)
        run.beat()
        while answered() < asked.requests * (turn + 1) / asked.restarts and time.monotonic() < end:
            time.sleep(0.01)
            if int(time.monotonic() * 50) % 500 == 0:
                run.beat()
    for client in clients:
        client.ends = True
    for client in clients:
        client.join(40)
    run.complaints += ["a request has no answer within 40 s" for client in clients if client.is_alive()]

    held = run.claims()
    claimed = {instance: host for client in clients for instance, host in client.claimed.items()}
    lost = [each for each, host in claimed.items() if host not in held.get(each, [])]
    doubled = [each for each in claimed if len(held.get(each, [])) > 1]
    broken = [why for client in clients for when, why in client.broken if not run.is_excused(when)]
    refused = [why for client in clients for _, why in client.refused] + broken
    wrong = [why for client in clients for why in client.wrong]
    calm = run.stalls(clients, [kind for kind in KINDS if not kind.startswith("kill")])
    takeovers = run.stalls(clients, ["same version", "new driver"])
    requests = answered()
    stalled = sum(took > 0.1 and not run.is_excused(sent, took) for client in clients for sent, took in client.answers)
    for what, value in [("seed", asked.seed), *run.counts.items(), ("restarts", len(run.windows)),
                        ("started anew after a kill", run.daemon.starts), ("requests answered", requests),
                        ("kills of a process that may have served", len(run.cuts)),
                        ("requests sent again after one of these", sum(client.sent_again for client in clients)),
                        ("claims answered", len(claimed)), ("lost", len(lost)), ("refused", len(refused)),
                        ("doubled", len(doubled)), ("wrong", len(wrong)),
                        ("stalled over 100 ms", stalled),
                        ("restarts with a wait over 100 ms, without kills", sum(wait > 0.1 for wait in calm)),
                        ("longest wait of a take-over, p50, ms", f"{share(takeovers, 0.5):.1f}"),
                        ("longest wait of a take-over, p99, ms", f"{share(takeovers, 0.99):.1f}"),
                        ("longest wait of a take-over, p99.9, ms", f"{share(takeovers, 0.999):.1f}"),
                        ("longest wait of a failed restart, most, ms",
                         f"{share(run.stalls(clients, list(FAILING)), 1):.1f}"),
                        ("a request lost, at most, at 95 %", f"{3 / max(1, requests):.1e}")]:
        print(f"{what:<52}{value:>12}")
    for complaint in run.complaints + refused[:5] + wrong[:5]:
        print(complaint)
    found = lost or refused or doubled or wrong or run.complaints or (calm and calm[-1] > asked.most_stall)
    if found:
        print(run.daemon.log()[-6000:])
    run.daemon.end()
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
