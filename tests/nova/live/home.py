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
# Where a scheduler finds these with a delay in between.
DELAYED = {"database": 13306, "broker": 15672, "placement": 18778}
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

    def url(self, service: str, ports: dict[str, int] = PORTS) -> str:
        return f"http://127.0.0.1:{ports[service]}"

    def database_url(self, database: str, ports: dict[str, int] = PORTS) -> str:
        return f"mysql+pymysql://nova:{SECRET}@127.0.0.1:{ports['database']}/{database}?charset=utf8"

    def broker_url(self, cell: str = "", user: str = "nova", ports: dict[str, int] = PORTS) -> str:
        return f"rabbit://{user}:{SECRET}@127.0.0.1:{ports['broker']}/{cell}"
