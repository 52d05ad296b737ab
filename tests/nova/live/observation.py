# SPDX-License-Identifier: Apache-2.0
"""What a scenario has led to, in names alone, so that two runs can be compared member by member."""

import json

CELLS = {"nova": "cell1", "nova_cell0": "cell0", "nova_cell2": "cell2"}  # name of a cell by its database
# A server that moves to another cell has a row in both; the row that its user does not see is hidden.
LIVING = "deleted = 0 and coalesce(hidden, 0) = 0"


class Names:
    """Names for the ids of one run."""

    def __init__(self, database):
        self.servers: dict[str, str] = {}
        self.migrations: dict[str, str] = {}
        for cell in CELLS:
            self.servers.update(database.rows(f"select uuid, display_name from {cell}.instances"))
        for cell in CELLS:
            for uuid, kind, server in database.rows(f"select uuid, migration_type, instance_uuid from {cell}.migrations"):
                self.migrations[uuid] = f"{kind} of {self.servers.get(server, 'an unknown server')}"
        self.providers = dict(database.rows("select uuid, name from placement.resource_providers"))
        self.nodes = {}
        for cell in CELLS:
            self.nodes.update(database.rows(f"select uuid, hypervisor_hostname from {cell}.compute_nodes where deleted = 0"))
        self.cells = dict(database.rows("select uuid, name from nova_api.cell_mappings"))

    def consumer(self, uuid: str) -> str:
        return self.servers.get(uuid) or self.migrations.get(uuid) or "nobody known"


def observe(database, calls: list[dict], notes: dict) -> dict:
    names = Names(database)
    return {
        "servers": _servers(database),
        "allocations": _allocations(database, names),
        "migrations": sorted(
            f"{names.servers.get(server, '?')}: {kind} from {source} to {target}: {status}"
            for cell in CELLS
            for server, kind, source, target, status in database.rows(
                f"select instance_uuid, migration_type, source_compute, dest_compute, status from {cell}.migrations where deleted = 0")
        ),
        "selections": [selections(call["reply"], names) for call in calls],
        "notes": notes,
    }


def _servers(database) -> dict:
    found: dict[str, dict] = {}
    for cell in CELLS:
        for uuid, name, host, node, state, task, zone in database.rows(
            f"select uuid, display_name, host, node, vm_state, task_state, availability_zone from {cell}.instances where {LIVING}"
        ):
            faults = [
                {"code": code, "message": message}
                for code, message in database.rows(
                    f"select code, message from {cell}.instance_faults where instance_uuid = %s and deleted = 0 order by id", uuid)
            ]
            server = {"host": host, "node": node, "state": state, "task": task, "zone": zone, "faults": faults}
            found[name if name not in found else f"{name} twice"] = server
    return found


def _allocations(database, names: Names) -> dict:
    found: dict[str, dict] = {}
    for consumer, provider, resource, used in database.rows(
        "select a.consumer_id, p.name, c.name, a.used from placement.allocations a "
        "join placement.resource_providers p on p.id = a.resource_provider_id "
        "join placement.resource_classes c on c.id = a.resource_class_id"
    ):
        found.setdefault(names.consumer(consumer), {}).setdefault(provider, {})[resource] = used
    return found


def selections(reply: dict | None, names: Names):
    """An answer of the scheduler as it was on the wire, with names for ids."""
    if reply is None:
        return "no answer"
    if reply["failure"]:
        failure = json.loads(reply["failure"])
        return {"failure": {key: failure.get(key) for key in ("class", "module", "message", "args", "kwargs")}}
    return [[_selection(choice, names) for choice in choices] for choices in reply["result"]]


def _selection(choice: dict, names: Names) -> dict:
    data = choice["nova_object.data"]
    request = json.loads(data["allocation_request"]) if data.get("allocation_request") else None
    return {
        "host": data["service_host"],
        "node": data["nodename"],
        "node of the id": names.nodes.get(data["compute_node_uuid"], data["compute_node_uuid"]),
        "cell": names.cells.get(data["cell_uuid"], data["cell_uuid"]),
        "zone": data.get("availability_zone"),
        "limits": _plain(data.get("limits")),
        "version": [choice["nova_object.name"], choice["nova_object.version"], data.get("allocation_request_version")],
        "allocations": request and {
            names.providers.get(provider, provider): part["resources"] for provider, part in request["allocations"].items()},
        "mappings": request and {
            group: sorted(names.providers.get(provider, provider) for provider in providers)
            for group, providers in request.get("mappings", {}).items()},
    }


def _plain(value):
    """The data of versioned objects without what only says which fields were set."""
    if isinstance(value, dict):
        if "nova_object.data" in value:
            return {"name": value["nova_object.name"], "version": value["nova_object.version"],
                    **{key: _plain(part) for key, part in sorted(value["nova_object.data"].items())}}
        return {key: _plain(part) for key, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, list) else value


# ---- comparing


def with_equal_hosts(value, equal: tuple):
    """The same with one name for all hosts of a set of equal weight."""
    renamed = {host: "|".join(sorted(hosts)) for hosts in equal for host in hosts}
    if isinstance(value, dict):
        return {renamed.get(key, key): with_equal_hosts(part, equal) for key, part in value.items()}
    if isinstance(value, list):
        return [with_equal_hosts(part, equal) for part in value]
    return renamed.get(value, value) if isinstance(value, str) else value


def differences(first, second, path: str = "") -> list[str]:
    """A line for each member that is not the same in both."""
    if isinstance(first, dict) and isinstance(second, dict):
        lines = []
        for key in sorted({*first, *second}, key=str):
            here = f"{path}.{key}" if path else str(key)
            if key not in first or key not in second:
                only = first if key in first else second
                lines.append(f"{here}: only with {'the first' if key in first else 'the second'}: {json.dumps(only[key])}")
            else:
                lines += differences(first[key], second[key], here)
        return lines
    if isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        return [line for number, pair in enumerate(zip(first, second)) for line in differences(*pair, f"{path}[{number}]")]
    return [] if first == second else [f"{path}: {json.dumps(first)} and {json.dumps(second)}"]


def summary(observed: dict) -> str:
    """Where the servers are, in one short line."""
    parts = []
    for name, server in sorted(observed["servers"].items()):
        state = {"active": "", "error": "ERROR"}.get(server["state"], server["state"])
        parts.append(f"{name}={' '.join(filter(None, (server['host'], state)))}")
    notes = [f"{what}: {note}" for what, note in sorted(observed["notes"].items())]
    return "; ".join([", ".join(parts), *notes, *observed.get("remarks", [])])


def refused_beside_room(servers: list[tuple[str, str]], places: dict[str, int]) -> tuple[list[str], list[str]]:
    """Of servers with their states and hosts: the hosts that had a place left though a server was refused, and those that
    placement gave more than they have room for."""
    used = {host: sum(state == "ACTIVE" and where == host for state, where in servers) for host in places}
    is_refused = any(state == "ERROR" for state, _ in servers)
    return [host for host in places if is_refused and used[host] < places[host]], [host for host in places if used[host] > places[host]]
