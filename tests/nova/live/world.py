# SPDX-License-Identifier: Apache-2.0
"""What a scenario works with: names instead of ids, and waiting for what was asked."""

import time

import configuration
from api import Cloud, Refused
from observation import CELLS, LIVING
from stack import Stack

PATIENCE = 90  # seconds for one server to reach a state


class TookTooLong(Exception):
    pass


class World:
    def __init__(self, stack: Stack, scheduler):
        self.stack = stack
        self.scheduler = scheduler
        self.cloud = stack.cloud
        self.notes: dict[str, object] = {}
        self.remarks: list[str] = []  # shown, and compared with nothing
        self._ids: dict[str, str] = {}
        self._images: dict[str, str] = {}
        self._flavors: dict[str, str] = {}
        self._clouds = {"admin": stack.cloud}

    # ---- things

    def project(self, name: str) -> Cloud:
        if name not in self._clouds:
            self._clouds[name] = Cloud(self.stack.home, name)
            self._clouds[name].token()
        return self._clouds[name]

    def image(self, name: str) -> str:
        if not self._images:
            images = self.cloud.glance("GET", "/v2/images?limit=100")["images"]
            self._images = {image["name"]: image["id"] for image in images}
        return self._images[name]

    def flavor(self, name: str, ram: int = 512, disk: int = 1, vcpus: int = 1, **specs) -> None:
        """Extra specs: keyword arguments, with __ for a colon."""
        body = {"name": name, "ram": ram, "disk": disk, "vcpus": vcpus, "id": name}
        self.cloud.nova("POST", "/flavors", {"flavor": body})
        if specs:
            keys = {key.replace("__", ":"): str(value) for key, value in specs.items()}
            self.cloud.nova("POST", f"/flavors/{name}/os-extra_specs", {"extra_specs": keys})

    def group(self, name: str, policy: str, **rules) -> str:
        body = {"name": name, "policy": policy, **({"rules": rules} if rules else {})}
        return self.cloud.nova("POST", "/os-server-groups", {"server_group": body})["server_group"]["id"]

    def aggregate(self, name: str, hosts: tuple[str, ...], zone: str | None = None, **metadata) -> int:
        body = {"name": name, **({"availability_zone": zone} if zone else {})}
        number = self.cloud.nova("POST", "/os-aggregates", {"aggregate": body})["aggregate"]["id"]
        for host in hosts:
            self.cloud.nova("POST", f"/os-aggregates/{number}/action", {"add_host": {"host": host}})
        if metadata:
            keys = {key.replace("__", ":"): str(value) for key, value in metadata.items()}
            self.cloud.nova("POST", f"/os-aggregates/{number}/action", {"set_metadata": {"metadata": keys}})
        return number

    def provider(self, name: str) -> str:
        return self.cloud.placement("GET", f"/resource_providers?name={name}")["resource_providers"][0]["uuid"]

    def give_traits(self, host: str, *traits: str) -> None:
        for trait in traits:
            if trait.startswith("CUSTOM_"):
                self.cloud.placement("PUT", f"/traits/{trait}")
        path = f"/resource_providers/{self.provider(host)}/traits"
        there = self.cloud.placement("GET", path)
        self.cloud.placement("PUT", path, {**there, "traits": [*there["traits"], *traits]})

    # ---- servers

    def boot(self, name: str, flavor: str = "small", image: str = "plain", wait: bool = True, hints: dict | None = None,
             project: str = "admin", **more) -> None:
        """Asks for one server, or for several with min_count and max_count. A refusal becomes a note."""
        count = more.get("max_count", more.get("min_count", 1))
        body = {"server": {"name": name, "flavorRef": flavor, "imageRef": self.image(image), "networks": "none", **more}}
        if hints:
            body["os:scheduler_hints"] = hints
        if self.attempt(name, lambda: self.project(project).nova("POST", "/servers", body)) and wait:
            self.settle(*([f"{name}-{number + 1}" for number in range(count)] if count > 1 else [name]))

    def attempt(self, what: str, action) -> bool:
        try:
            action()
            return True
        except Refused as refusal:
            self.notes[what] = f"refused: {refusal}"
            return False

    def server(self, name: str) -> dict:
        return self.cloud.nova("GET", f"/servers/{self.id(name)}")["server"]

    def id(self, name: str) -> str:
        if name not in self._ids:
            for server, identity, *_ in self._servers():
                self._ids[server] = identity
        return self._ids[name]

    def _servers(self) -> list[tuple]:
        """Name, id, state, task of all servers. Asked of the databases: what the API says of them costs much more."""
        # The row of the cell that the server is mapped to: on its way to another cell it has one in both.
        parts = [f"select i.display_name, i.uuid, i.vm_state, i.task_state from {cell}.instances i "
                 "join nova_api.instance_mappings m on m.instance_uuid = i.uuid join nova_api.cell_mappings c on c.id = m.cell_id "
                 f"where i.deleted = 0 and c.name = '{name}'" for cell, name in CELLS.items()]
        return self.stack.database.rows(" union all ".join(parts))

    def settle(self, *names: str, until: str = "") -> None:
        """Until nothing is under way with the servers; `until` names the state that they must reach, or error."""

        def waiting() -> dict[str, str]:
            states = dict.fromkeys(names, "not there")
            for name, _, state, task in self._servers():
                if name in states:
                    idle = task is None and state != "building" and (not until or state in (until, "error"))
                    states[name] = "" if idle else f"{state}, {task}"
            return {name: state for name, state in states.items() if state}

        self._await(f"settled{f' as {until}' if until else ''}", waiting)

    def _await(self, what: str, waiting) -> None:
        end = time.monotonic() + PATIENCE
        while left := waiting():
            if time.monotonic() > end:
                raise TookTooLong(f"not {what} within {PATIENCE} s: {left}")
            time.sleep(0.1)

    def act(self, name: str, action: str, body=None, until: str = "") -> None:
        """An action of the servers' API, and its end."""
        if self.attempt(f"{name} {action}", lambda: self.cloud.nova("POST", f"/servers/{self.id(name)}/action", {action: body})):
            self.settle(name, until=until)

    def delete(self, *names: str) -> None:
        for name in names:
            self.cloud.nova("DELETE", f"/servers/{self.id(name)}")
        self._await("deleted", lambda: {name for name, *_ in self._servers()} & set(names))
        for name in names:
            self._ids.pop(name, None)

    # ---- hosts

    def service(self, host: str, **change) -> None:
        """Changes a compute service: status, forced_down."""
        services = self.cloud.nova("GET", f"/os-services?host={host}&binary=nova-compute")["services"]
        self.cloud.nova("PUT", f"/os-services/{services[0]['id']}", change)

    def silence(self, host: str) -> None:
        """The host ends without a word, an hour ago."""
        self.stack.hosts[host].kill()
        self.stack.database.write(
            "update nova.services set last_seen_up = utc_timestamp() - interval 1 hour, updated_at = utc_timestamp() - interval 1 hour "
            "where host = %s and `binary` = 'nova-compute'", host)

    def reshape(self, host: str, **shape) -> None:
        configuration.write_host(self.stack.home, host, shape)

    def await_no_evacuation(self) -> None:
        """Until the lost host has seen to its evacuations: Nova's API lets it be up only then."""
        self._await("evacuations completed", lambda: self.stack.database.rows(
            "select id from nova.migrations where migration_type = 'evacuation' and status <> 'completed'"))

    def await_one_allocation(self, *names: str) -> None:
        """Until each of the servers holds what it uses on its own host alone, and no migration of it holds anything."""

        instances = " union all ".join(
            f"select uuid, uuid consumer, display_name, node from {cell}.instances where {LIVING} union all "
            f"select i.uuid, m.uuid, i.display_name, '' from {cell}.instances i join {cell}.migrations m on m.instance_uuid = i.uuid"
            for cell in CELLS)

        def others():
            return [row for name in names for row in self.stack.database.rows(
                "select i.display_name, p.name from placement.allocations a "
                "join placement.resource_providers p on p.id = a.resource_provider_id "
                f"join ({instances}) i "
                "on i.consumer = a.consumer_id where i.uuid = %s and i.node <> p.name", self.id(name))]

        self._await("one allocation each", others)
