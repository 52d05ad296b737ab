# SPDX-License-Identifier: Apache-2.0
"""The whole control plane: Debian's packages, each service with its own configuration below one directory."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import configuration
import release
from api import Cloud
from broker import Broker
from database import Database
from home import HOSTS, PORTS, SECRET, Home
from processes import NovaProcess, Process, Starter, await_condition, run, say

HERE = Path(__file__).resolve().parent
# Images: name, properties. A build needs one; image properties choose hosts.
IMAGES = {
    "plain": {},
    "arm": {"hw_architecture": "aarch64"},
    "windows": {"os_type": "windows"},
    "linux": {"os_type": "linux"},
}
FLAVORS = {"small": (1, 512, 1), "medium": (2, 4096, 20), "large": (4, 8192, 100)}  # vcpus, MB, GB
PROJECTS = ("service", "one", "two")


class Stack:
    def __init__(self, home: Home):
        self.home = home
        self.database = Database(home)
        self.broker = Broker(home)
        self.cloud = Cloud(home)
        conf = home.file("etc", "nova.conf")
        self.keystone = self._uwsgi("keystone", "keystone.wsgi.api", "keystone-wsgi-public", {
            "OS_KEYSTONE_CONFIG_FILES": str(home.file("etc", "keystone.conf"))})
        self.placement = self._uwsgi("placement", "placement.wsgi.api", "placement-api", {
            "OS_PLACEMENT_CONFIG_DIR": str(home.file("etc"))})
        self.glance = self._glance()
        self.neutron = Process(home, "neutron", [
            "/usr/bin/python3", "-B", HERE / "network_service.py", PORTS["neutron"]])
        self.api = self._api(conf)
        self.conductor = Process(home, "nova-conductor", ["/usr/bin/nova-conductor", "--config-file", conf])
        self.conductor2 = Process(home, "nova-conductor-cell2", [
            "/usr/bin/nova-conductor", "--config-file", home.file("etc", "nova-cell2.conf")])
        self.hosts = {name: self._host(name) for name in HOSTS}
        self._cell_of_c2 = 1
        self.starter = Starter(home)

    def _glance(self) -> Process:
        if release.has_module("glance.wsgi.api"):
            return self._uwsgi("glance", "glance.wsgi.api", "", {"OS_GLANCE_CONFIG_DIR": str(self.home.file("etc"))})
        return Process(self.home, "glance", ["/usr/bin/glance-api", "--config-file", self.home.file("etc", "glance-api.conf")])

    def _api(self, conf: Path) -> Process:
        if release.has_module("nova.wsgi.osapi_compute"):
            return self._uwsgi("nova-api", "nova.wsgi.osapi_compute", "", {
                "OS_NOVA_CONFIG_FILES": f"/etc/nova/api-paste.ini;{conf}"}, threads=1)
        return Process(self.home, "nova-api", ["/usr/bin/nova-api", "--config-file", conf])

    def _uwsgi(self, name: str, module: str, script: str, environment: dict[str, str], threads: int = 2) -> Process:
        app = ["--module", f"{module}:application"] if release.has_module(module) else ["--wsgi-file", f"/usr/bin/{script}"]
        return Process(self.home, name, [
            release.uwsgi(), "--http-socket", f"127.0.0.1:{PORTS[name]}", *app,
            "--master", "--processes", "2", "--threads", threads, "--need-app", "--die-on-term", "--no-orphans", "--lazy-apps",
            "--buffer-size", "65535", "--pyargv", "", "--add-header", "Connection: close",
        ], environment)

    def _host(self, name: str, cell: int = 1) -> Process:
        conf = self.home.file("etc", "nova.conf" if cell == 1 else "nova-cell2.conf")
        return NovaProcess(
            self.home, name, "nova-compute", ["--config-file", conf, "--config-file", self.home.file("etc", f"{name}.conf")],
            {"GANTRY_FAKE_HOST": str(self.home.file("etc", f"{name}.json"))},
        )

    # ---- up and down

    def processes(self) -> list[Process]:
        return [*self.hosts.values(), self.starter.process, self.api, self.conductor2, self.conductor, self.neutron, self.glance, self.placement,
                self.keystone]

    def is_up(self) -> bool:
        return self.api.pid() is not None and self.database.process.pid() is not None and self.database.has_dump("one")

    def up(self) -> None:
        """Everything but a scheduler and the hosts."""
        began = time.monotonic()
        self.home.make()
        configuration.write_all(self.home)
        with ThreadPoolExecutor(2) as together:
            list(together.map(lambda part: part.start(), (self.database, self.broker)))
        fresh = not self.home.file("state", "is-set-up").exists()
        if fresh:
            say("makes the databases")
            self._make_databases()
            self.broker.set_up()
        self.starter.start()
        for process in (self.keystone, self.placement, self.glance, self.neutron):
            process.start()
        self._await_http("keystone", self.keystone, "/v3")
        if fresh:
            self._make_users()
        self.conductor.start()
        self.api.start()
        for name, process in (("placement", self.placement), ("glance", self.glance), ("nova-api", self.api)):
            self._await_http(name, process)
        await_condition("the conductor works", lambda: self.broker.consumers("conductor"), process=self.conductor)
        if fresh:
            self._make_images_and_flavors()
            self.home.file("state", "is-set-up").touch()
        if not self.database.has_dump("one"):
            self.database.dump("none")
            self._make_cell("one", {1: HOSTS})
        say(f"is up in {self.home.path} after {time.monotonic() - began:.0f} s")

    def down(self) -> None:
        for process in self.processes():
            process.signal(15)
        for process in self.processes():
            process.stop(15)
        self.broker.stop()
        self.database.process.stop(60)

    def _await_http(self, service: str, process: Process, path: str = "/") -> None:
        await_condition(f"{service} answers", lambda: self.cloud.answers(service, path), process=process)

    def manage(self, *command: str, conf: str = "nova.conf") -> str:
        return run(self.home, "setup.log", "/usr/bin/nova-manage", "--config-file", str(self.home.file("etc", conf)), *command)

    def _make_databases(self) -> None:
        home = self.home
        keystone = ("/usr/bin/keystone-manage", "--config-file", str(home.file("etc", "keystone.conf")))
        for name in ("fernet", "credentials", "images"):
            home.file("state", name).mkdir(mode=0o700, exist_ok=True)

        def nova():
            self.manage("api_db", "sync")
            self.manage("cell_v2", "map_cell0", "--database_connection", home.database_url("nova_cell0"))
            self.manage("cell_v2", "create_cell", "--name", "cell1")
            self.manage("db", "sync")
            self.manage("db", "sync", "--local_cell", conf="nova-cell2.conf")

        def users():
            run(home, "setup.log", *keystone, "db_sync")
            run(home, "setup.log", *keystone, "fernet_setup", "--keystone-user", "root", "--keystone-group", "root")
            run(home, "setup.log", *keystone, "credential_setup", "--keystone-user", "root", "--keystone-group", "root")
            url = home.url("keystone") + "/v3"
            run(home, "setup.log", *keystone, "bootstrap", "--bootstrap-password", SECRET, "--bootstrap-region-id", "RegionOne",
                "--bootstrap-admin-url", url, "--bootstrap-internal-url", url, "--bootstrap-public-url", url)

        def others():
            run(home, "setup.log", "/usr/bin/placement-manage", "--config-file", str(home.file("etc", "placement.conf")), "db", "sync")
            run(home, "setup.log", "/usr/bin/glance-manage", "--config-file", str(home.file("etc", "glance-api.conf")), "db_sync")

        with ThreadPoolExecutor(3) as together:
            list(together.map(lambda step: step(), (nova, users, others)))

    def _make_users(self) -> None:
        ask = self.cloud.keystone
        roles = {role["name"]: role["id"] for role in ask("GET", "/v3/roles")["roles"]}
        users = {user["name"]: user["id"] for user in ask("GET", "/v3/users")["users"]}
        users["nova"] = ask("POST", "/v3/users", {"user": {"name": "nova", "password": SECRET}})["user"]["id"]
        for name in PROJECTS:
            project = ask("POST", "/v3/projects", {"project": {"name": name}})["project"]["id"]
            user = users["nova" if name == "service" else "admin"]
            ask("PUT", f"/v3/projects/{project}/users/{user}/roles/{roles['admin']}")
        for kind, service, path in (("compute", "nova-api", "/v2.1"), ("placement", "placement", ""), ("image", "glance", ""),
                                    ("network", "neutron", "")):
            identity = ask("POST", "/v3/services", {"service": {"type": kind, "name": kind}})["service"]["id"]
            for interface in ("public", "internal"):
                ask("POST", "/v3/endpoints", {"endpoint": {
                    "service_id": identity, "interface": interface, "region_id": "RegionOne", "url": self.home.url(service) + path}})

    def _make_images_and_flavors(self) -> None:
        for name, (vcpus, ram, disk) in FLAVORS.items():
            self.cloud.nova("POST", "/flavors", {"flavor": {"name": name, "id": name, "vcpus": vcpus, "ram": ram, "disk": disk}})
        for name, properties in IMAGES.items():
            image = self.cloud.glance("POST", "/v2/images", {
                "name": name, "disk_format": "raw", "container_format": "bare", "visibility": "public", **properties})
            self.cloud.glance("PUT", f"/v2/images/{image['id']}/file", b"\0" * 1024)

    # ---- hosts and cells

    def _make_cell(self, dump: str, cells: dict[int, tuple[str, ...]]) -> None:
        """Lets the hosts enter their cells, and keeps what the databases then hold as a dump."""
        say(f"lets the hosts join: {', '.join(f'cell{cell} {names}' for cell, names in cells.items())}")
        self._arrange(dump)
        self.start_hosts()
        self.manage("cell_v2", "discover_hosts")
        self.kill_hosts()
        self.database.dump(dump)

    def _arrange(self, dump: str) -> None:
        """c2 works in the first cell or in the second, as the dump has it."""
        cell = 2 if dump == "two" else 1
        if self._cell_of_c2 != cell:
            self.hosts["c2"] = self._host("c2", cell)
            self._cell_of_c2 = cell

    def use(self, dump: str) -> None:
        """Back to what the dump holds. The hosts are not running then."""
        self.kill_hosts()
        if not self.database.has_dump(dump):
            self._make_second_cell()
        self._arrange(dump)
        for name in HOSTS:
            configuration.write_host(self.home, name)
            for vhost in ("/", "cell2"):
                self.broker.purge(f"compute.{name}", vhost)
        for queue in ("scheduler", "conductor"):
            self.broker.purge(queue)
        self.database.restore(dump)
        # The hosts will speak within ten seconds; until then the dump's own age would make them silent.
        for cell in ("nova", "nova_cell2"):
            self.database.write(f"update {cell}.services set last_seen_up = utc_timestamp(), updated_at = utc_timestamp() "
                                "where host in %s", HOSTS)
        if dump == "two":
            self.conductor2.start()

    def _make_second_cell(self) -> None:
        self.database.restore("none")
        self.manage("cell_v2", "create_cell", "--name", "cell2", "--transport-url", self.home.broker_url("cell2"),
                    "--database_connection", self.home.database_url("nova_cell2"))
        self.conductor2.start()
        self._make_cell("two", {1: HOSTS[:2], 2: HOSTS[2:]})

    def kill_hosts(self) -> None:
        for process in self.hosts.values():
            process.kill()

    def start_hosts(self, names: tuple[str, ...] = HOSTS) -> None:
        for name in names:
            self.hosts[name].start()
        for name in names:
            self.await_host(name)

    def let_hosts_have_rounds(self) -> None:
        """From their next start to the end of this call of nova-live."""
        for name in HOSTS:
            configuration.write_nova_compute(self.home, name, has_rounds=True)

    def await_host(self, name: str) -> None:
        vhost = "cell2" if name == "c2" and self._cell_of_c2 == 2 else "/"
        await_condition(f"{name} works", lambda: self.broker.consumers(f"compute.{name}", vhost), process=self.hosts[name])
