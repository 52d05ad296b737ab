# SPDX-License-Identifier: Apache-2.0
"""What Nova's own code answers to a case, rebuilt from the case's JSON alone."""

from nova.scheduler.filters import extra_specs_ops
from nova.virt import hardware
from nova import weights as weight_pipeline

from . import nova_objects
from . import nova_runtime
from . import releases


# The provider mapping, from Antelope on. None: the requests name their providers themselves.
_MAPPING = (None,) if releases.has("antelope") else ()


def raised(error):
    """How a case says that Nova failed the whole request."""
    return {"raises": type(error).__name__, "message": str(error)}


class Rebuilt:
    """Nova's objects of a few cases that share hosts and requests; a request is rebuilt once, a host too."""

    def __init__(self):
        self._made = {}

    def spec(self, description):
        return self._once(description, nova_objects.decode)

    def host(self, description):
        state = self._once(description, nova_objects.host_state)
        if state.limits:
            state.limits = nova_objects.decode(description["limits"])
        return state

    def _once(self, description, make):
        key = id(description)
        if key not in self._made:
            self._made[key] = (make(description), description)
        return self._made[key][0]


def judge_filter(case, rebuilt):
    made = nova_runtime.make_filter(case["filter"])
    case["run_filter_once_per_request"] = made.run_filter_once_per_request
    case["run_on_rebuild"] = made.RUN_ON_REBUILD
    host, spec = rebuilt.host(case["host"]), rebuilt.spec(case["spec"])
    give_candidates([host], [case["candidates"]] if "candidates" in case else None)
    tell_who_is_up([case.get("service_up", True)], [host])
    if case["filter"] == "MetricsFilter":
        case["filter_keys"] = sorted(made.keys)
    try:
        case["expected"] = {"result": bool(made.host_passes(host, spec))}
        if "candidates" in case:
            case["expected"]["candidates"] = numbers_of_candidates(host, case["candidates"])
    except Exception as error:
        case["expected"] = raised(error)
    if host.limits != nova_objects.decode(case["host"]["limits"]):
        case["limits_after"] = nova_objects.encode(host.limits)


def judge_filter_pipeline(case, rebuilt):
    manager = nova_runtime.make_host_manager(case["filters"], [])
    states, spec = [rebuilt.host(host) for host in case["hosts"]], rebuilt.spec(case["spec"])
    give_candidates(states, case.get("candidates"))
    tell_who_is_up(case.get("service_up", ()), states)
    try:
        passed = manager.get_filtered_hosts(list(states), spec, case["index"])
        positions = {id(state): position for position, state in enumerate(states)}
        case["expected"] = {"passed": [positions[id(state)] for state in passed]}
        if "candidates" in case:
            case["expected"]["candidates"] = [
                numbers_of_candidates(state, case["candidates"][positions[id(state)]]) for state in passed]
    except Exception as error:
        case["expected"] = raised(error)


def give_candidates(states, offered):
    """Gives each host its allocation candidates, which filters judge from Antelope on. None: each has one."""
    for number, state in enumerate(states):
        if offered is not None:
            state.allocation_candidates = list(offered[number])
        else:
            state.allocation_candidates = [{"allocations": {state.uuid: {"resources": {"VCPU": 1}}},
                                            "mappings": {"": [state.uuid]}}]


def numbers_of_candidates(state, offered):
    """Which of the candidates the filters have left."""
    return [number for number, each in enumerate(offered)
            if any(each is left for left in state.allocation_candidates)]


def tell_who_is_up(answers, states):
    """Has service_is_up answer as the case says; who is not named is up."""
    nova_runtime.SERVICE_GROUP.down = [state.service for state, up in zip(states, answers) if not up]


def judge_weigher_raw(case, rebuilt):
    made = nova_runtime.WEIGHERS[case["weigher"]]()
    host, spec = rebuilt.host(case["host"]), rebuilt.spec(case["spec"])
    case["minval"], case["maxval"] = made.minval, made.maxval
    if case["weigher"] == "MetricsWeigher":
        case["metrics_setting"] = [[name, nova_objects.encode_number(ratio)] for name, ratio in made.setting]
    try:
        raw = made._weigh_object(host, spec)
        case["expected"] = {"raw": nova_objects.encode_number(raw),
                            "multiplier": nova_objects.encode_number(made.weight_multiplier(host))}
    except Exception as error:
        case["expected"] = raised(error)


