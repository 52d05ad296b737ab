# SPDX-License-Identifier: Apache-2.0
"""A directory for a gantryd of its own, and gantryd started in it."""

import pathlib
import shutil
import socket
import subprocess
import tempfile
import time


def until(condition, seconds=20):
    """Waits until the condition holds; False after the time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def ready(path):
    """Whether a gantryd on that socket says that it is ready."""
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(5)
            connection.connect(str(path))
            connection.sendall(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            return b" 200 " in connection.recv(4096).split(b"\r\n")[0]
    except OSError:
        return False


class ScratchDaemon:
    """Only this user may write to the directory, as gantryd wants it."""

    def __init__(self, programs, drivers):
        base = pathlib.Path.home() / ".cache" / "gantry-tests"
        base.mkdir(parents=True, exist_ok=True)
        self.gantryd = pathlib.Path(programs) / "gantryd"
        self.directory = pathlib.Path(tempfile.mkdtemp(dir=base))
        self.store = self.directory / "gantry.db"
        self.socket = self.directory / "gantry.sock"
        self.drivers = self.directory / "drivers"
        self.drivers.mkdir(mode=0o755)
        for driver in pathlib.Path(drivers).glob("*.so"):
            shutil.copyfile(driver, self.drivers / driver.name)

    def remove(self):
        shutil.rmtree(self.directory, ignore_errors=True)

    def words(self, **settings):
        settings = {"store.path": self.store, "server.socket": self.socket, **settings}
        words = [str(self.gantryd), "--set", f'driver_directories=["{self.drivers}"]']
        for key, value in settings.items():
            words += ["--set", f"{key}={value}"]
        return words

    def status_of(self, *more, **settings):
        """The exit status and the words of a start that is refused."""
        words = [*self.words(**settings), *more]
        ran = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
        return ran.returncode, ran.stderr

    def start(self, **settings):
        running = subprocess.Popen(self.words(**settings), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if not until(lambda: ready(settings.get("server.socket", self.socket))):
            running.kill()
            running.wait()
            raise RuntimeError("gantryd does not serve within 20 s")
        return running

    @staticmethod
    def stop(running):
        running.terminate()
        return running.wait(30)
