# SPDX-License-Identifier: Apache-2.0
"""What /metrics says, to whom, and that the dashboard asks for nothing else.

    scrape_test.py PROGRAM_DIRECTORY DRIVER_DIRECTORY SOURCE_DIRECTORY
"""

import json
import pathlib
import re
import sys
import unittest

from metered_daemon import SPEC, TOO_LARGE, MeteredDaemon, samples

PROGRAMS, DRIVERS, SOURCE = sys.argv.pop(1), sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))
DASHBOARD = json.loads((SOURCE / "packaging/metrics/gantry-dashboard.json").read_text())


class WithDaemon(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = MeteredDaemon(PROGRAMS, DRIVERS)
        cls.addClassCleanup(cls.daemon.stop)


class Access(WithDaemon):
    def test_is_for_the_roles_that_may_read(self):
        for role, more in (("reader", []), ("service", ["--topic", "compute"]), ("admin", [])):
            token = self.daemon.token(role, *more)
            status, headers, text = self.daemon.over_tcp("/metrics", token)
            self.assertEqual((status, headers["Content-Type"]), (200, "text/plain; version=0.0.4; charset=utf-8"))
            self.assertIn("\ngantry_build_info{", "\n" + text)

    def test_is_for_nobody_else(self):
        self.assertEqual(self.daemon.over_tcp("/metrics")[0], 401)
        wrong = self.daemon.directory / "wrong.token"
        wrong.write_text("x" * 43)
        self.assertEqual(self.daemon.over_tcp("/metrics", wrong)[0], 401)
        self.assertEqual(self.daemon.over_tcp("/metrics", self.daemon.token("agent", "--host", "n1"))[0], 403)
        self.assertEqual(self.daemon.over_tcp("/metrics?a=b")[0], 401)

    def test_is_a_reading(self):
        self.assertEqual(self.daemon.ask("POST", "/metrics", body={}).status, 405)
        head, whole = self.daemon.ask("HEAD", "/metrics"), self.daemon.ask("GET", "/metrics")
        self.assertEqual((head.status, head.text), (200, ""))
        self.assertEqual(head.headers["Content-Type"], whole.headers["Content-Type"])


class Values(WithDaemon):
    def test_tell_decisions_refusals_and_rejected_hosts(self):
        daemon = self.daemon
        for host in ("n1", "n2", "n3"):
            self.assertEqual(daemon.register(host).status, 200)
        before = daemon.metric("gantry_decisions_total", outcome="placed")
        self.assertEqual(daemon.select(SPEC).status, 200)
        self.assertEqual(daemon.select(TOO_LARGE).status, 409)
        self.assertEqual(daemon.metric("gantry_decisions_total", outcome="placed") - before, 1)
        self.assertEqual(daemon.metric("gantry_decisions_total", driver="filter", outcome="no_valid_host"), 1)
        self.assertEqual(daemon.metric("gantry_refusals_total", driver="filter", step="RamFilter"), 1)
        self.assertEqual(daemon.metric("gantry_rejected_hosts_total", driver="filter", step="RamFilter"), 3)
        self.assertEqual(daemon.metric("gantry_decision_duration_seconds_count", driver="filter"), before + 2)
        for step in ("pin", "turn", "driver", "commit"):
            self.assertGreater(daemon.metric("gantry_step_duration_seconds_count", step=step), 0, step)

    def test_tell_calls_by_method_and_code_and_answers_by_status(self):
        daemon = self.daemon
        daemon.call("show_instance", instance="nobody")
        daemon.ask("GET", "/no/such/path")
        self.assertEqual(daemon.metric("gantry_requests_total", method="show_instance", code="not_found"), 1)
        self.assertEqual(daemon.metric("gantry_request_duration_seconds_count", method="show_instance"), 1)
        self.assertGreaterEqual(daemon.metric("gantry_http_answers_total", status="404"), 2)
        self.assertGreaterEqual(daemon.metric("gantry_http_answers_total", status="200"), 1)

    def test_tell_hosts_and_free_room(self):
        daemon = MeteredDaemon(PROGRAMS, DRIVERS, "scheduling.cpu_allocation_ratio = 2.0\n"
                               "scheduling.ram_allocation_ratio = 1.0\n")
        self.addCleanup(daemon.stop)
        daemon.register("n1", vcpus_used=3, memory_mb_used=4096)
        daemon.register("n2")
        daemon.call("disable_service", topic="compute", host="n2", reason="new disks")
        self.assertEqual(daemon.metric("gantry_hosts", topic="compute", state="up"), 1)
        self.assertEqual(daemon.metric("gantry_hosts", topic="compute", state="disabled"), 1)
        self.assertEqual(daemon.metric("gantry_total_vcpus"), 16)
        self.assertEqual(daemon.metric("gantry_free_vcpus"), 13)
        self.assertEqual(daemon.metric("gantry_free_memory_bytes"), 4096 * 2**20)
        created = daemon.call("schedule_run_instance", request_spec={**SPEC, "num_instances": 2})
        self.assertEqual(created.status, 200, created.text)
        self.assertEqual(daemon.metric("gantry_free_vcpus"), 11)
        self.assertEqual(daemon.metric("gantry_claims"), 2)
        self.assertEqual(daemon.metric("gantry_casts_waiting"), 2)
        self.assertEqual(daemon.metric("gantry_instances", state="building"), 2)
        self.assertGreater(daemon.metric("gantry_oldest_cast_age_seconds"), 0)
        for instance in created.json["result"]["instances"]:
            daemon.call("delete_instance", instance=instance["uuid"])
        self.assertEqual(daemon.metric("gantry_free_vcpus"), 13)
        self.assertEqual(daemon.metric("gantry_instances", state="building"), 0)

    def test_have_help_type_and_one_sample_for_each_set_of_labels(self):
        text = self.daemon.scrape()
        names = re.findall(r"^# TYPE (\S+) (?:counter|gauge|histogram)$", text, re.MULTILINE)
        self.assertEqual(names, sorted(set(names)))
        self.assertEqual(len(samples(text)), sum(not line.startswith("#") for line in text.splitlines()))
        for name in names:
            self.assertRegex(text, rf"(?m)^# HELP {name} \S.*\.$")

    def test_have_buckets_that_grow_up_to_the_count(self):
        found = samples(self.daemon.scrape())
        series = {}
        for (name, labels), value in found.items():
            if name.endswith("_bucket"):
                others = tuple(label for label in labels if label[0] != "le")
                bound = float(dict(labels)["le"].replace("+Inf", "inf"))
                series.setdefault((name.removesuffix("_bucket"), others), []).append((bound, value))
        self.assertTrue(series)
        for (name, labels), buckets in series.items():
            values = [value for _, value in sorted(buckets)]
            self.assertEqual(values, sorted(values), name)
            self.assertEqual(values[-1], found[(name + "_count", labels)])


class Dashboard(WithDaemon):
    def panels(self):
        return [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]

    def test_has_the_shape_that_grafana_loads(self):
        self.assertGreaterEqual(DASHBOARD["schemaVersion"], 36)
        self.assertTrue({"uid", "title", "time", "templating", "panels"} <= DASHBOARD.keys())
        self.assertIsNone(DASHBOARD["id"])
        identifiers = [panel["id"] for panel in DASHBOARD["panels"]]
        self.assertEqual(len(identifiers), len(set(identifiers)))
        for panel in DASHBOARD["panels"]:
            self.assertTrue({"id", "type", "title", "gridPos"} <= panel.keys(), panel.get("title"))
            place = panel["gridPos"]
            self.assertLessEqual(place["x"] + place["w"], 24, panel["title"])
        for panel in self.panels():
            self.assertTrue(panel["description"].endswith("."), panel["title"])
            self.assertTrue(panel["targets"], panel["title"])
            references = [target["refId"] for target in panel["targets"]]
            self.assertEqual(len(references), len(set(references)), panel["title"])

    def test_has_panels_that_do_not_overlap(self):
        taken = {}
        for panel in DASHBOARD["panels"]:
            place = panel["gridPos"]
            for x in range(place["x"], place["x"] + place["w"]):
                for y in range(place["y"], place["y"] + place["h"]):
                    self.assertNotIn((x, y), taken, f"{panel['title']} and {taken.get((x, y))}")
                    taken[(x, y)] = panel["title"]

    def test_reads_the_data_source_that_the_user_chooses(self):
        variables = {variable["name"]: variable for variable in DASHBOARD["templating"]["list"]}
        self.assertEqual((variables["datasource"]["type"], variables["datasource"]["query"]), ("datasource", "prometheus"))
        others = set(re.findall(r'"uid": "([^"]*)"', json.dumps(DASHBOARD["panels"]))) - {"${datasource}"}
        self.assertEqual(others, set())
        used = set(re.findall(r"\$(\w+)", json.dumps([panel["targets"] for panel in self.panels()])))
        self.assertLessEqual(used - {"__rate_interval"}, set(variables))

    def metrics_of(self, expression):
        without_labels = re.sub(r"\{[^}]*\}", "", expression)
        return set(re.findall(r"\b((?:gantry|process)_\w+)", without_labels))

    # Metrics that this daemon lacks: of a service in the place of nova-scheduler, of a driver with isolation.
    def metrics_in_sources(self, kind):
        sources = [*(SOURCE / "core/scheduling/metrics").glob("*.cpp"), *(SOURCE / "core/telemetry/metrics").glob("*.cpp")]
        found = set(re.findall(rf'"(gantry_{kind}_\w+)"', "".join(path.read_text() for path in sources)))
        self.assertTrue(found, kind)
        return found

    def test_asks_for_metrics_that_there_are(self):
        daemon = self.daemon
        daemon.register("n1")
        daemon.select()
        daemon.select(TOO_LARGE)
        daemon.call("schedule_run_instance", request_spec=SPEC)
        there = {name for name, _ in samples(daemon.scrape())}
        there |= self.metrics_in_sources("nova") | self.metrics_in_sources("driver_process")
        asked = {}
        for panel in self.panels():
            for target in panel["targets"]:
                asked.update({name: panel["title"] for name in self.metrics_of(target["expr"])})
        self.assertEqual({name: panel for name, panel in asked.items() if name not in there}, {})

    def test_shows_every_metric_of_gantry(self):
        shown = {re.sub("_(bucket|sum|count)$", "", name) for panel in self.panels() for target in panel["targets"]
                 for name in self.metrics_of(target["expr"])}
        there = set(re.findall(r"^# TYPE (gantry_\S+)", self.daemon.scrape(), re.MULTILINE))
        there |= self.metrics_in_sources("driver_process")
        left_out = {"gantry_start_time_seconds", "gantry_http_requests_waiting_max", "gantry_schedule_calls_total",
                    "gantry_driver_counter_total"}
        self.assertEqual(there - shown - left_out, set())


if __name__ == "__main__":
    unittest.main(verbosity=2)
