# SPDX-License-Identifier: Apache-2.0
"""A gantryd of its own, and requests to its socket."""

import http.client
import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
from urllib.parse import quote


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=30)
        self.path = str(path)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Answer:
    def __init__(self, response, body):
        self.status = response.status
        self.headers = response.headers
        self.text = body.decode()

    @property
    def json(self):
        return json.loads(self.text)


class RunningDaemon:
    """Serves until stop(). Drivers lie where only this user may write, as gantryd wants it."""

    def __init__(self, programs, drivers, configuration):
        base = pathlib.Path.home() / ".cache" / "gantry-tests"
        os.umask(0o022)
        base.mkdir(parents=True, exist_ok=True)
        self.programs = pathlib.Path(programs)
        self.directory = pathlib.Path(tempfile.mkdtemp(dir=base))
        self.socket = self.directory / "gantry.sock"
        (self.directory / "drivers").mkdir()
        for driver in pathlib.Path(drivers).glob("*.so"):
            shutil.copyfile(driver, self.directory / "drivers" / driver.name)
        (self.directory / "gantry.toml").write_text(
            f'driver_directories = ["{self.directory}/drivers"]\n'
            f'server.socket = "{self.socket}"\n'
            f'store.path = "{self.directory}/gantry.db"\n' + configuration)
        with open(self.directory / "gantryd.log", "wb") as log:
            self.process = subprocess.Popen(
                [self.programs / "gantryd", "--config", self.directory / "gantry.toml"], stdout=log, stderr=log)
        self._wait_until_ready()

    def _wait_until_ready(self):
        until = time.monotonic() + 20
        while self.process.poll() is None and time.monotonic() < until:
            try:
                if self.ask("GET", "/readyz").status == 200:
                    return
            except OSError:
                time.sleep(0.02)
        self.stop()
        raise RuntimeError("gantryd ended, or does not serve within 20 s")

    def ask(self, verb, path, body=None, query=None, headers=None):
        """One request on a connection of its own."""
        sent = dict(headers or {})
        if body is not None:
            sent.setdefault("Content-Type", "application/json")
        if query:
            path += "?" + "&".join(f"{quote(name)}={quote(value)}" for name, value in query.items())
        connection = UnixConnection(self.socket)
        try:
            connection.request(verb, path, body=None if body is None else json.dumps(body), headers=sent)
            response = connection.getresponse()
            return Answer(response, response.read())
        finally:
            connection.close()

    def send_bytes(self, data):
        """The status of the answer to bytes as they are."""
        with socket.socket(socket.AF_UNIX) as raw:
            raw.settimeout(30)
            raw.connect(str(self.socket))
            raw.sendall(data)
            response = http.client.HTTPResponse(raw)
            response.begin()
            return Answer(response, response.read())

    def gantry(self, *words):
        ran = subprocess.run([self.programs / "gantry", "--url", f"unix://{self.socket}", *words],
                             capture_output=True, check=False)
        if ran.returncode != 0:
            raise RuntimeError(f"gantry {words}: {ran.stderr.decode()}")
        return ran.stdout.decode()

    def stop(self):
        """Ends it as an operator would; it must end well, which it does not after a sanitizer's finding."""
        self.process.terminate()
        try:
            status = self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        log = (self.directory / "gantryd.log").read_text()
        shutil.rmtree(self.directory, ignore_errors=True)
        if status != 0:
            raise RuntimeError(f"gantryd ended with {status}; its log:\n{log}")
