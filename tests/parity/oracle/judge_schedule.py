# SPDX-License-Identifier: Apache-2.0
"""A whole request through Nova's own scheduler manager; the answers to claims come from the case."""

import collections
from unittest import mock

from . import judge
from . import nova_objects
from . import nova_runtime


def judge_schedule(case, rebuilt):
    """Fills in the claims that were made, in the order of the calls, and the selections."""
    answers = [claim["ok"] for claim in case["claims"]]
    case["claims"] = made = []
    states = [nova_objects.host_state(host) for host in case["hosts"]]
    hosts = nova_runtime.make_host_manager(case["filters"], [weigher["name"] for weigher in case["weighers"]])
    for weigher, description in zip(hosts.weighers, case["weighers"]):
        description["minval"], description["maxval"] = weigher.minval, weigher.maxval
    judge.tell_who_is_up(case.get("service_up", ()), states)

    def answer(instance_uuid, alloc_req):
        good = answers[len(made)] if len(made) < len(answers) else True
        made.append({"instance_uuid": instance_uuid, "alloc_req": alloc_req, "ok": good})
        return good

    candidates = case["alloc_reqs_by_rp_uuid"]
    if candidates is not None:
        candidates = collections.defaultdict(list, candidates)
    scheduler = nova_runtime.make_scheduler(hosts, states, answer)
    spec = nova_objects.decode(case["spec"])
    try:
        selections = scheduler._schedule(
            mock.Mock(), spec, case["instance_uuids"], candidates,
            case["provider_summaries"], case["allocation_request_version"], case["return_alternates"])
        listed = nova_objects.encode(selections)
        case["expected"] = {"selections": listed, "selections_wire": nova_objects.wire(listed)}
    except Exception as error:
        case["expected"] = judge.raised(error)


judge.JUDGES["schedule"] = judge_schedule
