# SPDX-License-Identifier: Apache-2.0
"""Processes that outlive the program that started them, each known by a file with its id."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from home import Home


class StartFailed(Exception):
    pass


def say(text: str) -> None:
    print(f"nova-live: {text}", file=sys.stderr, flush=True)


def _begin_of(pid: int) -> str | None:
    """When the process began, in the kernel's ticks; None: it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else fields[19]


class Process:
    """A program with its children: a session of its own, so that a signal reaches all of them."""

    def __init__(self, home: Home, name: str, command: list[str], environment: dict[str, str] | None = None):
        self.home = home
        self.name = name
        self.command = [str(part) for part in command]
        self.environment = environment or {}
        self.log = home.file("log", f"{name}.log")
        self._pid_file = home.file("pid", name)

    def pid(self) -> int | None:
        """The id of the process if it is this one that still runs."""
        try:
            pid, begin = self._pid_file.read_text().split()
        except (OSError, ValueError):
            return None
        try:
            os.waitpid(int(pid), os.WNOHANG)
        except ChildProcessError:
            pass  # an earlier call of nova-live started it
        return int(pid) if _begin_of(int(pid)) == begin else None

    def start(self) -> None:
        if self.pid() is not None:
            return
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": str(self.home.path), "LANG": "C.UTF-8"}
        environment.update(self.environment)
        with self.log.open("ab") as log:
            child = subprocess.Popen(
                self.command, cwd=self.home.path, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True,
            )
        self._pid_file.write_text(f"{child.pid} {_begin_of(child.pid)}")
        child.returncode = 0  # waitpid() above is what reaps it

    def signal(self, number: int) -> bool:
        pid = self.pid()
        if pid is None:
            return False
        try:
            os.killpg(pid, number)
        except ProcessLookupError:
            return False
        return True

    def kill(self) -> None:
        """Ends the process as a crash would. Returns when it is gone."""
        self.signal(signal.SIGKILL)
        self._await_end(20)

    def stop(self, patience: float = 30) -> None:
        self.signal(signal.SIGCONT)
        self.signal(signal.SIGTERM)
        if not self._await_end(patience):
            self.kill()

    def _await_end(self, patience: float) -> bool:
        end = time.monotonic() + patience
        while self.pid() is not None:
            if time.monotonic() > end:
                return False
            time.sleep(0.02)
        return True

    def last_words(self, lines: int = 15) -> str:
        try:
            return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])
        except OSError:
            return ""


class Starter:
    """nova_starter.py: starts services of Nova in a fraction of the time."""

    def __init__(self, home: Home):
        self.pipe = home.file("state", "starts")
        self.process = Process(home, "nova-starter", [
            "/usr/bin/python3", "-B", str(Path(__file__).with_name("nova_starter.py")), str(self.pipe)])

    def start(self) -> None:
        if not self.pipe.exists():
            os.mkfifo(self.pipe)
        self.process.start()

    def send(self, line: str) -> None:
        with self.pipe.open("w") as pipe:  # waits until the starter has opened it
            pipe.write(line + "\n")


class NovaProcess(Process):
    """A service that the starter starts: program nova-compute or nova-scheduler."""

    def __init__(self, home: Home, name: str, program: str, arguments: list, environment: dict[str, str] | None = None):
        super().__init__(home, name, [program, *arguments], environment)
        self._starter = Starter(home)

    def start(self) -> None:
        if self.pid() is not None:
            return
        self._pid_file.unlink(missing_ok=True)
        self._starter.start()
        program, *arguments = self.command
        self._starter.send(json.dumps({
            "program": program, "arguments": arguments, "environment": self.environment, "log": str(self.log),
            "pid": str(self._pid_file)}))
        await_condition(f"{self.name} has been started", self._pid_file.exists, process=self._starter.process, pause=0.01)


def await_condition(what: str, condition, patience: float = 90, process: Process | None = None, pause: float = 0.1):
    """Returns the first true value of the condition."""
    end = time.monotonic() + patience
    while True:
        value = condition()
        if value:
            return value
        if process is not None and process.pid() is None:
            raise StartFailed(f"{what}: {process.name} has ended; {process.log} ends with\n{process.last_words()}")
        if time.monotonic() > end:
            log = f"; see {process.log}" if process is not None else ""
            raise StartFailed(f"{what}: not so within {patience:.0f} s{log}")
        time.sleep(pause)


def run(home: Home, log: str, *command: str, environment: dict[str, str] | None = None, text: str | None = None) -> str:
    """Runs a program to its end and returns its output, which the log gets as well."""
    done = subprocess.run(
        command, cwd=home.path, env={**os.environ, **(environment or {})}, input=text, text=True, capture_output=True
    )
    with home.file("log", log).open("a") as file:
        file.write(f"$ {' '.join(command)}\n{done.stdout[-20000:]}{done.stderr[-20000:]}")
    if done.returncode != 0:
        raise StartFailed(f"{command[0]} failed with {done.returncode}; see {home.file('log', log)}")
    return done.stdout
