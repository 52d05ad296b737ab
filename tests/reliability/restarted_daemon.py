# SPDX-License-Identifier: Apache-2.0
"""A gantryd that is restarted by `gantry restart`, well and badly, and started again when it has been killed."""

import ctypes
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "api"))
from running_daemon import RunningDaemon  # noqa: E402

PR_SET_CHILD_SUBREAPER = 36
GOOD = ["chance", "simple"]


def children_of(process):
    try:
        tasks = pathlib.Path(f"/proc/{process}/task")
        return [int(child) for task in tasks.iterdir() for child in (task / "children").read_text().split()]
    except OSError:
        return []


class RestartedDaemon(RunningDaemon):
    """`bad_drivers`: a directory with crashing_create.so and hanging_create.so."""

    def __init__(self, programs, drivers, bad_drivers, configuration):
        # A successor outlives the process that started it, and becomes a child of this one.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self.more = configuration
        super().__init__(programs, drivers, f'scheduler_driver = "{GOOD[0]}"\n' + configuration)
        self.bad_drivers = pathlib.Path(bad_drivers)
        self.driver = GOOD[0]
        self.pid = self.process.pid
        self.starts = 0

    def configure(self, driver, more=""):
        text = (f'driver_directories = ["{self.directory}/drivers"]\nserver.socket = "{self.socket}"\n'
                f'store.path = "{self.directory}/gantry.db"\nscheduler_driver = "{driver}"\n{self.more}{more}')
        (self.directory / "gantry.toml.new").write_text(text)
        os.replace(self.directory / "gantry.toml.new", self.directory / "gantry.toml")

    def install_bad_driver(self, name):
        """Both are called zoo in their manifests."""
        shutil.copyfile(self.bad_drivers / f"{name}.so", self.directory / "drivers" / "zoo.so.new")
        os.replace(self.directory / "drivers" / "zoo.so.new", self.directory / "drivers" / "zoo.so")
        self.configure("zoo")

    def swap_driver(self):
        """The next driver, and its file anew, as an operator installs another version."""
        self.driver = GOOD[1 - GOOD.index(self.driver)]
        file = self.directory / "drivers" / f"{self.driver}.so"
        shutil.copyfile(file, str(file) + ".new")
        os.replace(str(file) + ".new", file)
        self.configure(self.driver)

    def restart(self, *options):
        """Exit status and standard error of `gantry restart --wait`."""
        ran = subprocess.run([self.programs / "gantry", "--url", f"unix://{self.socket}", "restart", "--wait", *options],
                             capture_output=True, check=False, timeout=120)
        self.note_process()
        return ran.returncode, ran.stderr.decode()

    def note_process(self):
        """Notes which process serves, and buries those that have ended."""
        self.pid = self.status()["pid"]
        self.bury()

    def status(self):
        return self.ask("POST", "/v1/status", {}).json["result"]

    def bury(self):
        try:
            while os.waitpid(-1, os.WNOHANG)[0] != 0:
                pass
        except ChildProcessError:
            pass

    def successor(self, within):
        until = time.monotonic() + within
        while time.monotonic() < until:
            found = children_of(self.pid)
            if found:
                return found[0]
            time.sleep(0.001)
        return None

    def serves(self):
        try:
            return self.ask("GET", "/readyz").status == 200
        except OSError:
            return False

    def start_unless_served(self, patience):
        """What a service manager does: starts it if nobody has taken over. Returns whether somebody had."""
        until = time.monotonic() + patience
        while time.monotonic() < until and not self.serves():
            self.bury()
            time.sleep(0.005)
        served = self.serves()
        if not served:
            self.starts += 1
            with open(self.directory / "gantryd.log", "ab") as log:
                self.process = subprocess.Popen(
                    [self.programs / "gantryd", "--config", self.directory / "gantry.toml"], stdout=log, stderr=log)
            until = time.monotonic() + 20
            while not self.serves():
                if time.monotonic() > until:
                    raise RuntimeError("gantryd does not serve within 20 s:\n" + self.log())
                time.sleep(0.005)
        self.note_process()
        return served

    def log(self):
        return (self.directory / "gantryd.log").read_text(errors="replace")

    def end(self):
        os.kill(self.pid, signal.SIGTERM)
        until = time.monotonic() + 30
        while pathlib.Path(f"/proc/{self.pid}/fd").exists() and time.monotonic() < until:
            self.bury()
            time.sleep(0.01)
        shutil.rmtree(self.directory, ignore_errors=True)
