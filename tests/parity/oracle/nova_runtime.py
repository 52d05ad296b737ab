# SPDX-License-Identifier: Apache-2.0
"""Starts as much of Nova as a decision needs: objects, options, filters, weighers. No log, database or bus."""

import contextlib
import datetime
import logging
import os
import sys
import types
from unittest import mock

os.environ.setdefault("OS_NOVA_DISABLE_EVENTLET_PATCHING", "1")
logging.disable(logging.CRITICAL)

import nova.conf  # noqa: E402
from nova import objects  # noqa: E402
from oslo_utils import timeutils  # noqa: E402

objects.register_all()

from nova import servicegroup  # noqa: E402
from nova.scheduler import filters as filter_base  # noqa: E402
from nova.scheduler import host_manager  # noqa: E402
from nova.scheduler import manager  # noqa: E402
from nova.scheduler import utils as scheduler_utils  # noqa: E402
from nova.scheduler import weights as weigher_base  # noqa: E402

CONF = nova.conf.CONF
CONF([], project="nova", default_config_files=[])

FILTERS = {cls.__name__: cls for cls in sorted(filter_base.all_filters(), key=lambda cls: cls.__name__)}
WEIGHERS = {cls.__name__: cls for cls in sorted(weigher_base.all_weighers(), key=lambda cls: cls.__name__)}
_HEARTBEATS = servicegroup.API()


def _fill_metadata(instances):
    """The cell does not know yet the instances that the same request has placed before, and Nova passes over these."""
    for one in instances:
        if "system_metadata" not in one:
            one.system_metadata, one.image_ref = {}, ""


def _need_no_database():
    """ImagePropertiesWeigher goes to a host's cell for what its instances do not have yet. Those of a case have it."""
    objects.InstanceList.fill_metadata = _fill_metadata
    module = sys.modules[WEIGHERS["ImagePropertiesWeigher"].__module__]
    module.nova_context = types.SimpleNamespace(get_admin_context=lambda: None,
                                                target_cell=lambda context, cell: contextlib.nullcontext(None))
    objects.CellMapping.get_by_uuid = staticmethod(lambda context, uuid: None)


if "ImagePropertiesWeigher" in WEIGHERS:
    _need_no_database()


_overridden = {}


def configure(config):
    """Sets exactly the options that `config` names ("group.option": value), all others to their defaults."""
    for name in [name for name in _overridden if name not in config]:
        group, option = _split(name)
        CONF.clear_override(option, group=group)
        del _overridden[name]
    for name, value in config.items():
        if name not in _overridden or _overridden[name] != value:
            group, option = _split(name)
            CONF.set_override(option, value, group=group)
            _overridden[name] = value


def _split(name):
    group, _, option = name.partition(".")
    return (None if group == "DEFAULT" else group), option


class ServiceGroup:
    """Answers service_is_up as a case says, which names the services that are down."""

    def __init__(self):
        self.down = []

    def service_is_up(self, service):
        return not any(service is other for other in self.down)


SERVICE_GROUP = ServiceGroup()


def make_filter(name):
    """A fresh filter (it reads its options when it is made), or one that passes every host for a name like FakeX."""
    if name.startswith("Fake"):
        return type(name, (FILTERS["AllHostsFilter"],), {"run_filter_once_per_request": False})()
    made = FILTERS[name]()
    if name == "ComputeFilter":
        made.servicegroup_api = SERVICE_GROUP
    return made


def make_host_manager(filter_names, weigher_names):
    """Nova's own host manager with these filters and weighers, made without its look into the database."""
    made = host_manager.HostManager.__new__(host_manager.HostManager)
    made.filter_handler = filter_base.HostFilterHandler()
    made.weight_handler = weigher_base.HostWeightHandler()
    made.enabled_filters = [make_filter(name) for name in filter_names]
    made.weighers = [WEIGHERS[name]() for name in weigher_names]
    return made


class _Scheduler(manager.SchedulerManager):
    """Its client is a property that asks for the service, in some releases."""


_Scheduler.placement_client = mock.Mock()


def make_scheduler(hosts_of_manager, hosts, answer_claim):
    """Nova's own scheduler manager over given hosts; answer_claim(instance_uuid, alloc_req) stands in for placement."""
    made = _Scheduler.__new__(_Scheduler)
    made.host_manager = hosts_of_manager
    made.host_manager.get_host_states_by_uuids = lambda context, uuids, spec: iter(hosts)

    def claim(context, client, spec, instance_uuid, alloc_req, allocation_request_version=None):
        return answer_claim(instance_uuid, alloc_req)

    scheduler_utils.claim_resources = claim
    return made


def service_is_up(description, now):
    """Nova's own answer, from the times of a service's record."""
    service = dict(description)
    for name in ("last_seen_up", "created_at"):
        if service[name] is not None:
            service[name] = datetime.datetime.fromisoformat(service[name]["_datetime"])
    timeutils.set_time_override(now)
    try:
        return _HEARTBEATS.service_is_up(service)
    finally:
        timeutils.clear_time_override()
