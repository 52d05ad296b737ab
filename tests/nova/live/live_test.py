#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The parts of nova-live that need no control plane."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import command_line  # noqa: E402
import observation  # noqa: E402
import results  # noqa: E402
import scenario  # noqa: E402
import table  # noqa: E402
from home import Home  # noqa: E402
from judgement import judge  # noqa: E402

PROGRAM = Path(__file__).resolve().parents[3] / "packaging" / "nova-live"


def observed(host="c0", state="active", **more):
    server = {"host": host, "node": host, "state": state, "task": None, "zone": "nova", "faults": []}
    return {"servers": {"a": server}, "allocations": {}, "selections": [], "migrations": [], "notes": {}, **more}


class Comparing(unittest.TestCase):
    def test_equal_members_do_not_differ(self):
        self.assertEqual(observation.differences(observed(), observed()), [])

    def test_a_difference_is_named_by_its_path(self):
        self.assertEqual(
            observation.differences({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}), ["a[1].b: 2 and 3"])
        self.assertEqual(observation.differences({"a": 1}, {}), ["a: only with the first: 1"])
        self.assertEqual(observation.differences([1], [1, 2], "x"), ["x: [1] and [1, 2]"])

    def test_hosts_of_equal_weight_are_one(self):
        first, second = ({"a": host, "on": {host: 1}} for host in ("c0", "c2"))
        equal = (("c0", "c2"),)
        self.assertEqual(
            observation.differences(*(observation.with_equal_hosts(part, equal) for part in (first, second))), [])

    def test_ids_in_texts_do_not_differ(self):
        uuids = ("26b01850-abb6-4473-a97e-dced07f7f1e0", "ede98556-9498-4209-bf47-f5b146eabae1")
        first, second = (observed(notes={"a": f"Build of instance {uuid} aborted"}) for uuid in uuids)
        self.assertEqual(results.compare(scenario.load()["create"], first, second), [])

    def test_the_summary_names_hosts_states_and_notes(self):
        text = observation.summary(observed(state="error", host=None, notes={"b": "refused: 400"}))
        self.assertEqual(text, "a=ERROR; b: refused: 400")


class Selections(unittest.TestCase):
    class Names:
        nodes, cells, providers = {"n": "c0"}, {"x": "cell1"}, {"n": "c0", "p": "pool"}

    def test_ids_become_names(self):
        data = {
            "service_host": "c0", "nodename": "c0", "compute_node_uuid": "n", "cell_uuid": "x", "availability_zone": "nova",
            "limits": {"nova_object.name": "SchedulerLimits", "nova_object.version": "1.0", "nova_object.data": {"vcpu": None}},
            "allocation_request_version": "1.36",
            "allocation_request": json.dumps({"allocations": {"p": {"resources": {"DISK_GB": 1}}}, "mappings": {"": ["p", "n"]}}),
        }
        reply = {"result": [[{"nova_object.name": "Selection", "nova_object.version": "1.1", "nova_object.data": data}]], "failure": None}
        choice = observation.selections(reply, self.Names)[0][0]
        self.assertEqual(choice["allocations"], {"pool": {"DISK_GB": 1}})
        self.assertEqual(choice["mappings"], {"": ["c0", "pool"]})
        self.assertEqual((choice["cell"], choice["node of the id"]), ("cell1", "c0"))
        self.assertEqual(choice["limits"], {"name": "SchedulerLimits", "version": "1.0", "vcpu": None})

    def test_a_failure_keeps_its_words(self):
        failure = json.dumps({"class": "NoValidHost", "module": "nova.exception", "message": "No", "args": [], "kwargs": {}, "tb": ["x"]})
        found = observation.selections({"result": None, "failure": failure}, self.Names)
        self.assertEqual(found["failure"]["class"], "NoValidHost")
        self.assertNotIn("tb", found["failure"])

    def test_no_answer_is_said(self):
        self.assertEqual(observation.selections(None, self.Names), "no answer")


class Judging(unittest.TestCase):
    first = {"instances": ["i"], "hosts": [["h1", "h2"]]}
    weights = {"i": [{"h1": 2.0, "h2": 2.0, "h3": 1.0}]}

    def verdict(self, *hosts):
        return judge(self.first, {"instances": ["i"], "hosts": [list(hosts)]}, self.weights)[0]

    def test_hosts(self):
        self.assertEqual(self.verdict("h1", "h2"), "same")
        self.assertEqual(self.verdict("h2", "h1"), "equal weight")
        self.assertEqual(self.verdict("h3", "h1"), "differed")
        self.assertEqual(self.verdict("h9", "h1"), "differed")
        self.assertEqual(self.verdict("h1", "h3"), "same but the alternates")

    def test_refusals(self):
        refusal = {"instances": ["i"], "failure": "NoValidHost: No"}
        self.assertEqual(judge(refusal, refusal, {})[0], "same refusal")
        self.assertEqual(judge(refusal, self.first, {})[0], "differed")
        self.assertEqual(judge(refusal, {**refusal, "failure": "NoValidHost: other"}, {})[0], "differed")


class Table(unittest.TestCase):
    def test_rows_say_what_was_played(self):
        scenario.load()
        chosen = [scenario.ALL["create"], scenario.ALL["zone"], scenario.ALL["traits"]]
        with tempfile.TemporaryDirectory() as directory:
            home = Home(directory)
            for name, scheduler, host in (("create", "nova", "c0"), ("create", "gantry", "c0"), ("zone", "nova", "c0"),
                                          ("zone", "gantry", "c1")):
                home.file("results", name).mkdir(parents=True, exist_ok=True)
                home.file("results", name, f"{scheduler}.json").write_text(json.dumps(observed(host=host)))
            lines = table.lines(home, chosen)
        self.assertEqual(lines[2], "| create | a=c0 | a=c0 | yes |")
        self.assertEqual(lines[3], "| zone | a=c0 | a=c1 | NO |")
        self.assertEqual(lines[4], "| traits | not run | not run | - |")
        self.assertEqual(lines[-1], "3 scenarios: 1 the same, 1 different, 1 not run.")


class Commands(unittest.TestCase):
    def test_scenarios_are_chosen_by_name_or_part_of_it(self):
        everything = scenario.load()
        self.assertEqual([each.name for each in command_line.chosen(everything, ["create"])], ["create"])
        self.assertIn("group-affinity", [each.name for each in command_line.chosen(everything, ["affinity"])])
        self.assertEqual(len(command_line.chosen(everything, [])), len(everything))
        with self.assertRaises(SystemExit):
            command_line.chosen(everything, ["no such scenario"])

    def test_each_scenario_says_what_it_shows(self):
        for each in scenario.load().values():
            self.assertTrue(each.what, each.name)

    def test_each_file_compiles(self):
        for file in Path(__file__).resolve().parent.rglob("*.py"):
            compile(file.read_text(), str(file), "exec")

    def test_the_program_names_its_commands(self):
        text = subprocess.run([sys.executable, "-B", str(PROGRAM), "--help"], text=True, capture_output=True, check=True).stdout
        for command in ("up", "down", "run", "specs", "chaos", "table"):
            self.assertIn(f"\n    {command} ", text)


if __name__ == "__main__":
    unittest.main()