def judge_weigh_pipeline(case, rebuilt):
    manager = nova_runtime.make_host_manager([], [weigher["name"] for weigher in case["weighers"]])
    states = [rebuilt.host(host) for host in case["hosts"]]
    spec = rebuilt.spec(case["spec"])
    for weigher, description in zip(manager.weighers, case["weighers"]):
        description["minval"], description["maxval"] = weigher.minval, weigher.maxval
    try:
        if len(states) > 1:
            case["steps"] = [_step(weigher, states, spec) for weigher in manager.weighers]
        else:
            case["steps"] = []
        positions = {id(state): position for position, state in enumerate(states)}
        order = manager.get_weighed_hosts(states, spec)
        case["expected"] = {"order": [
            {"index": positions[id(item.obj)], "host": item.obj.host, "node": item.obj.nodename,
             "weight": nova_objects.encode_number(item.weight)} for item in order]}
    except Exception as error:
        case.pop("steps", None)
        case["expected"] = raised(error)


def _step(weigher, states, spec):
    raw = weigher.weigh_objects([weight_pipeline.WeighedObject(state, 0.0) for state in states], spec)
    normalized = weight_pipeline.normalize(raw, minval=weigher.minval, maxval=weigher.maxval)
    return {"weigher": type(weigher).__name__,
            "raw": [nova_objects.encode_number(weight) for weight in raw],
            "normalized": [nova_objects.encode_number(weight) for weight in normalized],
            "multiplier": [nova_objects.encode_number(weigher.weight_multiplier(state)) for state in states]}


def judge_normalize(case, rebuilt):
    weights = nova_objects.decode(case["weights"])
    limits = nova_objects.decode([case["minval"], case["maxval"]])
    case["expected"] = {"result": nova_objects.encode(list(weight_pipeline.normalize(weights, *limits)))}


def judge_extra_specs_match(case, rebuilt):
    try:
        case["expected"] = {"result": bool(extra_specs_ops.match(case["value"], case["req"]))}
    except Exception as error:
        case["expected"] = raised(error)


def judge_consume(case, rebuilt):
    state, spec = nova_objects.host_state(case["host_before"]), nova_objects.decode(case["spec"])
    try:
        state._locked_consume_from_request(spec)
        case["expected"] = {"host_after": nova_objects.host_after(case["host_before"], state),
                            "spec_numa_after": nova_objects.encode(spec.numa_topology)}
    except Exception as error:
        case["expected"] = {"raises": type(error).__name__,
                            "host_after": nova_objects.host_after(case["host_before"], state)}


def judge_numa_fit(case, rebuilt):
    host, wanted = nova_objects.decode(case["host_topology"]), nova_objects.decode(case["instance_topology"])
    limits, requests = nova_objects.decode(case["limits"]), nova_objects.decode(case["pci_requests"])
    stats = None if case["pci_pools"] is None else nova_objects.pools(case["pci_pools"], host)
    try:
        fitted = hardware.numa_fit_instance_to_host(host, wanted, *_MAPPING, limits=limits, pci_requests=requests,
                                                    pci_stats=stats)
        case["expected"] = {"fits": fitted is not None, "result": nova_objects.encode(fitted)}
    except Exception as error:
        case["expected"] = {"raises": type(error).__name__}


def judge_numa_usage(case, rebuilt):
    host, used = nova_objects.decode(case["host_topology"]), nova_objects.decode(case["instance_topology"])
    try:
        after = hardware.numa_usage_from_instance_numa(host, used, free=case["free"])
        case["expected"] = {"result": nova_objects.encode(after)}
    except Exception as error:
        case["expected"] = {"raises": type(error).__name__}


def judge_pci(case, rebuilt):
    stats = nova_objects.pools(case["pools_before"], nova_objects.decode(case["numa_topology"]))
    requests, cells = nova_objects.decode(case["requests"]), nova_objects.decode(case["numa_cells"])
    answer = {}
    try:
        result = getattr(stats, case["method"])(requests, *_MAPPING, cells)
        if case["method"] == "support_requests":
            answer["result"] = result
    except Exception as error:
        answer["raises"] = type(error).__name__
    answer["pools_after"] = [dict(pool) for pool in stats.pools]
    case["expected"] = answer


JUDGES = {
    "filter": judge_filter,
    "filter_pipeline": judge_filter_pipeline,
    "weigher_raw": judge_weigher_raw,
    "weigh_pipeline": judge_weigh_pipeline,
    "normalize": judge_normalize,
    "extra_specs_match": judge_extra_specs_match,
    "consume": judge_consume,
    "numa_fit": judge_numa_fit,
    "numa_usage": judge_numa_usage,
    "pci_support_requests": judge_pci,
    "pci_apply_requests": judge_pci,
}
