# SPDX-License-Identifier: Apache-2.0
"""Two cells: c0 and c1 in the first, c2 in the second."""

from scenario import scenario

# Nobody may by Nova's own rules.
OVER_CELLS = {"compute:servers:resize:cross_cell": ""}


@scenario("two-cells", dump="two")
def two_cells(world):
    """Servers go to both cells; alternates stay in the cell of the first choice"""
    world.boot("a")
    world.boot("b", host="c2")
    world.boot("c", "large", min_count=4, max_count=4)


@scenario("disabled-cell", dump="two")
def disabled_cell(world):
    """Hosts of a disabled cell are passed over as soon as the scheduler is told (SIGHUP)"""
    world.boot("before", host="c2")
    cell = world.stack.database.rows("select uuid from nova_api.cell_mappings where name = 'cell2'")[0][0]
    world.stack.manage("cell_v2", "update_cell", "--cell_uuid", cell, "--disable",
                       "--transport-url", world.stack.home.broker_url("cell2"),
                       "--database_connection", world.stack.home.database_url("nova_cell2"))
    world.scheduler.reload()
    world.boot("after", host="c2")
    world.boot("any")


@scenario("group-over-cells", dump="two")
def group(world):
    """An anti-affinity group with members in both cells"""
    hint = {"group": world.group("g", "anti-affinity")}
    for name in ("a", "b", "c", "d"):
        world.boot(name, hints=hint)


@scenario("failed-build-in-cell", dump="two", shapes={"c0": {"build": "fails"}})
def failed_build(world):
    """A failed build takes an alternate of the same cell"""
    world.boot("a")


@scenario("live-migrate-within-cell", dump="two")
def live_migrate(world):
    """A move stays within the cell of the server"""
    world.boot("a")
    world.act("a", "os-migrateLive", {"host": None, "block_migration": "auto"}, until="active")
    world.boot("b", host="c2")
    world.act("b", "migrate")


@scenario("resize-over-cells", dump="two", policies=OVER_CELLS)
def resize_over_cells(world):
    """A resize goes to the other cell where its own has no host left; back and there again; and home"""
    world.boot("a", host="c0")
    world.service("c1", status="disabled")
    world.act("a", "resize", {"flavorRef": "medium"}, until="resized")
    world.act("a", "revertResize", until="active")
    world.await_one_allocation("a")
    world.act("a", "resize", {"flavorRef": "medium"}, until="resized")
    world.act("a", "confirmResize", until="active")
    world.await_one_allocation("a")
    world.act("a", "resize", {"flavorRef": "large"}, until="resized")
    world.act("a", "confirmResize", until="active")
    world.await_one_allocation("a")


@scenario("resize-prefers-its-cell", dump="two", policies=OVER_CELLS)
def resize_prefers_its_cell(world):
    """A resize that may leave its cell stays where the cell has room, and alternates with it"""
    world.boot("a", host="c0")
    world.act("a", "resize", {"flavorRef": "medium"}, until="resized")


@scenario("migrate-over-cells", dump="two", policies=OVER_CELLS)
def migrate_over_cells(world):
    """A cold migration to a named host of the other cell: reverted, confirmed, and home"""
    world.boot("a", host="c0")
    world.act("a", "migrate", {"host": "c2"}, until="resized")
    world.act("a", "revertResize", until="active")
    world.await_one_allocation("a")
    for host in ("c2", "c1"):
        world.act("a", "migrate", {"host": host}, until="resized")
        world.act("a", "confirmResize", until="active")
        world.await_one_allocation("a")
