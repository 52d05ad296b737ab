#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Records that lack something: `replay` says that they cannot be judged, and why, and never ends otherwise.

    mutilated_records_test.py REPLAY RECORDS.jsonl.xz... [SEED]
"""

import collections
import copy
import json
import lzma
import random
import subprocess
import sys
import unittest

REPLAY = sys.argv[1]
RECORDS = [name for name in sys.argv[2:] if name.endswith(".xz")]
SEED = int(sys.argv[-1]) if sys.argv[-1].isdigit() else random.randrange(1 << 32)
OF_EACH_SORT = 5


def replay(records):
    """The exit status, the totals (agreed, differed, not ours, not judged), the reasons with how often each holds."""
    lines = "".join(json.dumps(record) + "\n" for record in records)
    ran = subprocess.run([REPLAY, "--show", "0"], input=lines, capture_output=True, text=True, check=False)
    totals, reasons = None, {}
    for line in ran.stdout.splitlines():
        if line.startswith("all "):
            totals = tuple(map(int, line.split()[1:]))
        if " cannot be judged: " in line:
            times, reason = line.split(" cannot be judged: ")
            reasons[reason] = int(times)
    return ran.returncode, totals, reasons


def sample():
    sorts = collections.defaultdict(list)
    for line in (line for name in RECORDS for line in lzma.open(name, "rt")):
        record = json.loads(line)
        sort = record["kind"], record.get("filter"), record.get("weigher")
        if len(sorts[sort]) < OF_EACH_SORT:
            sorts[sort].append(record)
    return [record for sort in sorts.values() for record in sort]


def without(record, path):
    """A copy without the member at the path."""
    mutilated = copy.deepcopy(record)
    holder = mutilated
    for step in path[:-1]:
        holder = holder[step]
    del holder[path[-1]]
    return mutilated


def with_value(record, path, value):
    mutilated = copy.deepcopy(record)
    holder = mutilated
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = value
    return mutilated


def paths_in(value, path=()):
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield path + (key,)
        yield from paths_in(item, path + (key,))


class Records(unittest.TestCase):
    records = sample()

    def test_a_record_without_a_member_that_its_kind_needs_is_not_judged_for_want_of_it(self):
        for name in ("release", "config", "expected", "kind", "host", "spec", "hosts", "filter", "weigher"):
            asked = [without(record, (name,)) for record in self.records
                     if name in record and not (name == "spec" and record["kind"].startswith("weigh"))]
            status, totals, reasons = replay(asked)
            self.assertEqual((status, totals), (0, (0, 0, 0, len(asked))), name)
            for reason in reasons:
                self.assertRegex(reason, f"^lacks .*{name}")

    def test_a_compute_filter_without_the_state_of_a_service_is_not_judged_where_nova_asked_for_it(self):
        asked = [without(record, ("service_up",)) for record in self.records
                 if record.get("filter") == "ComputeFilter" and not record["expected"]["result"] and
                 not record["host"]["service"]["disabled"]]
        self.assertEqual(replay(asked), (0, (0, 0, 0, len(asked)), {"lacks service_up": len(asked)}))
        self.assertTrue(asked)

    def test_a_host_without_an_attribute_of_host_states_is_judged_only_where_it_agrees(self):
        asked = [without(record, ("host", "free_ram_mb")) for record in self.records
                 if record.get("weigher") == "RAMWeigher"]
        status, totals, reasons = replay(asked)
        self.assertEqual((status, totals[1]), (0, 0))
        self.assertEqual(reasons, {"lacks host.free_ram_mb": totals[3]})
        self.assertGreater(totals[3], 0)

    def test_a_record_that_names_a_tests_filter_or_weigher_is_not_judged(self):
        of_kind = {record["kind"]: record for record in self.records}
        asked = [with_value(of_kind["filter_pipeline"], ("filters",), ["FakeFilterClass1"]),
                 with_value(of_kind["filter"], ("filter",), "FakeFilterClass1"),
                 with_value(of_kind["schedule"], ("weighers",), [{"name": "FakeWeigherClass", "minval": None}]),
                 with_value(of_kind["weigh_pipeline"], ("weighers", 0, "name"), "FakeWeigherClass")]
        self.assertEqual(replay(asked), (0, (0, 0, 0, 4),
                                         {"'FakeFilterClass1' is no filter or weigher of Nova's": 2,
                                          "'FakeWeigherClass' is no filter or weigher of Nova's": 2}))

    def test_a_record_of_a_mock_is_not_judged_unless_the_mock_had_no_influence(self):
        record = next(record for record in self.records if record.get("filter") == "RamFilter" or
                      record["kind"] == "filter")
        mocked = with_value(record, ("host", "service"), {"_opaque": "Mock"})
        self.assertEqual(replay([mocked]), (0, (0, 0, 0, 1), {"host.service is a mock": 1}))
        self.assertEqual(replay([mocked | {"opaque": ["host.service"]}])[1][3], 0)
        whole = with_value(record, ("host",), {"_opaque": "Mock"})
        self.assertEqual(replay([whole])[2], {"host is a mock": 1})

    def test_no_loss_and_no_change_of_a_member_ends_the_replay(self):
        dice = random.Random(SEED)
        asked = []
        for record in self.records:
            paths = [path for path in paths_in(record) if path[0] not in ("source",)]
            for path in dice.sample(paths, min(len(paths), 60)):
                asked.append(without(record, path))
                asked.append(with_value(record, path, dice.choice([None, [], {}, "", "text", 0, -1, 1e300, True,
                                                                   [None], {"_float": "nan"}])))
        status, totals, _ = replay(asked)
        self.assertIn(status, (0, 1))
        self.assertEqual(sum(totals), len(asked))


if __name__ == "__main__":
    print("seed", SEED, file=sys.stderr)
    unittest.main(argv=sys.argv[:1])
