# SPDX-License-Identifier: Apache-2.0
"""What Nova's own code asks placement for a request: request filters, resource request, query string."""

import collections
from unittest import mock

from nova import exception
from nova import objects
from nova.scheduler import request_filter
from nova.scheduler import utils

from . import judge
from . import nova_objects

FILTERS = {function.__name__: function for function in request_filter.ALL_REQUEST_FILTERS}


def _asked(request):
    return {"querystring": request.to_querystring(), "limit": request._limit, "group_policy": request.group_policy}


def judge_resource_request(case, rebuilt):
    try:
        request = utils.ResourceRequest.from_request_spec(nova_objects.decode(case["spec"]),
                                                          case["enable_pinning_translate"])
        case["expected"] = _asked(request) | {
            "cpu_pinning_requested": request.cpu_pinning_requested,
            "suffixed_groups_from_flavor": request.suffixed_groups_from_flavor,
            "groups": [[suffix, nova_objects.encode(group)] for suffix, group in request._rg_by_id.items()]}
    except Exception as error:
        case["expected"] = judge.raised(error)


class _HostManager:
    def __init__(self, nodes):
        self._nodes = nodes

    def get_compute_nodes_by_host_or_node(self, context, host, node, cell=None):
        return [objects.ComputeNode(**each) for each in self._nodes
                if (not host or each["host"] == host) and (not node or each["hypervisor_hostname"] == node)]


def judge_resources_from_request_spec(case, rebuilt):
    spec = nova_objects.decode(case["spec"])
    try:
        request = utils.resources_from_request_spec(None, spec, _HostManager(case.get("compute_nodes", ())),
                                                    case["enable_pinning_translate"])
        case["expected"] = _asked(request) | {"destination_after": nova_objects.encode(
            spec.requested_destination if "requested_destination" in spec else None)}
    except Exception as error:
        case["expected"] = judge.raised(error)


class _Neutron:
    """Neutron and placement's segments, as a case describes them."""

    def __init__(self, neutron):
        self._neutron = neutron

    def show_port(self, context, port_id):
        port = self._neutron["ports"][port_id]
        subnets = [{"subnet_id": port["subnet_id"]}] if port["subnet_id"] else []
        return {"port": {"network_id": port["network_id"], "fixed_ips": subnets}}

    def is_remote_managed_port(self, context, port_id):
        return self._neutron["ports"][port_id]["vnic_type"] == "remote-managed"

    def _segments(self, of, name):
        if self._neutron[of][name] is None:
            raise exception.InvalidRoutedNetworkConfiguration(f"{name} not found")
        return self._neutron[of][name]

    def get_segment_ids_for_network(self, context, network_id):
        return self._segments("networks", network_id)

    def get_segment_id_for_subnet(self, context, subnet_id):
        return next(iter(self._segments("subnets", subnet_id)), None)

    def _get_provider_aggregates(self, context, segment_id):
        known = self._neutron["segments"][segment_id]
        return None if known is None else collections.namedtuple("Known", "aggregates")(known)


class _Aggregates:
    """Nova's three look-ups in its table of aggregates; an answer holds only the metadata that was asked for."""

    def __init__(self, aggregates):
        self._aggregates = aggregates

    def _with(self, matches):
        for each in self._aggregates:
            metadata = {key: value for key, value in each["metadata"].items() if matches(key, value)}
            if metadata:
                yield objects.Aggregate(uuid=each["uuid"], metadata=metadata)

    def get_by_metadata(self, context, key=None, value=None):
        assert key is not None or value is not None
        return list(self._with(lambda name, text: key in (None, name) and value in (None, text)))

    def get_non_matching_by_metadata_keys(self, context, ignored_keys, key_prefix, value):
        return list(self._with(lambda name, text: text == value and name.startswith(key_prefix) and
                               name not in ignored_keys))


def judge_request_filter(case, rebuilt):
    spec, neutron = nova_objects.decode(case["spec"]), case.get("neutron")
    found = [each for query in case.get("aggregate_queries", ()) for each in query["returns"]]
    known = _Aggregates(case.get("aggregates", found))
    with mock.patch.object(request_filter.neutron, "API", lambda: _Neutron(neutron)), \
            mock.patch.object(request_filter.report, "report_client_singleton", lambda: _Neutron(neutron)), \
            mock.patch.object(objects.AggregateList, "get_by_metadata", known.get_by_metadata), \
            mock.patch.object(objects.AggregateList, "get_non_matching_by_metadata_keys",
                              known.get_non_matching_by_metadata_keys), \
            mock.patch.object(objects.service, "get_minimum_version_all_cells",
                              lambda context, binaries: case["lowest_compute_version"]):
        try:
            ran = FILTERS[case["request_filter"]](None, spec)
            case["expected"] = {"ran": bool(ran), "spec_after": nova_objects.encode(spec)}
        except Exception as error:
            case["expected"] = judge.raised(error)


judge.JUDGES.update({"request_filter": judge_request_filter, "resource_request": judge_resource_request,
                     "resources_from_request_spec": judge_resources_from_request_spec})
