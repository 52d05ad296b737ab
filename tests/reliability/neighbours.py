# SPDX-License-Identifier: Apache-2.0
"""Isolated drivers that go wrong beside a healthy one under load. The healthy driver decides over many hosts at a fixed rate,
alone and beside a driver that crashes, hangs, eats memory, hands over wrong results, sends wrong messages or never ends its work on
every 100th call. Prints a table, times in ms, percentiles of the turn in the middle. Exit status 1 if a request of the healthy
driver failed, if the bad driver failed without a cause, or if it could not be had back by `gantry reload`; with --most-times, also
if the healthy driver's p99 is more than so many times that of alone.

    neighbours.py PROGRAM_DIRECTORY DRIVER_DIRECTORY BAD_DRIVER [--seconds N] [--hosts N] [--rate N] [--most-times X]
"""

import argparse
import json
import multiprocessing
import pathlib
import shutil
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "api"))
from running_daemon import RunningDaemon, UnixConnection  # noqa: E402

FAULTS = ["none", "crash", "hang", "eat", "results", "messages", "spin"]
# A call that never ends takes a processor until its deadline. Who has two notices that.
NOT_BOUNDED = ["spin"]
# A part of the error that each fault has to leave behind.
CAUSES = {"crash": "SIGABRT", "hang": "deadline", "spin": "deadline", "eat": "SIGABRT", "results": "bad_neighbour", "messages": "was ended, for it sent"}
HEALTHY_CALL = ("select_destinations",
                {"request_spec": {"num_instances": 1, "flavor": {"name": "any", "vcpus": 1, "memory_mb": 64, "root_gb": 1}}})
BAD_CALL = ("schedule", {"topic": "risky", "schedule_method": "ask", "kwargs": {}})


def configuration(fault, every):
    return (f'scheduler_driver = ["filter", "bad_neighbour"]\nlog.level = "warning"\ndecisions.keep = 0\n'
            "scheduling.call_timeout = 1\nscheduling.service_down_time = 86400\n"
            '[driver.filter]\nisolation = "process"\n'
            '[driver.bad_neighbour]\nisolation = "process"\nmemory_limit = 256\n'
            f'fault = "{fault}"\nevery = {every}\n')


def ask_steadily(path, call, rate, seconds, results):
    """Asks at a fixed rate. Puts (seconds until each answer, counted from when it was due; the errors) into results."""
    method, args = call
    body = json.dumps({"args": args})
    connection = UnixConnection(path)
    times, errors = [], []
    due = time.monotonic() + 0.01
    end = due + seconds
    while due < end:
        time.sleep(max(0.0, due - time.monotonic()))
        try:
            connection.request("POST", f"/v1/{method}", body=body, headers={"Content-Type": "application/json"})
            answer = connection.getresponse()
            text = answer.read().decode()
            if answer.status != 200:
                errors.append(text)
        except OSError as fault:
            errors.append(repr(fault))
            connection.close()
        times.append(time.monotonic() - due)
        due += 1 / rate
    results.put((times, errors))


class Load(multiprocessing.Process):
    def __init__(self, *asked):
        self.results = multiprocessing.Queue()
        super().__init__(target=ask_steadily, args=(*asked, self.results), daemon=True)
        self.start()

    def outcome(self):
        found = self.results.get()
        self.join()
        return found


