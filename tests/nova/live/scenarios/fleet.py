# SPDX-License-Identifier: Apache-2.0
"""Hosts come, go, fall silent and fail."""

import time
from collections import Counter

from observation import refused_beside_room
from scenario import scenario


@scenario("service-disabled")
def disabled(world):
    """A disabled host is passed over by the next request, and used by the next after it is enabled"""
    world.service("c0", status="disabled", disabled_reason="maintenance")
    world.boot("a")
    world.service("c0", status="enabled")
    world.boot("b")


@scenario("forced-down")
def forced_down(world):
    """A host that is forced down is passed over"""
    world.service("c0", forced_down=True)
    world.boot("a")
    world.service("c0", forced_down=False)
    world.boot("b")


@scenario("silent-host", options={"DEFAULT": {"service_down_time": 25}})
def silent(world):
    """A host that has not been heard of for service_down_time is passed over"""
    world.stack.hosts["c0"].kill()
    time.sleep(27)
    world.boot("a")


@scenario("host-deleted-and-new")
def deleted_and_new(world):
    """A host that is deleted is gone at once; it returns when it is discovered again"""
    service = world.cloud.nova("GET", "/os-services?host=c0&binary=nova-compute")["services"][0]["id"]
    world.stack.hosts["c0"].kill()
    world.cloud.nova("DELETE", f"/os-services/{service}")
    world.boot("without")
    world.stack.start_hosts(("c0",))
    world.boot("unmapped")
    world.stack.manage("cell_v2", "discover_hosts")
    world.boot("discovered")


@scenario("failed-build", shapes={"c0": {"build": "fails"}})
def failed_build(world):
    """The first host fails to build: the conductor takes the alternate"""
    world.boot("a")


@scenario("failed-builds", shapes={"c0": {"build": "fails"}, "c1": {"build": "fails"}})
def failed_builds(world):
    """Two hosts fail to build: the third takes the server"""
    world.boot("a")


@scenario("all-builds-fail", shapes={host: {"build": "fails"} for host in ("c0", "c1", "c2")})
def all_builds_fail(world):
    """All hosts fail to build: ERROR, and nothing stays claimed"""
    world.boot("a")


@scenario("aborted-build", shapes={"c0": {"build": "aborts"}})
def aborted_build(world):
    """A build that is aborted is not tried elsewhere; the next server shuns the host (the weigher of failed builds)"""
    world.boot("a")
    world.boot("b")


@scenario("fleet-emptied-and-filled", compares=("notes",))
def emptied_and_filled(world):
    """A full fleet is emptied and filled again at once: no refusal while there is room"""
    world.flavor("ninth", 7500, 1, 1)
    names = [f"s{number}" for number in range(9)]
    for name in names:
        world.boot(name, "ninth", wait=False)
    world.settle(*names)
    world.notes["filled"] = sorted(Counter(world.server(name)["status"] for name in names).items())
    world.delete(*names)
    again = [f"t{number}" for number in range(9)]
    for name in again:
        world.boot(name, "ninth", wait=False)
    world.settle(*again)
    world.notes["filled again"] = sorted(Counter(world.server(name)["status"] for name in again).items())
    world.notes["hosts"] = sorted(Counter(str(world.server(name)["OS-EXT-SRV-ATTR:host"]) for name in again).items())


@scenario("last-place", compares=("notes",))
def last_place(world):
    """Six boots at once for four places, in whatever order they come: none is refused while a place is free"""
    world.flavor("half", 15000, 1, 1)
    names = [f"s{number}" for number in range(6)]
    for name in names:
        world.boot(name, "half", wait=False)
    world.settle(*names)
    servers = [world.server(name) for name in names]
    free, twice = refused_beside_room(
        [(server["status"], server["OS-EXT-SRV-ATTR:host"]) for server in servers], {"c0": 2, "c1": 1, "c2": 1})
    world.notes["refused while there was a place on"] = free
    # Claims that race may both succeed in placement: no scheduler's doing.
    world.remarks += [f"placement granted the room of {host} twice" for host in twice]
