# SPDX-License-Identifier: Apache-2.0
"""Server groups."""

from collections import Counter

from scenario import scenario


@scenario("group-affinity")
def affinity(world):
    """Members share a host until it is full, without alternates elsewhere; the next is refused"""
    world.flavor("third", 12000, 1, 1)
    hint = {"group": world.group("g", "affinity")}
    for name in ("a", "b", "c"):
        world.boot(name, "third", hints=hint)


@scenario("group-anti-affinity")
def anti_affinity(world):
    """Three members on three hosts; a fourth is refused"""
    hint = {"group": world.group("g", "anti-affinity")}
    for name in ("a", "b", "c", "d"):
        world.boot(name, hints=hint)


@scenario("group-max-server-per-host")
def limit(world):
    """anti-affinity with max_server_per_host 2: six members, a seventh is refused"""
    hint = {"group": world.group("g", "anti-affinity", max_server_per_host=2)}
    for name in "abcdefg":
        world.boot(name, hints=hint)


@scenario("group-soft-affinity")
def soft_affinity(world):
    """Members together while there is room, then apart"""
    world.flavor("third", 12000, 1, 1)
    hint = {"group": world.group("g", "soft-affinity")}
    for name in ("a", "b", "c", "d"):
        world.boot(name, "third", hints=hint)


@scenario("group-soft-anti-affinity")
def soft_anti_affinity(world):
    """Members apart while there are hosts, then together"""
    hint = {"group": world.group("g", "soft-anti-affinity")}
    for name in ("a", "b", "c", "d"):
        world.boot(name, hints=hint)


@scenario("group-in-one-request")
def one_request(world):
    """Three members of an anti-affinity group in one request, and four, one too many"""
    world.boot("x", hints={"group": world.group("g", "anti-affinity")}, min_count=3, max_count=3)
    world.boot("y", hints={"group": world.group("h", "anti-affinity")}, min_count=4, max_count=4)


@scenario("group-five-at-once", compares=("notes",))
def five_at_once(world):
    """Five boots at once into an anti-affinity group of three hosts: one member a host, the others end in ERROR"""
    hint = {"group": world.group("g", "anti-affinity")}
    names = ["a", "b", "c", "d", "e"]
    for name in names:
        world.boot(name, hints=hint, wait=False)
    world.settle(*names)
    servers = [world.server(name) for name in names]
    hosts = Counter(server["OS-EXT-SRV-ATTR:host"] for server in servers if server["status"] == "ACTIVE")
    world.notes["most members of a host"] = max(hosts.values(), default=0)
    world.notes["ACTIVE and ERROR alone"] = all(server["status"] in ("ACTIVE", "ERROR") for server in servers)
    world.notes["some ACTIVE"] = bool(hosts)
