# SPDX-License-Identifier: Apache-2.0
"""Where a new server goes: counts, zones, named hosts."""

from scenario import filters, scenario


@scenario("create")
def create(world):
    """One server after the other: the roomiest host first, then the next"""
    for name in ("a", "b", "c", "d"):
        world.boot(name, "large")
    world.boot("e")


@scenario("create-several")
def create_several(world):
    """--min 2 --max 5 in one request: claims of one request count for the next instance of it"""
    world.boot("x", "large", min_count=2, max_count=5)


@scenario("create-too-many")
def create_too_many(world):
    """--min 50 where 14 fit: all or nothing, and no allocation stays"""
    world.boot("x", "large", min_count=50, max_count=50)


@scenario("create-as-many-as-fit")
def create_as_many(world):
    """--min 2 --max 12 where eight fit: Nova asks for all of the maximum"""
    world.boot("x", "large", min_count=2, max_count=12)


@scenario("zone")
def zone(world):
    """--availability-zone, and the default zone for those who name none"""
    world.aggregate("east", ("c1",), zone="east")
    world.aggregate("west", ("c2",), zone="west")
    world.boot("e", availability_zone="east")
    world.boot("w", availability_zone="west")
    world.boot("any")
    world.boot("default", availability_zone="nova")
    world.boot("nowhere", availability_zone="north")


@scenario("zone-filter", before=28, options=filters("AvailabilityZoneFilter"))
def zone_filter(world):
    """The same with the filter of zones as well"""
    world.aggregate("east", ("c1", "c2"), zone="east")
    world.boot("e", "large", availability_zone="east")
    world.boot("f", "large", availability_zone="east")
    world.boot("default", availability_zone="nova")


@scenario("zone-host-node")
def zone_host_node(world):
    """zone:host, zone:host:node and zone::node"""
    world.boot("host", availability_zone="nova:c2")
    world.boot("both", availability_zone="nova:c1:c1")
    world.boot("node", availability_zone="nova::c2")
    world.boot("wrong", availability_zone="nova:c9")
    world.boot("wrongnode", availability_zone="nova:c1:c2")


@scenario("named-host")
def named_host(world):
    """--host and --hypervisor-hostname; unlike a forced host these pass the filters"""
    world.boot("host", host="c2")
    world.boot("node", hypervisor_hostname="c1")
    world.boot("both", host="c1", hypervisor_hostname="c1")
    world.boot("unknown", host="c9")
    world.boot("unknownnode", hypervisor_hostname="c9")
    world.flavor("huge", 20000, 1, 1)
    world.boot("toobig", "huge", host="c2")


@scenario("hints")
def hints(world):
    """same_host and different_host"""
    world.boot("first", host="c2")
    world.boot("same", hints={"same_host": [world.id("first")]})
    world.boot("other", hints={"different_host": [world.id("first")]})
    world.boot("neither", hints={"different_host": [world.id("first"), world.id("other")]})


@scenario("no-valid-host")
def no_valid_host(world):
    """NoValidHost: the words that the user reads, for want of room and for a filter's sake"""
    world.flavor("monster", 999999, 1, 1)
    world.flavor("manycpus", 512, 1, 200)
    world.boot("memory", "monster")
    world.boot("cpus", "manycpus")
    world.boot("architecture", image="arm")
    world.boot("several", "monster", min_count=2, max_count=3)


@scenario("equal-hosts", shapes={host: {"vcpus": 8, "memory_mb": 16384, "local_gb": 400} for host in ("c0", "c1", "c2")},
          equal=(("c0", "c1", "c2"),), compares=("servers", "allocations", "notes"))
def equal_hosts(world):
    """Three hosts of one size: any is right for one server"""
    world.boot("a")
