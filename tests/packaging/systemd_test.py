#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gantryd and its units, installed on a machine that a real systemd has booted. Exit status 77, with the reason, where there
can be no such machine.

    systemd_test.py BUILD_DIRECTORY
"""

import contextlib
import json
import pathlib
import re
import shutil
import signal
import socket
import sys
import time
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path += [str(TESTS / "api"), str(TESTS / "reliability")]
from booted_machine import BootedMachine, CannotBoot  # noqa: E402
from restart_clients import Client  # noqa: E402
from running_daemon import UnixConnection  # noqa: E402
from scratch_daemon import ready, until  # noqa: E402

BUILD = pathlib.Path(sys.argv[1])
SOCKET = "/run/gantry/gantry.sock"
STATS = {"vcpus": 100000, "memory_mb": 1 << 30, "local_gb": 1 << 20, "vcpus_used": 0, "memory_mb_used": 0, "local_gb_used": 0}


class Load:
    """Two clients that ask all the time, one of them with a new connection for each request."""

    def __init__(self, address):
        self.clients = [Client(str(address), 1), Client(str(address), 2, rate=200)]

    def __enter__(self):
        for client in self.clients:
            client.start()
        return self

    def __exit__(self, *_):
        for client in self.clients:
            client.ends = True
        for client in self.clients:
            client.join(40)
            client.connection.close()

    def answered(self):
        return sum(len(client.answers) for client in self.clients)

    def faults(self):
        return [fault for client in self.clients for fault in (*client.refused, *client.broken, *client.wrong)]


class UnderSystemd(unittest.TestCase):
    machine = None

    def __str__(self):
        return self._testMethodName.removeprefix("test_").replace("_", " ")

    def setUp(self):
        self.configure("")
        self.machine.run("systemctl", "reset-failed", "gantryd.service")
        self.run_well("systemctl", "start", "gantryd.socket")
        self.run_well("systemctl", "restart", "gantryd.service")

    def run_well(self, *words):
        ran = self.machine.run(*words)
        self.assertEqual(ran.returncode, 0, f"{words}: {ran.stdout}{ran.stderr}")
        return ran.stdout

    def gantry(self, *words):
        return self.machine.run("gantry", *words)

    def configure(self, more, driver="simple"):
        directory = self.machine.path("/etc/gantry")
        directory.mkdir(exist_ok=True)
        (directory / "gantry.toml").write_text(f'scheduler_driver = "{driver}"\n{more}')

    def add_host(self):
        for method, args in (("service_register", {"topic": "compute", "host": "one"}),
                             ("update_resource_stats", {"name": "one", "stats": STATS})):
            with contextlib.closing(UnixConnection(self.socket())) as connection:
                connection.request("POST", f"/v1/{method}", body=json.dumps({"args": args}),
                                   headers={"Content-Type": "application/json"})
                self.assertEqual(connection.getresponse().status, 200)

    def service(self, *properties):
        return self.machine.shown("gantryd.service", *properties)

    def expect(self, **properties):
        """What the service comes to be, as systemd tells it, which hears of it a moment after a client."""
        self.assertTrue(until(lambda: self.service(*properties) == properties), self.service(*properties))

    def main_process(self):
        return int(self.service("MainPID")["MainPID"])

    def restart(self):
        """By gantry restart, which has to succeed, until systemd knows the new process."""
        self.run_well("gantry", "restart", "--wait")
        serving = json.loads(self.run_well("gantry", "-o", "json", "status"))["pid"]
        self.expect(MainPID=str(serving), StatusText=f"serving on {SOCKET}")

    def socket(self):
        return self.machine.path(SOCKET)

    def kill(self, number):
        self.run_well("kill", f"-{signal.Signals(number).name[3:]}", str(self.main_process()))

    def expect_another(self, before, seconds=20):
        """systemd has started another process, and it serves."""
        self.assertTrue(until(lambda: self.main_process() not in (0, before) and
                              self.service("SubState")["SubState"] == "running", seconds), self.machine.journal("gantryd"))
        self.assertTrue(ready(self.socket()))

    def test_a_request_starts_the_service_and_waits_for_it(self):
        self.run_well("systemctl", "stop", "gantryd.service")
        self.assertEqual(self.service("ActiveState")["ActiveState"], "inactive")
        self.assertTrue(ready(self.socket()))
        self.expect(ActiveState="active", StatusText=f"serving on {SOCKET}")

    def test_the_process_is_confined_as_the_unit_says(self):
        status = self.machine.path(f"/proc/{self.main_process()}/status").read_text()
        self.assertRegex(status, r"(?m)^NoNewPrivs:\s+1$")
        self.assertRegex(status, r"(?m)^Seccomp:\s+2$")
        self.assertRegex(status, r"(?m)^CapEff:\s+0{16}$")
        self.assertNotRegex(status, r"(?m)^Uid:\s+0\b")
        self.assertEqual(self.machine.path("/var/lib/gantry").stat().st_mode & 0o777, 0o700)
        self.assertEqual(self.machine.path("/var/lib/gantry/gantry.db").stat().st_mode & 0o777, 0o600)

    def test_a_restart_under_load_loses_nothing_and_systemd_follows(self):
        self.add_host()
        before = self.main_process()
        restarts = self.service("NRestarts")
        with Load(self.socket()) as load:
            for _ in range(3):
                self.restart()
            asked = load.answered()
            self.assertTrue(until(lambda: load.answered() > asked + 100))
        self.assertEqual(load.faults()[:3], [])
        self.assertNotEqual(self.main_process(), before)
        self.expect(ActiveState="active", SubState="running", **restarts)
        status = self.run_well("systemctl", "status", "gantryd.service")
        self.assertRegex(status, rf"Main PID: {self.main_process()} \(gantryd\)")

    def test_after_a_restart_systemd_starts_a_process_that_was_killed_again(self):
        self.restart()
        before = self.main_process()
        self.kill(signal.SIGKILL)
        self.expect_another(before)

    def test_a_failed_swap_leaves_the_old_process_and_says_why(self):
        bad = self.machine.path(f"{self.installed_drivers()}/zoo.so")
        shutil.copyfile(BUILD / "lib/zoo/crashing_create.so", bad)
        bad.chmod(0o644)
        self.addCleanup(bad.unlink)
        self.add_host()
        self.configure("", driver="zoo")
        before = self.main_process()
        with Load(self.socket()) as load:
            failed = self.gantry("restart", "--wait")
            asked = load.answered()
            self.assertTrue(until(lambda: load.answered() > asked + 100))
        self.assertEqual(failed.returncode, 1, failed.stderr)
        self.assertIn("a crash by SIG", failed.stderr)
        self.assertEqual(load.faults()[:3], [])
        self.assertEqual(self.main_process(), before)
        self.assertTrue(until(lambda: "the last restart has failed: " in self.service("StatusText")["StatusText"]))
        self.configure("")
        self.restart()

    def installed_drivers(self):
        found = self.gantry("config", "show", "-o", "json")
        return re.search(r'/[^"\\]*lib/[^"\\]*gantry/drivers', found.stdout + found.stderr)[0]

    def test_a_reload_applies_what_changed_and_keeps_the_process(self):
        before = self.main_process()
        self.configure('log.level = "debug"\n')
        self.run_well("systemctl", "reload", "gantryd.service")
        self.assertTrue(until(lambda: "debug" in self.gantry("log-level").stdout))
        self.configure("scheduling.call_timeuot = 3\n")
        self.machine.run("systemctl", "reload", "gantryd.service")
        self.assertTrue(until(lambda: "did you mean 'scheduling.call_timeout'?" in self.machine.journal("gantryd.service")))
        self.assertEqual(self.main_process(), before)
        self.expect(ActiveState="active", SubState="running")
        self.assertTrue(ready(self.socket()))

    def test_a_process_that_hangs_is_ended_by_the_watchdog_and_clients_wait(self):
        self.drop_in("watchdog", "[Service]\nWatchdogSec=1\n")
        self.run_well("systemctl", "restart", "gantryd.service")
        before = self.main_process()
        self.kill(signal.SIGSTOP)
        with socket.socket(socket.AF_UNIX) as waiting:
            waiting.settimeout(20)
            waiting.connect(str(self.socket()))
            waiting.sendall(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
            self.assertIn(b" 200 ", waiting.recv(4096))
        self.expect_another(before)
        self.assertIn("Watchdog timeout", self.machine.run("journalctl", "--no-pager", "_PID=1").stdout)

    def drop_in(self, name, text):
        directory = self.machine.path("/etc/systemd/system/gantryd.service.d")
        directory.mkdir(exist_ok=True)
        (directory / f"{name}.conf").write_text(text)
        self.addCleanup(self.run_well, "systemctl", "daemon-reload")
        self.addCleanup((directory / f"{name}.conf").unlink)
        self.run_well("systemctl", "daemon-reload")

    def test_a_configuration_that_is_refused_is_not_tried_again(self):
        self.configure("server.sokket = 1\n")
        self.assertNotEqual(self.machine.run("systemctl", "restart", "gantryd.service").returncode, 0)
        self.assertTrue(until(lambda: self.service("ActiveState")["ActiveState"] == "failed"))
        time.sleep(0.5)  # longer than RestartSec= of this machine
        self.assertEqual(self.service("ActiveState", "ExecMainStatus"), {"ActiveState": "failed", "ExecMainStatus": "78"})

    def test_a_driver_in_a_process_of_its_own_decides_under_the_unit(self):
        self.configure('[driver.simple]\nisolation = "process"\nmemory_limit = 256\n')
        self.run_well("systemctl", "restart", "gantryd.service")
        self.add_host()
        chosen = self.gantry("select", "--vcpus", "1", "--memory-mb", "64")
        self.assertEqual(chosen.returncode, 0, chosen.stderr)
        self.restart()
        self.assertEqual(self.gantry("select", "--vcpus", "1", "--memory-mb", "64").returncode, 0)

    def test_a_backup_by_root_is_restored_while_socket_and_service_are_stopped(self):
        directory = self.machine.path("/srv/backups")
        directory.mkdir()
        self.addCleanup(shutil.rmtree, directory)
        self.run_well("gantry", "aggregate", "create", "before")
        self.run_well("gantry", "backup", "/srv/backups/one")
        self.run_well("gantry", "aggregate", "create", "since")
        self.run_well("systemctl", "stop", "gantryd.socket", "gantryd.service")
        self.run_well("gantry", "restore", "/srv/backups/one")
        self.run_well("systemctl", "start", "gantryd.socket", "gantryd.service")
        names = [each["name"] for each in json.loads(self.run_well("gantry", "-o", "json", "aggregate", "list"))]
        self.assertEqual(names, ["before"])

    def test_a_stop_ends_well_and_leaves_the_socket_to_systemd(self):
        self.run_well("systemctl", "stop", "gantryd.service")
        self.assertEqual(self.service("ActiveState", "Result", "ExecMainStatus"),
                         {"ActiveState": "inactive", "Result": "success", "ExecMainStatus": "0"})
        self.assertEqual(self.machine.shown("gantryd.socket", "SubState"), {"SubState": "listening"})
        self.run_well("systemctl", "stop", "gantryd.socket")
        self.run_well("systemctl", "start", "gantryd.service")
        self.assertTrue(ready(self.socket()))
        self.run_well("systemctl", "stop", "gantryd.service")
        self.assertFalse(self.socket().exists())


def main():
    try:
        machine = BootedMachine(BUILD)
    except CannotBoot as reason:
        print(f"skipped: {reason}")
        return 77
    UnderSystemd.machine = machine
    try:
        print(machine.run("systemctl", "--version").stdout.splitlines()[0])
        tests = unittest.defaultTestLoader.loadTestsFromTestCase(UnderSystemd)
        ran = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(tests)
    finally:
        machine.end()
    return 0 if ran.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
