# SPDX-License-Identifier: Apache-2.0
"""Gantry as the benchmark runs it: one of several, with or without the mirror, and what it says of itself."""

import http.client
import json
import socket
import time
from pathlib import Path

import configuration
import release
from broker import Broker
from home import Home
from processes import Process, await_condition, run
from schedulers import GantryScheduler


FIRST_PORT = 18780  # of the first one, for callers over TLS


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
        self._certificate, self._key = self._folder / "certificate.pem", self._folder / "key.pem"
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
        self._make_certificate()
        # Each request is to ask placement itself.
        reuse = "" if self._mirrors else 'candidates_reuse = 0\n'
        self.home.file("etc", f"bench-gantry-{self._number}.toml").write_text(
            f'driver_directories = ["{drivers}"]\n[server]\nsocket = "{self.socket()}"\n'
            f'listen = ["{self._address()}"]\ntls_certificate = "{self._certificate}"\ntls_key = "{self._key}"\n'
            f'[store]\npath = "{self._folder}/gantry.db"\n'
            f'[nova]\nhost = "bench-gantry-{self._number}"\n{reuse}config_files = [{files}]\n'
            f'{release.compatibility()}')

    def socket(self) -> Path:
        return self._folder / "gantry.sock"

    def _address(self) -> str:
        return f"127.0.0.1:{FIRST_PORT + self._number - 1}"

    def _make_certificate(self) -> None:
        if not self._certificate.exists():
            run(self.home, "setup.log", "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-days", "365", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1",
                "-addext", "keyUsage=critical,digitalSignature,keyCertSign", "-keyout", str(self._key), "-out", str(self._certificate))

    def over_tls(self) -> dict[str, str]:
        """What a client needs that asks over TLS, with a token of the role service."""
        token = self._folder / "service.token"
        token.unlink(missing_ok=True)
        self._run("token", "create", "--role", "service", "--token-out", str(token), f"bench-{time.time():.0f}")
        return {"direct": f"https://{self._address()}", "token_file": str(token), "ca_file": str(self._certificate)}

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
        said = self._run("-o", "json", "status")
        return {(counter["name"], counter["label"]): counter["value"] for counter in json.loads(said)["counters"]}

    def _run(self, *words: str) -> str:
        return run(self.home, "gantry.log", str(Path(self.programs) / "gantry"), "--url", f"unix://{self.socket()}", *words,
                   environment=self.environment)
