# SPDX-License-Identifier: Apache-2.0
"""Where the control plane lives: one directory for configurations, logs, databases, process ids and results."""

import os
import tempfile
from pathlib import Path

HOSTS = ("c0", "c1", "c2")
PORTS = {
    "database": 3306,
    "broker": 5672,
    "keystone": 5000,
    "nova-api": 8774,
    "placement": 8778,
    "glance": 9292,
    "neutron": 9696,
    "port-mapper": 4370,
    "erlang": 25673,
}
SECRET = "live"  # the one password of all users; everything listens on loopback alone


class Home:
    def __init__(self, path: str | None = None):
        default = Path(tempfile.gettempdir()) / "gantry-nova-live"
        self.path = Path(path or os.environ.get("GANTRY_NOVA_LIVE") or default).absolute()

    def make(self) -> None:
        for name in ("etc", "log", "pid", "state", "dumps", "results"):
            (self.path / name).mkdir(parents=True, exist_ok=True)

    def file(self, *parts: str) -> Path:
        return self.path.joinpath(*parts)

    def url(self, service: str) -> str:
        return f"http://127.0.0.1:{PORTS[service]}"

    def database_url(self, database: str) -> str:
        return f"mysql+pymysql://nova:{SECRET}@127.0.0.1:{PORTS['database']}/{database}?charset=utf8"

    def broker_url(self, cell: str = "") -> str:
        return f"rabbit://nova:{SECRET}@127.0.0.1:{PORTS['broker']}/{cell}"