class Run:
    def __init__(self, asked):
        self.asked = asked
        with tempfile.TemporaryDirectory(dir=pathlib.Path(asked.programs)) as folder:
            for driver in (pathlib.Path(asked.drivers) / "filter.so", pathlib.Path(asked.bad_driver)):
                shutil.copyfile(driver, pathlib.Path(folder) / driver.name)
            self.daemon = RunningDaemon(asked.programs, folder, configuration("none", asked.every))
        self.complaints = []

    def prepare(self):
        stats = {"vcpus": 64, "memory_mb": 262144, "local_gb": 4000, "vcpus_used": 0, "memory_mb_used": 0, "local_gb_used": 0}
        for number in range(self.asked.hosts):
            for method, args in (("service_register", {"topic": "compute", "host": f"c{number}"}),
                                 ("update_resource_stats", {"name": f"c{number}", "stats": stats})):
                self.call(method, args)
        self.call("service_register", {"topic": "risky", "host": "r0"})

    def call(self, method, args):
        answer = self.daemon.ask("POST", f"/v1/{method}", {"args": args})
        if answer.status != 200:
            raise RuntimeError(f"{method}: {answer.text}")
        return answer.json["result"]

    def process_of(self, driver):
        return next(each["process"] for each in self.call("status", {})["drivers"] if each["id"] == driver)

    def use(self, fault):
        """The fault in the configuration, and a new process of the bad driver."""
        path = self.daemon.directory / "gantry.toml"
        head = path.read_text().split("scheduler_driver")[0]
        path.write_text(head + configuration(fault, self.asked.every))
        self.daemon.gantry("reload")

    def healthy_load(self, seconds):
        return [Load(self.daemon.socket, HEALTHY_CALL, self.asked.rate, seconds) for _ in range(2)]

    def window(self, row, seconds, has_neighbour):
        """The healthy driver under load for a while, alone or not."""
        healthy = self.healthy_load(seconds)
        bad = [Load(self.daemon.socket, BAD_CALL, self.asked.rate, seconds) for _ in range(2)] if has_neighbour else []
        times = []
        for load in healthy:
            took, errors = load.outcome()
            times += took
            row["errors"] += errors
        row["beside" if has_neighbour else "alone"].append(sorted(times))
        for load in bad:
            took, errors = load.outcome()
            row["bad_calls"] += len(took)
            row["bad_errors"] += errors

    def measure(self, fault):
        """One row of the table. Alone and beside take turns, so that what else the machine does meets both.
        row["alone"], row["beside"]: the times of each turn, sorted."""
        self.use(fault)
        row = {"fault": fault, "alone": [], "beside": [], "errors": [], "bad_calls": 0, "bad_errors": []}
        turns = max(1, round(self.asked.seconds / 3))
        for _ in range(turns):
            for has_neighbour in (False, True):
                self.window(row, self.asked.seconds / turns, has_neighbour)
        row["process"] = self.process_of("bad_neighbour")
        self.judge(fault, row)
        return row

    def judge(self, fault, row):
        cause = CAUSES.get(fault)
        if cause is None:
            self.complaints += [f"a sound neighbour failed: {error}" for error in row["bad_errors"][:1]]
        elif not any(cause in error for error in row["bad_errors"]):
            self.complaints.append(f"{fault}: expected an error with '{cause}', found {row['bad_errors'][:3]}")
        if row["process"]["state"] == "ready":
            self.use("none")  # a reload that changes nothing keeps a process, whose next call may be one that goes wrong
        else:
            self.daemon.gantry("reload")
        answer = self.daemon.ask("POST", "/v1/schedule", {"args": BAD_CALL[1]})
        if answer.status != 200:
            self.complaints.append(f"{fault}: not back after a reload: {answer.text}")


def share(turns, part):
    """Of the turn in the middle: what else happens on the machine in a few turns does not count."""
    return 1e3 * statistics.median(times[min(len(times) - 1, int(part * len(times)))] for times in turns)


def most(turns):
    return 1e3 * max(times[-1] for times in turns)


def times_of_alone(row):
    return share(row["beside"], 0.99) / share(row["alone"], 0.99)


def print_table(rows):
    print(f"{'the other':<11}{'calls':>7}{'failed':>8}{'ends':>6}  {'then':<9}|{'healthy':>8}{'failed':>8}"
          f"  {'alone: p50':>10}{'p99':>8}{'most':>8}  {'beside: p50':>11}{'p99':>8}{'most ms':>9}{'p99 times':>11}")
    for row in rows:
        process = row["process"]
        print(f"{row['fault']:<11}{row['bad_calls']:>7}{len(row['bad_errors']):>8}{process['ends']:>6}  {process['state']:<9}|"
              f"{sum(map(len, row['alone'] + row['beside'])):>8}{len(row['errors']):>8}  "
              f"{share(row['alone'], 0.5):>10.2f}{share(row['alone'], 0.99):>8.2f}{most(row['alone']):>8.2f}  "
              f"{share(row['beside'], 0.5):>11.2f}{share(row['beside'], 0.99):>8.2f}{most(row['beside']):>9.2f}"
              f"{times_of_alone(row):>11.2f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs")
    parser.add_argument("drivers")
    parser.add_argument("bad_driver")
    parser.add_argument("--seconds", type=float, default=30, help="of each row, alone and beside")
    parser.add_argument("--hosts", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=150, help="requests a second of each of two clients of either driver")
    parser.add_argument("--every", type=int, default=100, help="of so many calls one goes wrong")
    parser.add_argument("--most-times", type=float, help="the p99 of alone")
    asked = parser.parse_args()
    run = Run(asked)
    run.prepare()
    for load in run.healthy_load(0.5):  # the first requests of a process pay for what it has not touched yet
        load.outcome()
    rows = [run.measure(fault) for fault in FAULTS]
    print_table(rows)
    for row in rows:
        run.complaints += [f"{row['fault']}: a healthy request failed: {error}" for error in row["errors"][:2]]
        if asked.most_times and row["fault"] not in NOT_BOUNDED and times_of_alone(row) > asked.most_times:
            run.complaints.append(f"{row['fault']}: beside it the p99 is more than {asked.most_times} times that of alone")
    healthy_ends = run.process_of("filter")["ends"]
    if healthy_ends:
        run.complaints.append(f"the healthy driver's process has ended {healthy_ends} times")
    for complaint in run.complaints:
        print(complaint)
    if run.complaints:
        log = (run.daemon.directory / "gantryd.log").read_text(errors="replace").splitlines()
        print("\n".join(line for line in log if "not scheduled" not in line)[-4000:])
    run.daemon.stop()
    return 1 if run.complaints else 0


if __name__ == "__main__":
    sys.exit(main())
