# SPDX-License-Identifier: Apache-2.0
"""Debian's own Prometheus against a real gantryd: promtool reads the scrape and the rules, and each alert fires.

    prometheus_test.py PROGRAM_DIRECTORY DRIVER_DIRECTORY SOURCE_DIRECTORY

Exit status 77 where prometheus or promtool is not installed.

What a test can bring about is brought about with gantryd. The rest is told by a second target, which serves what a
gantryd in such a plight would. The rules are those that are installed, with shorter times.
"""

import http.server
import json
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse
import urllib.request

from metered_daemon import TOO_LARGE, MeteredDaemon

PROGRAMS, DRIVERS, SOURCE = sys.argv.pop(1), sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))
RULES = SOURCE / "packaging/metrics/gantry-alerts.yml"
RULE_TESTS = SOURCE / "tests/metrics/gantry_alerts_test.yml"
ALERTS = re.findall(r"- alert: (\w+)", RULES.read_text())

# These fire for the gantryd that runs, the others for the target that is sick.
OF_GANTRYD = {"GantryNoValidHost", "GantryRoomLow", "GantryHostsDown", "GantryNoHostUp", "GantryWarnings", "GantryDown"}


def sick_metrics(scrapes):
    """What a gantryd says to whom everything happens at once; counters grow by the scrape."""
    driver = 'driver="filter"'
    return "\n".join([
        "gantry_ready 0", f"gantry_start_time_seconds {1000 + scrapes}", "gantry_store_fault 1",
        f"gantry_store_failed_batches_total {scrapes}", "gantry_store_waiting_batches 5000",
        'gantry_store_commit_seconds_bucket{le="0.5"} 0', f'gantry_store_commit_seconds_bucket{{le="1"}} {scrapes}',
        f'gantry_store_commit_seconds_bucket{{le="+Inf"}} {scrapes}',
        f'gantry_decision_duration_seconds_bucket{{{driver},le="0.1"}} 0',
        f'gantry_decision_duration_seconds_bucket{{{driver},le="1"}} {scrapes}',
        f'gantry_decision_duration_seconds_bucket{{{driver},le="+Inf"}} {scrapes}',
        f'gantry_decisions_total{{{driver},outcome="placed"}} {scrapes}',
        f'gantry_claims_lost_total{{{driver}}} {scrapes}',
        f'gantry_requests_total{{method="select_destinations",code="deadline_exceeded"}} {scrapes}',
        f"gantry_driver_hanging_calls{{{driver}}} 1", f"gantry_driver_overruns_total{{{driver}}} {scrapes}",
        f"gantry_driver_failures_total{{{driver}}} {scrapes}", f"gantry_driver_misuses_total{{{driver}}} {scrapes}",
        f"gantry_driver_process_ready{{{driver}}} 0", "gantry_drivers_skipped 1", "gantry_oldest_cast_age_seconds 4000",
        f'gantry_decision_records_total{{outcome="lost"}} {scrapes}', "process_open_fds 990", "process_max_fds 1000",
        "gantry_nova_broker_connected 0", "gantry_nova_paused 0", 'gantry_nova_database_connected{database="cell1"} 0',
    ]) + "\n"


class SickTarget(http.server.ThreadingHTTPServer):
    def __init__(self):
        self.scrapes = 0
        target = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                target.scrapes += 1
                body = sick_metrics(target.scrapes).encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/plain; version=0.0.4")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self):
        return f"127.0.0.1:{self.server_address[1]}"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Prometheus:
    """Scrapes the targets each second."""

    def __init__(self, targets, token):
        self.directory = pathlib.Path(tempfile.mkdtemp())
        self.url = f"http://127.0.0.1:{free_port()}"
        hurried = re.sub(r"\[\d+m\]", "[15s]", re.sub(r"for: \d+m", "for: 0s", RULES.read_text()))
        (self.directory / "rules.yml").write_text(hurried)
        (self.directory / "prometheus.yml").write_text(
            "global: {scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}\n"
            f"rule_files: [{self.directory}/rules.yml]\n"
            "scrape_configs:\n  - job_name: gantry\n"
            f"    authorization: {{credentials_file: {token}}}\n"
            f"    static_configs: [{{targets: {json.dumps(targets)}}}]\n")
        with open(self.directory / "log", "wb") as log:
            self.process = subprocess.Popen(
                ["prometheus", f"--config.file={self.directory}/prometheus.yml",
                 f"--storage.tsdb.path={self.directory}/data", f"--web.listen-address={self.url.removeprefix('http://')}"],
                stdout=log, stderr=log)

    def ask(self, path, **query):
        with urllib.request.urlopen(f"{self.url}/api/v1/{path}?{urllib.parse.urlencode(query)}", timeout=20) as answer:
            return json.load(answer)["data"]

    def value(self, expression):
        """The one value of a query; None: it has none, or Prometheus does not answer yet."""
        try:
            result = self.ask("query", query=expression)["result"]
        except OSError:
            return None
        return float(result[0]["value"][1]) if result else None

    def alerts(self):
        """{name: {instance}} of those that fire or fired lately."""
        fired = {}
        query = 'max_over_time(ALERTS{alertstate="firing"}[5m])'
        for series in self.ask("query", query=query)["result"]:
            fired.setdefault(series["metric"]["alertname"], set()).add(series["metric"].get("instance"))
        return fired

    def stop(self):
        self.process.terminate()
        self.process.wait(30)
        shutil.rmtree(self.directory, ignore_errors=True)


