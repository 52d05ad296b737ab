# SPDX-License-Identifier: Apache-2.0
"""Traits, classes of resources, trees of providers, CPUs and devices."""

from scenario import scenario

NUMA = {"numa": [
    {"shared": [0, 1], "dedicated": [2, 3, 4, 5], "memory_mb": 16384},
    {"shared": [6, 7], "dedicated": [8, 9, 10, 11], "memory_mb": 16384},
]}
PAGES = {"numa": [{"shared": list(range(8)), "dedicated": [], "memory_mb": 16384,
                   "pages": [[4, 1048576], [2048, 4096], [1048576, 4]]}]}


@scenario("traits")
def traits(world):
    """trait:X required and forbidden, on the flavor and by the driver's own traits"""
    world.give_traits("c1", "HW_CPU_X86_AVX2", "CUSTOM_GOLD")
    world.give_traits("c2", "HW_CPU_X86_AVX2")
    world.flavor("avx", trait__HW_CPU_X86_AVX2="required")
    world.flavor("gold", trait__CUSTOM_GOLD="required")
    world.flavor("base", trait__HW_CPU_X86_AVX2="required", trait__CUSTOM_GOLD="forbidden")
    world.flavor("unknown", trait__CUSTOM_NOBODY_KNOWS="required")
    world.flavor("unknownforbidden", trait__CUSTOM_NOBODY_KNOWS="forbidden")
    for flavor in ("avx", "gold", "base", "unknown", "unknownforbidden"):
        world.boot(f"s-{flavor}", flavor)


@scenario("custom-resources", shapes={"c1": {"resources": {"CUSTOM_LICENCE": 2}}, "c2": {"resources": {"CUSTOM_LICENCE": 4}}})
def custom(world):
    """resources:CUSTOM_LICENCE, and a class set to 0 by the flavor"""
    world.flavor("licence", resources__CUSTOM_LICENCE=1)
    world.flavor("three", resources__CUSTOM_LICENCE=3)
    world.flavor("metal", resources__CUSTOM_LICENCE=1, resources__VCPU=0, resources__MEMORY_MB=0, resources__DISK_GB=0)
    world.boot("a", "licence")
    world.boot("b", "three")
    world.boot("c", "metal")
    world.boot("d", "metal")


@scenario("nested-providers", equal=(("c1_left", "c1_right"),), shapes={
    "c1": {"children": {"left": {"CUSTOM_SLOT": 3}, "right": {"CUSTOM_SLOT": 3}}}, "c2": {"children": {"only": {"CUSTOM_SLOT": 2}}}})
def nested(world):
    """resources1 and resources2 with group_policy isolate and none: claims in the right children, with mappings"""
    world.flavor("isolated", resources1__CUSTOM_SLOT=2, resources2__CUSTOM_SLOT=2, group_policy="isolate")
    world.flavor("one", resources1__CUSTOM_SLOT=2)
    world.flavor("together", resources1__CUSTOM_SLOT=1, resources2__CUSTOM_SLOT=1, group_policy="none")
    world.boot("a", "isolated")
    world.boot("b", "one")
    world.boot("c", "together")


@scenario("sharing-provider", shapes={host: {"no_disk": True} for host in ("c0", "c1")})
def sharing(world):
    """DISK_GB of a pool that two hosts share: claims in host and pool"""
    placement = world.cloud.placement
    uuid = placement("POST", "/resource_providers", {"name": "pool"})["uuid"]
    amount = {"total": 500, "reserved": 0, "min_unit": 1, "max_unit": 500, "step_size": 1, "allocation_ratio": 1.0}
    placement("PUT", f"/resource_providers/{uuid}/inventories", {"resource_provider_generation": 0, "inventories": {"DISK_GB": amount}})
    placement("PUT", f"/resource_providers/{uuid}/traits", {"resource_provider_generation": 1, "traits": ["MISC_SHARES_VIA_AGGREGATE"]})
    aggregate = "11111111-2222-3333-4444-555555555555"
    for provider in (uuid, world.provider("c0"), world.provider("c1")):
        path = f"/resource_providers/{provider}/aggregates"
        there = placement("GET", path)
        placement("PUT", path, {**there, "aggregates": [aggregate]})
    for name in ("a", "b", "c"):
        world.boot(name, "large")


@scenario("dedicated-cpus", shapes={"c1": NUMA})
def dedicated(world):
    """hw:cpu_policy dedicated: PCPU of the host that has them, and the fallback to VCPU where none is left"""
    world.flavor("pinned", 1024, 1, 2, hw__cpu_policy="dedicated")
    world.flavor("mixed", 1024, 1, 4, hw__cpu_policy="mixed", hw__cpu_dedicated_mask="2-3")
    for name in ("a", "b"):
        world.boot(name, "pinned")
    world.boot("m", "mixed")
    world.flavor("toomany", 1024, 1, 8, hw__cpu_policy="dedicated")
    world.boot("n", "toomany")


@scenario("numa-cells", shapes={"c1": NUMA, "c2": NUMA})
def numa(world):
    """hw:numa_nodes 2 goes to hosts with two cells"""
    world.flavor("two", 2048, 1, 2, hw__numa_nodes=2)
    for name in ("a", "b", "c"):
        world.boot(name, "two")


@scenario("huge-pages", shapes={"c2": PAGES})
def pages(world):
    """hw:mem_page_size large: the host with free large pages, until they are used up"""
    world.flavor("paged", 4096, 1, 1, hw__mem_page_size="large")
    world.flavor("big", 2048, 1, 1, hw__mem_page_size="1GB")
    for name in ("a", "b"):
        world.boot(name, "big")
    for name in ("c", "d", "e"):
        world.boot(name, "paged")


@scenario("pci-alias", shapes={"c1": {"devices": 1}, "c2": {"devices": 2}})
def devices(world):
    """pci_passthrough:alias: hosts with a free device; others are for servers without (the weigher of devices)"""
    world.flavor("card", pci_passthrough__alias="card:1")
    world.flavor("cards", pci_passthrough__alias="card:2")
    world.boot("plain")
    world.boot("two", "cards")
    world.boot("one", "card")
    world.boot("more", "card")


@scenario("image-type", options={"scheduler": {"query_placement_for_image_type_support": True, "image_metadata_prefilter": True}})
def image_type(world):
    """query_placement_for_image_type_support and image_metadata_prefilter"""
    world.boot("raw")
    world.boot("arm", image="arm")
