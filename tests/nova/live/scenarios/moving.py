# SPDX-License-Identifier: Apache-2.0
"""Servers that exist are moved."""

from scenario import filters, scenario



@scenario("resize-confirm")
def resize_confirm(world):
    """Resize: while it waits, the migration holds the source; confirmed, the source is free"""
    world.boot("a")
    world.boot("b")
    world.act("a", "resize", {"flavorRef": "medium"}, until="resized")
    world.act("b", "resize", {"flavorRef": "medium"}, until="resized")
    world.act("a", "confirmResize", until="active")
    world.await_one_allocation("a")


@scenario("resize-revert")
def resize_revert(world):
    """Resize and revert: the server is back and the target free"""
    world.boot("a")
    world.act("a", "resize", {"flavorRef": "medium"}, until="resized")
    world.act("a", "revertResize", until="active")
    world.await_one_allocation("a")


@scenario("resize-too-large")
def resize_too_large(world):
    """Resize to a flavor that fits nowhere: the server stays ACTIVE, the fault is NoValidHost's"""
    world.flavor("monster", 999999, 1, 1)
    world.boot("a")
    world.act("a", "resize", {"flavorRef": "monster"})


@scenario("cold-migrate")
def cold_migrate(world):
    """Cold migration, and one to a named host"""
    world.boot("a")
    world.boot("b")
    world.act("a", "migrate", until="resized")
    world.act("a", "confirmResize", until="active")
    world.act("b", "migrate", {"host": "c2"}, until="resized")
    world.act("b", "confirmResize", until="active")
    world.await_one_allocation("a", "b")


@scenario("live-migrate")
def live_migrate(world):
    """Live migration, with and without a host"""
    world.boot("a")
    world.boot("b")
    world.act("a", "os-migrateLive", {"host": None, "block_migration": "auto"}, until="active")
    world.act("b", "os-migrateLive", {"host": "c2", "block_migration": "auto"}, until="active")
    world.await_one_allocation("a", "b")


@scenario("live-migrate-nowhere")
def live_migrate_nowhere(world):
    """Live migration of what fits nowhere else"""
    world.flavor("wide", 30000, 1, 1)
    world.boot("a", "wide")
    world.act("a", "os-migrateLive", {"host": None, "block_migration": "auto"})


@scenario("evacuate")
def evacuate(world):
    """The host of two servers is lost: both are built elsewhere; allocations are double until the host is back"""
    world.boot("a", host="c0")
    world.boot("b", host="c0")
    world.silence("c0")
    world.service("c0", forced_down=True)
    world.act("a", "evacuate", {}, until="active")
    world.act("b", "evacuate", {"host": "c2"}, until="active")


@scenario("evacuate-and-return")
def evacuate_and_return(world):
    """The lost host comes back: what it held is given back"""
    world.boot("a")
    world.silence("c0")
    world.service("c0", forced_down=True)
    world.act("a", "evacuate", {}, until="active")
    world.stack.start_hosts(("c0",))
    world.await_one_allocation("a")
    world.await_no_evacuation()
    world.service("c0", forced_down=False)
    world.boot("b")


@scenario("shelve-unshelve")
def shelve(world):
    """Shelved, offloaded, and unshelved where there is room then"""
    world.boot("a")
    world.act("a", "shelve", until="shelved_offloaded")
    world.flavor("wide", 30000, 1, 1)
    world.boot("filler", "wide")
    world.act("a", "unshelve", until="active")


@scenario("unshelve-to-zone")
def unshelve_to_zone(world):
    """Unshelved into another zone, and to a named host"""
    world.aggregate("east", ("c2",), zone="east")
    world.boot("a")
    world.boot("b")
    for name in ("a", "b"):
        world.act(name, "shelve", until="shelved_offloaded")
    world.act("a", "unshelve", {"availability_zone": "east"}, until="active")
    world.act("b", "unshelve", {"host": "c1"}, until="active")


@scenario("rebuild")
def rebuild(world):
    """Rebuild with another image: the filters run on the server's own host; nothing is claimed"""
    world.boot("a")
    world.act("a", "rebuild", {"imageRef": world.image("linux")}, until="active")


@scenario("rebuild-refused")
def rebuild_refused(world):
    """Rebuild with an image that the host cannot run: NoValidHost"""
    world.boot("a")
    world.act("a", "rebuild", {"imageRef": world.image("arm")})


@scenario("rebuild-aggregate-refused", options=filters("AggregateImagePropertiesIsolation"))
def rebuild_aggregate_refused(world):
    """Rebuild with an image that the host's aggregate does not permit"""
    world.aggregate("licensed", ("c0",), os_type="windows")
    world.boot("a", image="windows")
    world.act("a", "rebuild", {"imageRef": world.image("linux")})


@scenario("migrate-group")
def migrate_group(world):
    """Cold migration within an anti-affinity group: the host without a member"""
    hint = {"group": world.group("g", "anti-affinity")}
    world.boot("a", hints=hint)
    world.boot("b", hints=hint)
    world.act("a", "migrate", until="resized")
    world.act("a", "confirmResize", until="active")
    world.await_one_allocation("a")


@scenario("migrate-refused")
def migrate_target_refused(world):
    """Cold migration to a host without room: refused, the server stays"""
    world.flavor("wide", 14000, 1, 1)
    world.boot("filler", "wide", host="c2")
    world.boot("a", "wide", host="c0")
    world.act("a", "migrate", {"host": "c2"})
