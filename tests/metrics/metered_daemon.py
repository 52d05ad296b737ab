# SPDX-License-Identifier: Apache-2.0
"""A gantryd with a listener on loopback, and what its metrics say."""

import pathlib
import re
import sys
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "api"))
from running_daemon import RunningDaemon  # noqa: E402

CONFIGURATION = """
scheduler_driver = ["filter", "volume"]
scheduling.service_down_time = 2
server.listen = ["127.0.0.1:0"]
"""

SPEC = {"num_instances": 1, "flavor": {"name": "m1.tiny", "vcpus": 1, "memory_mb": 512, "root_gb": 1}}
TOO_LARGE = {"num_instances": 1, "flavor": {"name": "m1.giant", "vcpus": 1, "memory_mb": 10**9, "root_gb": 1}}
SAMPLE = re.compile(r"([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)")
LABEL = re.compile(r'([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"')


def samples(text):
    """{(name, ((label, value), ...)): number} of a scrape."""
    found = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            name, labels, number = SAMPLE.fullmatch(line).groups()
            found[(name, tuple(sorted(LABEL.findall(labels or ""))))] = float(number)
    return found


class MeteredDaemon(RunningDaemon):
    def __init__(self, programs, drivers, configuration=CONFIGURATION):
        super().__init__(programs, drivers, configuration)
        log = (self.directory / "gantryd.log").read_text()
        found = re.search(r"listening address=http://(127\.0\.0\.1:\d+)", log)
        self.address = found.group(1) if found else None

    def call(self, method, **args):
        return self.ask("POST", f"/v1/{method}", body={"args": args})

    def register(self, host, **stats):
        self.call("service_register", topic="compute", host=host, binary="nova-compute")
        capacity = {"vcpus": 8, "vcpus_used": 0, "memory_mb": 8192, "memory_mb_used": 0, "local_gb": 100,
                    "local_gb_used": 0}
        return self.call("update_resource_stats", name=host, stats={**capacity, **stats})

    def select(self, spec=None):
        return self.call("select_destinations", request_spec=spec or SPEC)

    def scrape(self):
        return self.ask("GET", "/metrics").text

    def metric(self, name, **labels):
        """The sum of the samples of that name that have those labels."""
        wanted = set(labels.items())
        return sum(value for (each, have), value in samples(self.scrape()).items()
                   if each == name and wanted <= set(have))

    def token(self, role, *more):
        path = self.directory / f"{role}.token"
        self.gantry("token", "create", "--role", role, *more, "--token-out", str(path), f"of-{role}")
        return path

    def over_tcp(self, path, token=None, method="GET"):
        request = urllib.request.Request(f"http://{self.address}{path}", method=method)
        if token:
            request.add_header("Authorization", f"Bearer {token.read_text().strip()}")
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as failure:
            with failure:
                return failure.code, failure.headers, failure.read().decode()
