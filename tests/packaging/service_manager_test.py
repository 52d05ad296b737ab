#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gantryd with a service manager that this test plays: what it is given, and what it tells. systemd_test.py has a real one.

    service_manager_test.py PROGRAMS DRIVERS UNITS PACKAGING
"""

import ctypes
import fcntl
import os
import re
import signal
import socket
import subprocess
import sys
import unittest

from scratch_daemon import ScratchDaemon, until

PROGRAMS, DRIVERS, UNITS, PACKAGING = sys.argv[1:5]


class PlayedSystemd(unittest.TestCase):
    """gantryd is started as systemd starts it, and hears what gantryd tells."""

    def setUp(self):
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER: a successor becomes this program's child
        self.daemon = ScratchDaemon(PROGRAMS, DRIVERS)
        self.addCleanup(self.daemon.remove)
        self.heard = []
        self.ears = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(self.ears.close)
        self.ears.bind(str(self.daemon.directory / "notify"))
        self.ears.setblocking(False)

    def hear(self, words):
        """Whether these words have come, or come within some seconds."""
        def look():
            try:
                while True:
                    self.heard.append(self.ears.recv(4096).decode())
            except BlockingIOError:
                return any(words in message for message in self.heard)
        return until(look)

    def start(self, listening=(), **settings):
        """With these sockets from descriptor 3 on, which $LISTEN_FDS tells."""
        words = [f"{PROGRAMS}/gantryd"]
        values = {"store.path": self.daemon.store, "server.socket": self.daemon.socket, "log.file": self.daemon.directory / "log",
                  "driver_directories": f'["{self.daemon.directory / "drivers"}"]', **settings}
        for name, value in values.items():
            words += ["--set", f"{name}={value}"]
        environment = dict(os.environ, NOTIFY_SOCKET=str(self.daemon.directory / "notify"), WATCHDOG_USEC="2000000",
                           LISTEN_FDS=str(len(listening)))
        copies = [fcntl.fcntl(each.fileno(), fcntl.F_DUPFD, 100) for each in listening]
        moves = " ".join(f"{3 + place}<&{copy}" for place, copy in enumerate(copies))
        running = subprocess.Popen(["bash", "-c", f'LISTEN_PID=$$ WATCHDOG_PID=$$ exec "$@" {moves}', "bash", *map(str, words)],
                                   env=environment, pass_fds=copies, stderr=subprocess.PIPE, text=True)
        for copy in copies:
            os.close(copy)
        self.addCleanup(running.communicate)
        self.addCleanup(running.kill)
        return running

    def listening_socket(self, name):
        made = socket.socket(socket.AF_UNIX)
        self.addCleanup(made.close)
        made.bind(str(self.daemon.directory / name))
        made.listen(64)
        return made

    def gantry(self, *words):
        return subprocess.run([f"{PROGRAMS}/gantry", "--url", str(self.daemon.socket), *words], capture_output=True, text=True,
                              check=False)

    def test_hears_of_readiness_life_and_a_reload(self):
        running = self.start()
        self.assertTrue(self.hear("READY=1\nSTATUS=serving on"), self.heard)
        self.assertTrue(self.hear("WATCHDOG=1"), self.heard)
        self.heard.clear()
        self.assertTrue(self.hear("WATCHDOG=1"), self.heard)
        self.heard.clear()
        running.send_signal(signal.SIGHUP)
        self.assertTrue(self.hear("RELOADING=1\nMONOTONIC_USEC="), self.heard)
        self.assertTrue(self.hear("READY=1"), self.heard)
        running.terminate()
        self.assertEqual(running.wait(30), 0)
        self.assertTrue(self.hear("STOPPING=1"), self.heard)

    def test_hears_the_steps_of_a_restart_and_who_serves_after_it(self):
        made = self.listening_socket("gantry.sock")
        running = self.start([made])
        self.assertTrue(self.hear("READY=1"), self.heard)
        self.heard.clear()
        restarted = self.gantry("restart", "--wait")
        self.assertEqual(restarted.returncode, 0, restarted.stderr)
        self.assertEqual(running.wait(30), 0)
        told = self.heard if self.hear("WATCHDOG=1") else self.heard
        main = [re.search(r"MAINPID=(\d+)", message) for message in told]
        successor = int(next(found[1] for found in main if found))
        steps = [message for message in told if message.startswith("STATUS=restarting: ")]
        self.assertGreaterEqual(len(steps), 3, told)
        # The process of before says who is the main process before that one says that it is ready.
        ready = [place for place, message in enumerate(told) if "READY=1" in message]
        self.assertGreater(ready[-1], next(place for place, found in enumerate(main) if found))
        os.kill(successor, signal.SIGTERM)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(successor, 0)[1]), 0)
        self.assertTrue(self.daemon.socket.exists(), "the file of the socket is the service manager's")

    def test_hears_why_a_restart_has_failed(self):
        running = self.start(scheduler_driver='["simple"]')
        self.assertTrue(self.hear("READY=1"), self.heard)
        (self.daemon.directory / "drivers" / "simple.so").write_text("no driver")
        restarted = self.gantry("restart", "--wait")
        self.assertEqual(restarted.returncode, 1)
        self.assertIn("simple.so", restarted.stderr)
        self.assertTrue(self.hear("the last restart has failed: "), self.heard)
        self.assertIsNone(running.poll())

    def test_gives_its_socket_to_clients_that_came_before_the_daemon(self):
        made = self.listening_socket("gantry.sock")
        early = socket.socket(socket.AF_UNIX)
        self.addCleanup(early.close)
        early.connect(str(self.daemon.socket))
        early.sendall(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
        running = self.start([made])
        early.settimeout(20)
        self.assertIn(b"200", early.recv(4096))
        running.terminate()
        self.assertEqual(running.wait(30), 0)
        self.assertTrue(self.daemon.socket.exists())

    def test_gives_a_socket_that_the_configuration_does_not_name(self):
        running = self.start([self.listening_socket("other.sock")])
        self.assertEqual(running.wait(30), 78)
        words = running.stderr.read()
        self.assertIn("socket of the service manager: expected one that server.socket", words)
        self.assertIn("other.sock", words)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
