# SPDX-License-Identifier: Apache-2.0
"""The schedulers: how each is started, ended, held up, and known to be ready."""

import os
import signal
import subprocess
import time
from pathlib import Path

import configuration
import release
from broker import Broker
from home import PORTS, Home
from processes import NovaProcess, Process, await_condition

REPOSITORY = Path(__file__).resolve().parents[3]
LIBRARIES = "GANTRY_NOVA_LIVE_LIBRARIES"


class Scheduler:
    """One with a `host` of its own can run beside others, has its own files, and its own user at the broker."""

    name = ""

    def __init__(self, home: Home, broker: Broker, host: str = ""):
        self.home = home
        self.broker = broker
        self.host = host
        self.label = host or self.name
        self.conf = f"nova-scheduler-{host}" if host else "nova-scheduler"
        self.process = self._process()

    def _process(self) -> Process:
        raise NotImplementedError

    def configure(self, options: configuration.Sections, ports: dict[str, int] = PORTS) -> None:
        """Options of a scenario, by the sections and names of nova.conf. It meets the services at the ports."""
        own: configuration.Sections = {"DEFAULT": {}}
        if self.host:
            self.broker.add_user(self.host)
            own = {
                "DEFAULT": {"host": self.host, "transport_url": self.home.broker_url("", self.host, ports)},
                "database": {"connection": self.home.database_url("nova", ports)},
                "api_database": {"connection": self.home.database_url("nova_api", ports)},
                "placement": {"endpoint_override": self.home.url("placement", ports)},
            }
        for section, values in options.items():
            own.setdefault(section, {}).update(values)
        configuration.write_scheduler(self.home, own, self.conf)

    def start(self) -> None:
        self.process.start()
        self.await_ready()

    def _is_consuming(self) -> bool:
        return self.broker.consumers(f"scheduler.{self.host}" if self.host else "scheduler") > 0

    def await_ready(self) -> None:
        await_condition(f"{self.label} takes requests", self._is_consuming, process=self.process)

    def await_end(self) -> None:
        """The broker has noticed that the process is gone."""
        await_condition(f"the broker misses {self.label}", lambda: not self._is_consuming())

    def stop(self) -> None:
        self.process.stop()

    def reload(self) -> None:
        """Told to read its configuration and the cells again."""
        os.kill(self.process.pid(), signal.SIGHUP)
        time.sleep(3)  # none of the two says when it has done so

    def kill(self) -> None:
        self.process.kill()

    def hold_up(self, seconds: float) -> None:
        """The process stands still for so long, as on a machine that swaps or migrates."""
        self.process.signal(signal.SIGSTOP)
        try:
            time.sleep(seconds)
        finally:
            self.process.signal(signal.SIGCONT)


class NovaScheduler(Scheduler):
    name = "nova"

    def _process(self) -> Process:
        return NovaProcess(self.home, self.host or "nova-scheduler", "nova-scheduler", [
            "--config-file", str(self.home.file("etc", f"{self.conf}.conf")),
            *(["--debug"] if os.environ.get("NOVA_LIVE_DEBUG") else []),
        ])


class NovaAgain(NovaScheduler):
    """In Gantry's place, to see that the scenarios themselves give the same each time."""

    name = "nova-again"


class GantryScheduler(Scheduler):
    name = "gantry"
    programs = REPOSITORY / "build" / "release" / "bin"
    # In a suite's chroot, the libraries of the machine that built Gantry.
    environment = {"LD_LIBRARY_PATH": os.environ[LIBRARIES]} if LIBRARIES in os.environ else {}
    mirrors = False  # candidates are computed from placement's database

    def _process(self) -> Process:
        self.folder = self.home.file(self.host or "gantry")
        self.settings = self.home.file("etc", f"{self.host or 'gantry'}.toml")
        return Process(self.home, self.host or "gantryd", [
            str(Path(self.programs) / "gantryd"), "--config", str(self.settings),
        ], self.environment)

    def configure(self, options: configuration.Sections, ports: dict[str, int] = PORTS) -> None:
        super().configure(options, ports)
        self.folder.mkdir(exist_ok=True)
        # Requests under way when an earlier run ended are of servers that the restored databases do not know.
        (self.folder / "requests.journal").unlink(missing_ok=True)
        (self.folder / "nova.paused").unlink(missing_ok=True)
        files = [self.conf]
        if self.mirrors:
            placement = f"placement-{self.host}" if self.host else "placement"
            configuration.write_placement(self.home, self.home.database_url("placement", ports), placement)
            files.append(placement)
        named = ", ".join(f'"{self.home.file("etc", name)}.conf"' for name in files)
        drivers = Path(self.programs).parent / "lib" / "gantry" / "drivers"
        self.settings.write_text(
            f'driver_directories = ["{drivers}"]\n'
            f'[server]\nsocket = "{self.folder / "gantry.sock"}"\n'
            f'[store]\npath = "{self.folder / "gantry.db"}"\n'
            f'[log]\nlevel = "debug"\n'
            f'[nova]\nconfig_files = [{named}]\n{release.compatibility()}')

    def is_handed_over(self) -> bool:
        return (self.folder / "nova.paused").exists()

    def await_ready(self) -> None:
        if self.is_handed_over():
            await_condition(f"{self.label} answers", lambda: self.command("status").returncode == 0, process=self.process)
        else:
            super().await_ready()

    def command(self, *words: str) -> subprocess.CompletedProcess:
        """`gantry nova WORDS`, as an operator says it. A variable GANTRY_... would be a setting of gantry's."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GANTRY_")}
        return subprocess.run([str(Path(self.programs) / "gantry"), "--config", str(self.settings), "nova", *words],
                              text=True, capture_output=True, env={**environment, **self.environment})


KINDS = {kind.name: kind for kind in (NovaScheduler, GantryScheduler, NovaAgain)}


def of_hosts(home: Home, broker: Broker, names: list[str]) -> list[Scheduler]:
    """One of each name, each with a host of its own: gantry-1, gantry-2, nova-1."""
    return [KINDS[name](home, broker, f"{name}-{names[:place].count(name) + 1}") for place, name in enumerate(names)]


def left_running(home: Home, broker: Broker) -> list[Scheduler]:
    """Those of all hosts that an earlier call has started."""
    found = [kind(home, broker) for kind in KINDS.values()]
    for name in sorted(path.name for path in home.file("pid").glob("*-[1-9]")):
        kind, _, number = name.rpartition("-")
        if kind in KINDS and number.isdigit():
            found.append(KINDS[kind](home, broker, name))
    return found
