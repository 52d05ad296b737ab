# SPDX-License-Identifier: Apache-2.0
"""The two schedulers that are compared: how each is started, killed, and known to be ready."""

import os
import signal
import time
from pathlib import Path

import configuration
from broker import Broker
from home import Home
from processes import NovaProcess, Process, await_condition

REPOSITORY = Path(__file__).resolve().parents[3]


class Scheduler:
    name = ""

    def __init__(self, home: Home, broker: Broker):
        self.home = home
        self.broker = broker
        self.process = self._process()

    def _process(self) -> Process:
        raise NotImplementedError

    def configure(self, options: configuration.Sections) -> None:
        """Options of a scenario, by the sections and names of nova.conf."""
        configuration.write_scheduler(self.home, options)

    def start(self) -> None:
        self.process.start()
        self.await_ready()

    def await_ready(self) -> None:
        await_condition(f"{self.name} takes requests", lambda: self.broker.consumers("scheduler") > 0, process=self.process)

    def stop(self) -> None:
        self.process.stop()

    def reload(self) -> None:
        """Told to read its configuration and the cells again."""
        os.kill(self.process.pid(), signal.SIGHUP)
        time.sleep(3)  # none of the two says when it has done so

    def kill(self) -> None:
        self.process.kill()


class NovaScheduler(Scheduler):
    name = "nova"

    def _process(self) -> Process:
        return NovaProcess(self.home, "nova-scheduler", "nova-scheduler", [
            "--config-file", str(self.home.file("etc", "nova-scheduler.conf")),
            *(["--debug"] if os.environ.get("NOVA_LIVE_DEBUG") else []),
        ])


class NovaAgain(NovaScheduler):
    """In Gantry's place, to see that the scenarios themselves give the same each time."""

    name = "nova-again"


class GantryScheduler(Scheduler):
    name = "gantry"
    programs = REPOSITORY / "build" / "release" / "bin"

    def _process(self) -> Process:
        return Process(self.home, "gantryd", [
            str(Path(self.programs) / "gantryd"), "--config", str(self.home.file("etc", "gantry.toml")),
        ])

    def configure(self, options: configuration.Sections) -> None:
        super().configure(options)
        self.home.file("gantry").mkdir(exist_ok=True)
        # Requests under way when an earlier run ended are of servers that the restored databases do not know.
        self.home.file("gantry", "requests.journal").unlink(missing_ok=True)
        drivers = Path(self.programs).parent / "lib" / "gantry" / "drivers"
        self.home.file("etc", "gantry.toml").write_text(
            f'driver_directories = ["{drivers}"]\n'
            f'[server]\nsocket = "{self.home.file("gantry", "gantry.sock")}"\n'
            f'[log]\nlevel = "debug"\n'
            f'[nova]\nconfig_files = ["{self.home.file("etc", "nova-scheduler.conf")}"]\n')


KINDS = {kind.name: kind for kind in (NovaScheduler, GantryScheduler, NovaAgain)}
