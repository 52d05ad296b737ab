# SPDX-License-Identifier: Apache-2.0
"""Aggregates: extra specs, images, tenants."""

from scenario import filters, scenario


@scenario("aggregate-extra-specs", options=filters("AggregateInstanceExtraSpecsFilter"))
def extra_specs(world):
    """A flavor goes where the aggregate has its keys; at once after a host has joined or left"""
    fast = world.aggregate("fast", ("c1",), disk="ssd", cores="12")
    world.flavor("ssd", aggregate_instance_extra_specs__disk="ssd")
    world.flavor("most", aggregate_instance_extra_specs__cores=">= 10")
    world.flavor("either", aggregate_instance_extra_specs__disk="<or> ssd <or> nvme")
    for flavor in ("ssd", "most", "either"):
        world.boot(f"{flavor}1", flavor)
    world.cloud.nova("POST", f"/os-aggregates/{fast}/action", {"add_host": {"host": "c0"}})
    world.boot("joined", "ssd")
    world.cloud.nova("POST", f"/os-aggregates/{fast}/action", {"remove_host": {"host": "c0"}})
    world.boot("left", "ssd")
    world.cloud.nova("POST", f"/os-aggregates/{fast}/action", {"set_metadata": {"metadata": {"disk": None}}})
    world.boot("gone", "ssd")


@scenario("aggregate-image-properties", options=filters("AggregateImagePropertiesIsolation"))
def image_properties(world):
    """Images go where the aggregate permits their properties"""
    world.aggregate("licensed", ("c0",), os_type="windows")
    world.boot("windows", image="windows")
    world.boot("linux", image="linux")
    world.boot("plain")


@scenario("aggregate-tenants", options=filters("AggregateMultiTenancyIsolation"))
def tenants(world):
    """An aggregate of one tenant: the tenant may go there, others must not"""
    one = world.project("one").project_id
    world.aggregate("ones", ("c0",), filter_tenant_id=one)
    world.boot("owner", project="one")
    world.boot("other", project="two")
    world.boot("admin")


@scenario("tenants-by-placement", options={"scheduler": {"limit_tenants_to_placement_aggregate": True}})
def tenants_by_placement(world):
    """limit_tenants_to_placement_aggregate: the tenant goes to its hosts alone, others anywhere"""
    world.aggregate("ones", ("c2",), filter_tenant_id=world.project("one").project_id)
    world.boot("owner", project="one")
    world.boot("other", project="two")


@scenario("tenants-required", options={"scheduler": {
    "limit_tenants_to_placement_aggregate": True, "placement_aggregate_required_for_tenants": True}})
def tenants_required(world):
    """placement_aggregate_required_for_tenants: a tenant without hosts is refused"""
    world.aggregate("ones", ("c2",), filter_tenant_id2=world.project("one").project_id)
    world.boot("owner", project="one")
    world.boot("other", project="two")


@scenario("isolated-aggregates", options={"scheduler": {"enable_isolated_aggregate_filtering": True}})
def isolated(world):
    """enable_isolated_aggregate_filtering: hosts with a licence are for flavors that require it"""
    world.give_traits("c0", "CUSTOM_LICENSED")
    world.aggregate("licensed", ("c0",), trait__CUSTOM_LICENSED="required")
    world.flavor("licensed", trait__CUSTOM_LICENSED="required")
    world.boot("with", "licensed")
    world.boot("without")