def until(condition, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.3)
    return False


class Promtool(unittest.TestCase):
    def run_promtool(self, *words, text=None):
        ran = subprocess.run(["promtool", *words], input=text, capture_output=True, text=True, check=False)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""), ran.stdout)
        return ran.stdout

    def test_finds_nothing_to_say_of_a_scrape(self):
        daemon = MeteredDaemon(PROGRAMS, DRIVERS)
        self.addCleanup(daemon.stop)
        daemon.register("n1")
        daemon.select()
        daemon.select(TOO_LARGE)
        self.run_promtool("check", "metrics", text=daemon.scrape())

    def test_reads_the_rules(self):
        self.assertIn(f"{len(ALERTS)} rules found", self.run_promtool("check", "rules", str(RULES)))

    def test_sees_each_alert_fire_and_all_silent_where_all_is_well(self):
        ran = subprocess.run(["promtool", "test", "rules", str(RULE_TESTS)], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        self.assertEqual(sorted(re.findall(r"- name: (\w+) fires", RULE_TESTS.read_text())), sorted(ALERTS))


class Alerts(unittest.TestCase):
    def setUp(self):
        self.daemon = MeteredDaemon(PROGRAMS, DRIVERS)
        self.addCleanup(self.stop_once)
        self.sick = SickTarget()
        self.addCleanup(self.sick.shutdown)
        self.prometheus = Prometheus([self.daemon.address, self.sick.address], self.daemon.token("reader"))
        self.addCleanup(self.prometheus.stop)

    def stop_once(self):
        if self.daemon:
            self.daemon.stop()
            self.daemon = None

    def keep_busy(self, condition, seconds=60):
        """Sends heartbeats and requests that find no host until the condition holds."""
        def once():
            self.daemon.call("report_state", topic="compute", host="full")
            self.daemon.select(TOO_LARGE)
            return condition()
        return until(once, seconds)

    def test_fire_and_can_be_read(self):
        gantryd, prometheus = self.daemon.address, self.prometheus
        self.daemon.register("full", vcpus_used=8 * 16)
        self.assertTrue(self.keep_busy(lambda: prometheus.value(f'gantry_ready{{instance="{gantryd}"}}') == 1),
                        (prometheus.directory / "log").read_text())

        def has_fired(*names):
            fired = prometheus.alerts()
            return all(gantryd in fired.get(name, set()) for name in names)
        self.assertTrue(self.keep_busy(lambda: has_fired("GantryNoValidHost", "GantryRoomLow")), prometheus.alerts())
        # No heartbeat comes any more.
        self.assertTrue(until(lambda: has_fired("GantryHostsDown", "GantryNoHostUp", "GantryWarnings")), prometheus.alerts())
        self.stop_once()
        self.assertTrue(until(lambda: has_fired("GantryDown")), prometheus.alerts())
        self.assertTrue(until(lambda: set(prometheus.alerts()) == set(ALERTS)), set(ALERTS) - set(prometheus.alerts()))
        of_sick = {name for name, instances in prometheus.alerts().items() if self.sick.address in instances}
        self.assertEqual(OF_GANTRYD | of_sick, set(ALERTS))
        for alert in prometheus.ask("alerts")["alerts"]:
            for text in alert["annotations"].values():
                self.assertNotRegex(text, "<error|error calling|%!|<no value>", alert)


if __name__ == "__main__":
    if not (shutil.which("prometheus") and shutil.which("promtool")):
        print("skipped: prometheus and promtool are not installed; packaging/install-packages --metrics brings them")
        sys.exit(77)
    unittest.main(verbosity=2)
