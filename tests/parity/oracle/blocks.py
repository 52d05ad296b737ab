# SPDX-License-Identifier: Apache-2.0
"""One block of cases, answered by Nova, as lines of JSON. A block depends on the seed and its number alone."""

import hashlib
import json
import math

from nova.scheduler.filters import extra_specs_ops

from . import cases
from . import judge
from . import judge_schedule  # noqa: F401  (adds its kind)
from . import nova_objects
from . import nova_runtime
from . import releases
from .dice import Dice

_SHARED = ("config", "spec", "host")
_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


class Writer:
    """Writes cases as lines; the text of what cases share is made once."""

    def __init__(self):
        self._texts = {}

    def line(self, case):
        parts = [f'{_encode(key)}:{self._text(key, value)}' for key, value in case.items()]
        if "spec" in case:
            parts.append('"spec_wire":' + self._once(case["spec"], "wire",
                                                     lambda spec: _encode(nova_objects.wire(spec))))
        return "{" + ",".join(parts) + "}\n"

    def _text(self, key, value):
        if key in _SHARED:
            return self._once(value, "json", _encode)
        if key == "hosts":
            return "[" + ",".join(self._once(host, "json", _encode) for host in value) + "]"
        return _encode(value)

    def _once(self, value, form, make):
        key = (id(value), form)
        if key not in self._texts:
            self._texts[key] = (make(value), value)
        return self._texts[key][0]


def make_block(seed, number, kinds, filter_names):
    """The lines of block `number`, joined, and how many they are."""
    dice = Dice(seed, number)
    kind = dice.choices(list(kinds), list(kinds.values()))[0]
    rebuilt, writer, lines = judge.Rebuilt(), Writer(), []
    for position, question in enumerate(cases.KINDS[kind][0](dice, filter_names)):
        nova_runtime.configure(question["config"])
        _add_wire_of_topologies(question)
        judge.JUDGES[kind](question, rebuilt)
        if not _depends_on_hash_order(question) and not _sorts_nan(question) and not _has_words_of_before(question):
            source = f"oracle:{seed}:{number}:{position}"
            head = {"kind": kind, "release": releases.name(), "origin": "generated", "source": source,
                    "id": hashlib.blake2b(source.encode(), digest_size=8).hexdigest(), "replay": "ok", "schema": 1}
            lines.append(writer.line(head | question))
    return "".join(lines).encode(), len(lines)


def _has_words_of_before(case):
    """Whether the commit of Hibiscus in releases.py answers with words that the release has changed since."""
    if releases.name() != "hibiscus" or releases.models_of_intel():
        return False
    words = str(case.get("expected"))
    return "required for SEV to work" in words or "Invalid memory encryption model" in words


def _add_wire_of_topologies(question):
    """Hosts with a topology and the NUMA and PCI kinds also carry the versioned form, as it is stored and sent."""
    for host in question.get("hosts", ()) or [question.get("host") or question.get("host_before") or {}]:
        if host.get("numa_topology") and "numa_topology_wire" not in host:
            host["numa_topology_wire"] = nova_objects.wire(host["numa_topology"])
    if "wire" not in question and ("host_topology" in question or "pools_before" in question):
        objects = ("host_topology", "instance_topology", "limits", "numa_topology", "requests", "numa_cells",
                   "pci_requests")
        names = [name for name in objects if question.get(name)]
        question["wire"] = {name: nova_objects.wire(question[name]) for name in names}


def _depends_on_hash_order(case):
    """Whether AggregateInstanceExtraSpecsFilter may pass or raise: it takes values in the order of a set."""
    filters = case.get("filters") or [case.get("filter")]
    if "AggregateInstanceExtraSpecsFilter" not in filters:
        return False
    requirements = (case["spec"]["flavor"].get("extra_specs") or {}).items()
    hosts = case.get("hosts") or [case["host"]]
    return any(_order_matters(host, key, asked) for host in hosts for key, asked in requirements)


def _order_matters(host, key, asked):
    name = key.split(":", 1)[-1]
    texts = [aggregate["metadata"][name] for aggregate in host["aggregates"] if name in aggregate["metadata"]]
    values = {part.strip() for text in texts for part in text.split(",")}
    answers = set()
    for value in values:
        try:
            answers.add(extra_specs_ops.match(value, asked))
        except Exception as error:
            answers.add(str(error))
    return len(answers - {False}) > 1


def _sorts_nan(case):
    """Whether a weight is not a number: the order that a sort leaves then is the algorithm's, not a rule's."""
    if case["kind"] != "weigh_pipeline":
        return False
    return any(isinstance(item["weight"], dict) and math.isnan(float(item["weight"]["_float"]))
               for item in case["expected"].get("order", ()))


def share_of_kinds(wanted):
    """{kind: weight of a block}, so that the shares of lines come out about as cases.KINDS says."""
    sizes = {"filter": 8, "filter_pipeline": 2, "weigher_raw": 10, "weigh_pipeline": 2, "normalize": 6,
             "extra_specs_match": 10,
             "consume": 3, "schedule": 1, "host_state_update": 3}
    return {kind: cases.KINDS[kind][1] / sizes.get(kind, 4) for kind in wanted}
