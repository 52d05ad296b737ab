# SPDX-License-Identifier: Apache-2.0
"""Writes the configuration files of all services."""

import json
import uuid
from pathlib import Path

import release
from home import HOSTS, PORTS, SECRET, Home

FILTERS = (
    "ComputeFilter,ComputeCapabilitiesFilter,ImagePropertiesFilter,ServerGroupAntiAffinityFilter,"
    "ServerGroupAffinityFilter,SameHostFilter,DifferentHostFilter,NUMATopologyFilter,PciPassthroughFilter"
)
ALIAS = {"vendor_id": "8086", "product_id": "10ed", "device_type": "type-PCI", "name": "card"}

# Unlike sizes: the weights of two hosts are equal only where a scenario wants them to be.
SIZES = {
    "c0": {"vcpus": 16, "memory_mb": 32768, "local_gb": 1000},
    "c1": {"vcpus": 12, "memory_mb": 24576, "local_gb": 800},
    "c2": {"vcpus": 8, "memory_mb": 16384, "local_gb": 600},
}

Sections = dict[str, dict[str, object]]


def write(path: Path, *layers: Sections) -> None:
    merged: Sections = {}
    for layer in layers:
        for section, options in layer.items():
            merged.setdefault(section, {}).update(options)
    lines = []
    for section, options in merged.items():
        lines.append(f"[{section}]")
        lines += [f"{name} = {value}" for name, value in options.items()]
    path.write_text("\n".join(lines) + "\n")


def login(home: Home, user: str = "nova") -> dict[str, object]:
    return {
        "auth_type": "password",
        "auth_url": home.url("keystone") + "/v3",
        "username": user,
        "password": SECRET,
        "project_name": "service",
        "user_domain_name": "Default",
        "project_domain_name": "Default",
    }


def nova(home: Home) -> Sections:
    return {
        "DEFAULT": {
            "transport_url": home.broker_url(),
            "state_path": home.file("state"),
            "host": "controller",
            "my_ip": "127.0.0.1",
            "enabled_apis": "osapi_compute",
            "osapi_compute_listen": "127.0.0.1",
            "osapi_compute_listen_port": PORTS["nova-api"],
            "osapi_compute_workers": 1,
            "service_down_time": 60,
            "report_interval": 10,
            "cpu_allocation_ratio": 4.0,
            "ram_allocation_ratio": 1.0,
            "disk_allocation_ratio": 1.0,
            "running_deleted_instance_poll_interval": 0,
            "shelved_offload_time": 0,
        },
        "api": {"auth_strategy": "keystone"},
        "api_database": {"connection": home.database_url("nova_api")},
        "database": {"connection": home.database_url("nova")},
        "quota": {"driver": "nova.quota.NoopQuotaDriver"},
        "placement": login(home),
        "glance": {"api_servers": home.url("glance")},
        "neutron": {"auth_type": "none", "endpoint_override": home.url("neutron")},
        "cinder": {"auth_type": "none"},
        "oslo_concurrency": {"lock_path": home.file("state", "locks")},
        "scheduler": {"workers": 1},
        "conductor": {"workers": 1},
        "filter_scheduler": {"enabled_filters": FILTERS},
        "pci": {"alias": json.dumps(ALIAS)},
        "oslo_policy": {"policy_file": home.file("etc", "policy.json")},
        "keystone_authtoken": {"www_authenticate_uri": home.url("keystone"), **login(home)},
    }


def host(home: Home, name: str, has_rounds: bool) -> Sections:
    return {
        "DEFAULT": {
            "host": name,
            "compute_driver": "fake_host.FakeHost",
            "state_path": home.file("state", name),
            # A host counts a build as under way until the next round of this task. Without it no play depends on when that is.
            **({} if has_rounds else {"update_resources_interval": -1}),
        },
        "oslo_concurrency": {"lock_path": home.file("state", name, "locks")},
        "pci": {"device_spec": json.dumps({"vendor_id": ALIAS["vendor_id"], "product_id": ALIAS["product_id"]})},
    }


def write_scheduler(home: Home, options: Sections, name: str = "nova-scheduler") -> None:
    """nova.conf as the scheduler reads it: the deployment's own, and the options of a scenario."""
    write(home.file("etc", f"{name}.conf"), nova(home), options)


def write_placement(home: Home, database_url: str, name: str = "placement") -> None:
    write(
        home.file("etc", f"{name}.conf"),
        {"api": {"auth_strategy": "keystone"}, "placement_database": {"connection": database_url},
         "keystone_authtoken": login(home)},
    )


def write_policies(home: Home, policies: dict[str, str]) -> None:
    """Nova's API reads the file again when it has changed."""
    home.file("etc", "policy.json").write_text(json.dumps(policies))


def write_host(home: Home, name: str, shape: dict | None = None) -> None:
    """What the fake host `name` has and how it behaves."""
    home.file("etc", f"{name}.json").write_text(json.dumps({**SIZES[name], **(shape or {})}))


def write_nova_compute(home: Home, name: str, has_rounds: bool = False) -> None:
    """`has_rounds`: the host counts and frees each minute what it has, as a real one does."""
    write(home.file("etc", f"{name}.conf"), host(home, name, has_rounds))


def write_all(home: Home) -> None:
    write(home.file("etc", "nova.conf"), nova(home))
    cell2: Sections = {
        "DEFAULT": {"transport_url": home.broker_url("cell2"), "host": "controller2"},
        "database": {"connection": home.database_url("nova_cell2")},
    }
    write(home.file("etc", "nova-cell2.conf"), nova(home), cell2)
    write_policies(home, {})
    write_scheduler(home, {})
    for name in HOSTS:
        home.file("state", name).mkdir(exist_ok=True)
        write_nova_compute(home, name)
        node = home.file("state", name, "compute_id")
        if release.has_module("nova.virt.node") and not node.exists():
            node.write_text(str(uuid.uuid4()))
        write_host(home, name)
    authtoken: Sections = {"keystone_authtoken": login(home)}
    write_placement(home, home.database_url("placement"))
    write(
        home.file("etc", "keystone.conf"),
        {
            "database": {"connection": home.database_url("keystone")},
            "token": {"provider": "fernet", "expiration": 86400},
            "fernet_tokens": {"key_repository": home.file("state", "fernet")},
            "credential": {"key_repository": home.file("state", "credentials")},
        },
    )
    write(
        home.file("etc", "glance-api.conf"),
        {
            "DEFAULT": {"bind_host": "127.0.0.1", "bind_port": PORTS["glance"], "workers": 1, "enabled_backends": "disk:file"},
            "glance_store": {"default_backend": "disk"},
            "disk": {"filesystem_store_datadir": home.file("state", "images")},
            "database": {"connection": home.database_url("glance")},
            "paste_deploy": {"flavor": "keystone", "config_file": "/etc/glance/glance-api-paste.ini"},
        },
        authtoken,
    )
    home.file("etc", "rabbitmq.conf").write_text(
        f"listeners.tcp.1 = 127.0.0.1:{PORTS['broker']}\ndefault_user = nova\ndefault_pass = {SECRET}\n"
    )
    home.file("etc", "enabled_plugins").write_text("[].\n")
    # Copies of all messages, for the tap, from the first one after each start.
    home.file("etc", "advanced.config").write_text('[{rabbit, [{trace_vhosts, [<<"/">>]}]}].\n')
