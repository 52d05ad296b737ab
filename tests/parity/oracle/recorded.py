# SPDX-License-Identifier: Apache-2.0
"""Proves the oracle's reading of the format: recorded decisions of Zed, judged anew, must come out the same."""

import collections
import json
import sys

from . import judge
from . import host_updates  # noqa: F401  (adds its kind)
from . import judge_placement  # noqa: F401  (adds its kinds)
from . import judge_schedule  # noqa: F401  (adds its kind)
from . import nova_objects
from . import nova_runtime

ANSWERS = ("expected", "limits_after", "filter_keys", "metrics_setting", "steps")
COMPARED = ANSWERS + ("claims", "minval", "maxval", "run_filter_once_per_request", "run_on_rebuild", "weighers")
SETS = {"cpuset", "pcpuset", "cpuset_reserved", "pinned_cpus", "physnets", "siblings", "required_traits",
        "forbidden_traits", "forbidden_aggregates", "root_required", "root_forbidden"}


def without_changes(value):
    """A versioned object without its list of changed fields, and with its sets in order: Nova writes both in none."""
    if isinstance(value, dict):
        return {key: in_order(item) if key in SETS else without_changes(item) for key, item in value.items()
                if key not in ("nova_object.changes", "numa_topology_wire")}
    if isinstance(value, list):
        return [without_changes(item) for item in value]
    return value


def in_order(value):
    return sorted(map(in_order, value), key=str) if isinstance(value, list) else value


def normal(case, name):
    value = case.get(name)
    if isinstance(value, dict):
        value = {key: item for key, item in value.items() if key != "message"}
        if "raises" in value:
            value.pop("host_after", None)
    return json.dumps(without_changes(value), sort_keys=True)


def check(path, limit, show):
    """Judges up to `limit` recorded decisions of each kind, filter and weigher; True if all agree."""
    agreed, differed, wires = collections.Counter(), collections.Counter(), collections.Counter()
    for line in open(path, encoding="utf-8"):
        case = json.loads(line)
        what = " ".join(filter(None, (case["kind"], case.get("filter"), case.get("weigher"))))
        if case["release"] != "zed" or case["kind"] not in judge.JUDGES or agreed[what] + differed[what] >= limit:
            continue
        if case.get("spec_wire"):
            same = without_changes(nova_objects.wire(case["spec"])) == without_changes(case["spec_wire"])
            wires["same" if same else "another"] += 1
            if not same and wires["another"] <= show:
                print("wire", json.dumps(nova_objects.wire(case["spec"])), json.dumps(case["spec_wire"]), sep="\n")
        again = {key: item for key, item in case.items() if key not in ANSWERS}
        nova_runtime.configure(case["config"])
        judge.JUDGES[case["kind"]](again, judge.Rebuilt())
        wrong = [name for name in COMPARED if normal(case, name) != normal(again, name)]
        (differed if wrong else agreed)[what] += 1
        if wrong and differed[what] <= show:
            for name in wrong:
                print(what, case["id"], name, normal(case, name), normal(again, name), sep="\n  ", file=sys.stderr)
    for what in sorted(agreed | differed):
        print(f"{what:60} agreed {agreed[what]:6} differed {differed[what]:6}")
    print("versioned objects:", dict(wires))
    return not differed and not wires["another"]
