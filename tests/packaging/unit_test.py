#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gantryd under the restrictions of its unit, as far as a container allows, with logrotate's file. The exit statuses
that the unit starts it again after, and how exposed systemd finds the unit.

    unit_test.py PROGRAMS DRIVERS UNITS PACKAGING
"""

import ctypes
import fcntl
import os
import pathlib
import re
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import unittest

from scratch_daemon import ScratchDaemon, ready, until

PROGRAMS, DRIVERS, UNITS, PACKAGING = sys.argv[1:5]

USER = 64123  # the gantry of the namespace
LOG = "/var/log/gantry/gantryd.log"
SETTINGS = ["--set", f"log.file={LOG}", "--set", 'driver_directories=["/run/installed"]']


class Unit:
    """The settings of the unit, the last of each name. SystemCallFilter= is left to systemd."""

    def __init__(self, path):
        lines = [line for line in path.read_text().splitlines() if re.match(r"\w+=", line)]
        self.settings = dict(line.split("=", 1) for line in lines)

    def get(self, name):
        return self.settings.get(name, "")

    def directories(self):
        """Path -> mode of the directories that systemd makes for the service."""
        made = {}
        for kind, base in (("Runtime", "/run"), ("State", "/var/lib"), ("Logs", "/var/log")):
            if name := self.get(f"{kind}Directory"):
                made[f"{base}/{name}"] = int(self.get(f"{kind}DirectoryMode") or "0755", 8)
        return made

    def prevented(self):
        return {int(word) for word in self.get("RestartPreventExitStatus").split()}


UNIT = Unit(pathlib.Path(UNITS) / "gantryd.service")


def mount(*words):
    subprocess.run(["mount", *map(str, words)], check=True)


def prctl(*arguments):
    library = ctypes.CDLL(None, use_errno=True)
    return library.prctl(*(ctypes.c_ulong(argument) for argument in arguments), *[ctypes.c_ulong(0)] * 3) == 0


def enter_unit(scratch):
    """Makes this process, in a mount namespace of its own, what systemd makes of it before it runs gantryd."""
    for base in {str(pathlib.Path(path).parent) for path in UNIT.directories()}:
        mount("-t", "tmpfs", "-o", "mode=0755", "tmpfs", base)
    pathlib.Path("/run/installed").mkdir()
    for file in [*pathlib.Path(DRIVERS).glob("*.so"), pathlib.Path(PROGRAMS) / "gantryd"]:
        shutil.copy(file, "/run/installed")
    # As gantry.sysusers makes them.
    for name, more in (("passwd", f"gantry:x:{USER}:{USER}::/var/lib/gantry:/usr/sbin/nologin\n"),
                       ("group", f"gantry:x:{USER}:\n")):
        (scratch / name).write_text(pathlib.Path("/etc", name).read_text() + more)
        mount("--bind", scratch / name, f"/etc/{name}")
    for path, mode in UNIT.directories().items():
        kept = scratch / path.replace("/", "-")
        kept.mkdir(exist_ok=True)
        kept.chmod(mode)
        os.chown(kept, USER, USER)
        pathlib.Path(path).mkdir()
        mount("--bind", kept, path)
    if UNIT.get("ProtectSystem") == "strict":
        keep = {*UNIT.directories()}
        for line in pathlib.Path("/proc/self/mounts").read_text().splitlines():
            target = line.split()[1]
            if target not in keep and not target.startswith(("/proc", "/sys", "/dev")):
                subprocess.run(["mount", "-o", "remount,bind,ro", target], check=False, stderr=subprocess.DEVNULL)
    most = int(UNIT.get("LimitNOFILE"))
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, hard),) * 2 if hard != -1 else (most, most))
    os.umask(int(UNIT.get("UMask"), 8))
    os.setgroups([])
    os.setgid(USER)
    os.setuid(USER)
    if UNIT.get("NoNewPrivileges") == "yes":
        prctl(38, 1)  # PR_SET_NO_NEW_PRIVS
    if UNIT.get("MemoryDenyWriteExecute") == "yes" and not prctl(65, 1):  # PR_SET_MDWE, Linux 6.3
        print("this kernel has no PR_SET_MDWE: goes on without", file=sys.stderr)


def run_in_unit(scratch, words):
    """This program again, in a mount namespace of its own, as gantryd."""
    return subprocess.Popen(["unshare", "--mount", "--propagation", "private", sys.executable, "-B", __file__,
                             *sys.argv[1:5], "--in-unit", str(scratch), *words],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def has_namespaces():
    if os.geteuid() != 0:
        return False
    tried = subprocess.run(["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/run"], check=False,
                           capture_output=True)
    return tried.returncode == 0


@unittest.skipUnless(has_namespaces(), "needs root and mount namespaces")
class UnderTheUnit(unittest.TestCase):
    def setUp(self):
        self.daemon = ScratchDaemon(PROGRAMS, DRIVERS)
        self.addCleanup(self.daemon.remove)
        self.scratch = self.daemon.directory
        self.logs = self.scratch / "-var-log-gantry"

    def start(self):
        running = run_in_unit(self.scratch, SETTINGS)
        self.addCleanup(running.communicate)
        self.addCleanup(running.kill)
        socket = self.scratch / "-run-gantry" / "gantry.sock"
        self.assertTrue(until(lambda: ready(socket) or running.poll() is not None))
        self.assertIsNone(running.poll(), running.stderr.read() if running.poll() is not None else "")
        return running

    def text(self, name="gantryd.log"):
        return (self.logs / name).read_text()

    def in_namespace(self, running, words):
        """Runs words as root in the namespace; its systemctl sends the signal that the real one would send."""
        programs = self.scratch / "programs"
        programs.mkdir(exist_ok=True)
        (programs / "systemctl").write_text(
            '#!/bin/sh\n[ "$*" = "kill --signal=HUP --kill-whom=main gantryd.service" ] && '
            f"exec kill -HUP {running.pid}\nexit 5\n")
        (programs / "systemctl").chmod(0o755)
        return subprocess.run(["nsenter", "-t", str(running.pid), "--mount", "--", *words], text=True, check=True,
                              env=dict(os.environ, PATH=f"{programs}:{os.environ['PATH']}"), capture_output=True)

    def turn_over(self, running):
        """What logrotate does with the file; its own steps by hand where it is not installed."""
        rules = pathlib.Path(PACKAGING) / "systemd" / "gantry.logrotate"
        if logrotate := shutil.which("logrotate"):
            own = self.scratch / "logrotate.conf"
            shutil.copy(rules, own)
            self.in_namespace(running, [logrotate, "--force", "--state", "/run/gantry/logrotate.state", str(own)])
            return
        mode = re.search(r"^\s*create (\d+)$", rules.read_text(), re.MULTILINE)[1]
        script = re.search(r"postrotate\n(.*?)\n\s*endscript", rules.read_text(), re.DOTALL)[1]
        create = f"mv {LOG} {LOG}.1 && install -m {mode} -o {USER} -g {USER} /dev/null {LOG}"
        self.in_namespace(running, ["sh", "-ec", create])
        self.in_namespace(running, ["sh", "-c", script])

    def test_the_daemon_serves_with_its_log_file_and_the_log_is_turned_over(self):
        running = self.start()
        self.assertTrue(until(lambda: "INFO ready" in self.text()), self.text())
        self.assertIn("a new, empty store was made", self.text())
        self.assertEqual((self.logs / "gantryd.log").stat().st_mode & 0o027, 0)
        self.turn_over(running)
        self.assertTrue(until(lambda: "the log file is opened anew" in self.text()), self.text())
        self.assertIn("INFO ready", self.text("gantryd.log.1"))
        self.assertNotIn("INFO ready", self.text())
        self.assertEqual((self.logs / "gantryd.log").stat().st_uid, USER)
        running.terminate()
        self.assertEqual(running.wait(30), 0)

    def test_a_check_under_the_unit_says_the_same_as_the_start(self):
        valid = run_in_unit(self.scratch, [*SETTINGS, "--check-config"])
        said, words = valid.communicate(timeout=60)
        self.assertIn("the configuration is valid", said, words)
        self.assertEqual(valid.returncode, 0)
        for more in (["--check-config"], []):
            refused = run_in_unit(self.scratch, [*SETTINGS, "--set", "log.file=/var/log/elsewhere/gantryd.log", *more])
            words = refused.communicate(timeout=60)[1]
            self.assertEqual(refused.returncode, 78, words)
            self.assertIn("log file /var/log/elsewhere/gantryd.log: cannot be opened for writing", words)

    def test_a_check_by_root_judges_for_the_user_of_the_service(self):
        running = self.start()
        check = "/run/installed/gantryd --check-config --set 'driver_directories=[\"/run/installed\"]' --set log.file="
        self.assertIn("the configuration is valid", self.in_namespace(running, ["sh", "-c", check + LOG]).stdout)
        refused = self.in_namespace(
            running, ["sh", "-c", f"mount -t tmpfs -o mode=0755 tmpfs /srv; {check}/srv/gantryd.log; test $? = 78"])
        self.assertIn("/srv/gantryd.log: cannot be opened for writing (/srv: Permission denied)", refused.stderr)

    def test_a_check_by_another_user_says_what_it_cannot_judge(self):
        running = self.start()
        found = self.in_namespace(running, ["setpriv", "--reuid", "64999", "--regid", "64999", "--clear-groups",
                                            "/run/installed/gantryd", "--check-config", *SETTINGS])
        self.assertIn("the configuration is valid", found.stdout)
        self.assertIn("warning: log, store, socket, certificate and key are not judged", found.stderr)


class TheUnit(unittest.TestCase):
    @unittest.skipUnless(shutil.which("systemd-analyze"), "needs systemd-analyze")
    def test_leaves_an_exposure_of_1_5_at_most(self):
        judged = subprocess.run(["systemd-analyze", "security", "--offline=true", "--threshold=15", "--no-pager",
                                 str(pathlib.Path(UNITS) / "gantryd.service")], capture_output=True, text=True, check=False)
        self.assertEqual(judged.returncode, 0, judged.stdout + judged.stderr)


    def test_and_its_socket_are_what_systemd_understands(self):
        if not shutil.which("systemd-analyze"):
            self.skipTest("needs systemd-analyze")
        socket_unit = pathlib.Path(PACKAGING) / "systemd" / "gantryd.socket"
        lines = socket_unit.read_text().splitlines()
        self.assertIn("ListenStream=/run/gantry/gantry.sock", lines)
        with tempfile.TemporaryDirectory() as scratch:
            service = (pathlib.Path(UNITS) / "gantryd.service").read_text()
            present = re.sub(r"(?m)^ExecStart=.*", "ExecStart=/bin/true", service)
            (pathlib.Path(scratch) / "gantryd.service").write_text(present)
            shutil.copy(socket_unit, scratch)
            judged = subprocess.run(["systemd-analyze", "verify", "--man=no", f"{scratch}/gantryd.socket"],
                                    capture_output=True, text=True, check=False)
        self.assertNotIn("gantryd.", judged.stderr)


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


class RestartsOfTheUnit(unittest.TestCase):
    """What a second start would find again ends with a status that the unit does not restart after."""

    def setUp(self):
        self.daemon = ScratchDaemon(PROGRAMS, DRIVERS)
        self.addCleanup(self.daemon.remove)

    def expect_given_up(self, words, *more, **settings):
        status, found = self.daemon.status_of(*more, **settings)
        self.assertIn(words, found)
        self.assertIn(status, UNIT.prevented(), found)

    def make_store(self):
        self.assertEqual(self.daemon.stop(self.daemon.start()), 0)

    def test_a_store_of_a_newer_gantry(self):
        self.make_store()
        store = sqlite3.connect(self.daemon.store)
        store.execute("PRAGMA user_version = 99")
        store.close()
        self.expect_given_up("which a newer gantry made")

    def test_a_damaged_store(self):
        self.make_store()
        with open(self.daemon.store, "r+b") as store:
            store.seek(4096)
            store.write(b"\xff" * 8192)
        self.expect_given_up("damaged")

    def test_a_stored_document_that_cannot_be_read(self):
        self.make_store()
        store = sqlite3.connect(self.daemon.store)
        store.execute("INSERT INTO services VALUES ('compute/h1', 'no JSON')")
        store.commit()
        store.close()
        self.expect_given_up("stored service")

    def test_a_file_of_another_program(self):
        self.daemon.store.write_text("notes of somebody else" * 100)
        self.expect_given_up("not a Gantry store")
        self.daemon.store.unlink()
        store = sqlite3.connect(self.daemon.store)
        store.execute("CREATE TABLE theirs (x)")
        store.commit()
        store.close()
        self.expect_given_up("not a Gantry store")

    def test_a_file_or_directory_that_may_not_be_used(self):
        self.daemon.store.symlink_to("/nowhere")
        self.expect_given_up("symbolic link")
        self.daemon.store.unlink()
        self.daemon.directory.chmod(0o777)
        self.expect_given_up("only its owner may write")

    def test_a_wrong_command_line_and_a_refused_configuration(self):
        self.expect_given_up("found the word 'foo'", "foo")
        self.expect_given_up("unknown key", **{"server.sokket": "/x"})

    def test_another_gantryd_that_still_ends_is_waited_for(self):
        running = self.daemon.start()
        self.addCleanup(self.daemon.stop, running)
        for words, other in (("already used by process", {"server.socket": self.daemon.directory / "other.sock"}),
                             ("another process answers there", {"store.path": self.daemon.directory / "other.db"})):
            status, found = self.daemon.status_of(**other)
            self.assertIn(words, found)
            self.assertNotEqual(status, 0)
            self.assertNotIn(status, UNIT.prevented(), found)


if __name__ == "__main__":
    if "--in-unit" in sys.argv:
        at = sys.argv.index("--in-unit")
        enter_unit(pathlib.Path(sys.argv[at + 1]))
        os.execv("/run/installed/gantryd", ["gantryd", *sys.argv[at + 2:]])
    unittest.main(argv=sys.argv[:1])
