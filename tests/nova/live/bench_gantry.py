# SPDX-License-Identifier: Apache-2.0
"""Gantry as the benchmark runs it: one of several, with or without the mirror, and what it says of itself."""

import http.client
import json
import os
import socket
import subprocess
from pathlib import Path

import configuration
import release
from broker import Broker
from home import Home
from processes import Process, await_condition
from schedulers import GantryScheduler


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: Path):
        super().__init__("localhost", timeout=5)
        self._path = str(path)

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self._path)


class BenchGantry(GantryScheduler):
    def __init__(self, home: Home, broker: Broker, number: int = 1, mirrors: bool = True):
        self._number = number
        self._mirrors = mirrors
        self._folder = home.file(f"bench-gantry-{number}")
        super().__init__(home, broker)

    def _process(self) -> Process:
        return Process(self.home, f"bench-gantry-{self._number}", [
            str(Path(self.programs) / "gantryd"), "--config", str(self.home.file("etc", f"bench-gantry-{self._number}.toml"))],
            self.environment)

    def configure(self, options: configuration.Sections) -> None:
        configuration.write_scheduler(self.home, options)
        self._folder.mkdir(exist_ok=True)
        (self._folder / "requests.journal").unlink(missing_ok=True)
        names = ["nova-scheduler.conf", "placement.conf"] if self._mirrors else ["nova-scheduler.conf"]
        files = ", ".join(f'"{self.home.file("etc", name)}"' for name in names)
        drivers = Path(self.programs).parent / "lib" / "gantry" / "drivers"
        # Each request is to ask placement itself.
        reuse = "" if self._mirrors else 'candidates_reuse = 0\n'
        self.home.file("etc", f"bench-gantry-{self._number}.toml").write_text(
            f'driver_directories = ["{drivers}"]\n[server]\nsocket = "{self.socket()}"\n[store]\npath = "{self._folder}/gantry.db"\n'
            f'[nova]\nhost = "bench-gantry-{self._number}"\n{reuse}config_files = [{files}]\n'
            f'{release.compatibility()}')

    def socket(self) -> Path:
        return self._folder / "gantry.sock"

    def await_ready(self) -> None:
        await_condition(f"Gantry {self._number} is ready", self._is_ready, process=self.process, pause=0.005)

    def _is_ready(self) -> bool:
        connection = UnixConnection(self.socket())
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()

    def counters(self) -> dict[tuple[str, str], int]:
        said = subprocess.run(
            [str(Path(self.programs) / "gantry"), "--url", f"unix://{self.socket()}", "-o", "json", "status"], text=True,
            capture_output=True, check=True, env={**os.environ, **self.environment}).stdout
        return {(counter["name"], counter["label"]): counter["value"] for counter in json.loads(said)["counters"]}
