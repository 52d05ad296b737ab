# SPDX-License-Identifier: Apache-2.0
"""gantry stats, top, log-level and report, with a real gantryd.

    operating_test.py PROGRAM_DIRECTORY DRIVER_DIRECTORY SOURCE_DIRECTORY
"""

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
import unittest

from metered_daemon import CONFIGURATION, SPEC, TOO_LARGE, MeteredDaemon

PROGRAMS, DRIVERS, _ = sys.argv.pop(1), sys.argv.pop(1), sys.argv.pop(1)
END_OF_VIEW = b"\x1b[?25h\x1b[?1049l"


class WithDaemon(unittest.TestCase):
    configuration = CONFIGURATION

    def setUp(self):
        self.daemon = MeteredDaemon(PROGRAMS, DRIVERS, self.configuration)
        self.addCleanup(self.daemon.stop)
        for host in ("n1", "n2", "n3"):
            self.daemon.register(host)

    def json_of(self, *words):
        return json.loads(self.daemon.gantry("-o", "json", *words))

    def log(self):
        return (self.daemon.directory / "gantryd.log").read_text()

    def refused(self, token, *words):
        ran = subprocess.run([self.daemon.programs / "gantry", "--url", f"http://{self.daemon.address}", "--token-file",
                              token, *words], capture_output=True, text=True, check=False)
        self.assertNotEqual(ran.returncode, 0, ran.stdout)
        return ran.stderr


class Statistics(WithDaemon):
    def test_count_calls_decisions_and_refusals(self):
        self.daemon.select(SPEC)
        self.daemon.select(TOO_LARGE)
        stats = self.json_of("stats")
        self.assertEqual(stats["decisions"], {"placed": 1, "no_valid_host": 1, "failed": 0})
        driver = next(each for each in stats["drivers"] if each["driver"] == "filter")
        self.assertEqual(driver["refusals"], [{"step": "RamFilter", "count": 1}])
        self.assertEqual(driver["rejected_hosts"], [{"step": "RamFilter", "count": 3}])
        times = driver["decision"]
        self.assertEqual(times["count"], 2)
        self.assertTrue(0 < times["p50"] <= times["p99"] <= times["max"], times)
        calls = next(each for each in stats["methods"] if each["method"] == "select_destinations")
        self.assertEqual((calls["calls"], calls["errors"]), (2, {"no_valid_host": 1}))
        self.assertGreater(stats["store"]["commit"]["count"], 0)

    def test_are_shown_as_tables(self):
        self.daemon.select(TOO_LARGE)
        text = self.daemon.gantry("stats")
        self.assertIn("1 decisions: 0 placed, 1 without a host, 0 failed", text)
        self.assertRegex(text, r"filter +RamFilter +1 +3")
        self.assertRegex(text, r"select_destinations +1 +no_valid_host=1")

    def test_begin_anew_when_an_admin_wants_it_and_metrics_go_on(self):
        self.daemon.select(SPEC)
        before = self.json_of("stats", "--reset")
        self.assertEqual(before["decisions"]["placed"], 1)
        after = self.json_of("stats")
        self.assertEqual(after["decisions"]["placed"], 0)
        self.assertGreater(after["since"], before["since"])
        self.assertEqual(next(each for each in after["drivers"] if each["driver"] == "filter")["decision"]["max"], 0)
        self.assertEqual(self.daemon.metric("gantry_decisions_total", outcome="placed"), 1)
        self.assertIn('audit who="unix uid=', self.log())
        self.assertEqual([event["type"] for event in self.daemon.call("events", after="first", types=["stats"])
                          .json["result"]["events"]], ["stats.reset"])

    def test_are_not_begun_anew_by_a_reader(self):
        token = self.daemon.token("reader")
        self.assertIn("admin", self.refused(token, "stats", "--reset"))
        self.assertEqual(self.daemon.over_tcp("/v1/stats", token)[0], 200)
        self.assertEqual(self.daemon.over_tcp("/v1/stats?reset=true", token)[0], 403)

    def test_name_the_fullest_hosts(self):
        self.daemon.register("n2", memory_mb_used=8192)
        busiest = self.daemon.call("stats", busiest=2).json["result"]["busiest"]
        self.assertEqual(len(busiest), 2)
        self.assertEqual(busiest[0]["host"], "n2")
        self.assertGreater(busiest[0]["memory"], 0.5)


class LogLevel(WithDaemon):
    configuration = CONFIGURATION + 'log.format = "logfmt"\n'

    def test_changes_while_the_daemon_runs(self):
        self.assertEqual(self.json_of("log-level"), {"level": "info"})
        self.daemon.select()
        self.assertNotIn("level=debug", self.log())
        self.daemon.gantry("log-level", "debug")
        self.assertEqual(self.json_of("log-level"), {"level": "debug"})
        self.daemon.select()
        self.assertIn("level=debug msg=deciding", self.log())
        self.assertRegex(self.log(), r'(?m)^time=\S+ level=info msg=audit who="unix uid=.*" method=set_log_level object=log '
                         r'changes="level: info -> debug"')
        self.daemon.gantry("log-level", "error")
        lines = self.log().count("\n")
        self.daemon.select(TOO_LARGE)
        self.assertEqual(self.log().count("\n"), lines)

    def test_is_an_admins(self):
        self.assertIn("log_level", self.refused(self.daemon.token("reader"), "log-level", "debug"))
        ran = subprocess.run([self.daemon.programs / "gantry", "--url", f"unix://{self.daemon.socket}", "log-level", "loud"],
                             capture_output=True, text=True, check=False)
        self.assertIn("debug", ran.stderr)


class Report(WithDaemon):
    configuration = CONFIGURATION + 'nova.transport_url = "rabbit://nova:planted-broker-password@127.0.0.1:1/"\n'
    SECRETS = ("planted-password", "planted-broker-password", "planted-token", "planted-url-password", "planted-user-data", "planted-file")

    def plant(self):
        spec = {**SPEC, "instance_properties": {"display_name": "x", "user_data": "planted-user-data"}}
        self.daemon.call("schedule_run_instance", request_spec=spec, admin_password="planted-password",
                         injected_files=[["/etc/x", "planted-file"]])
        self.daemon.ask("POST", "/v1/select_destinations", body={
            "context": {"auth_token": "planted-token"},
            "args": {"request_spec": {**TOO_LARGE, "scheduler_hints": {"x": "http://u:planted-url-password@h/"}}}})
        self.daemon.call("create_aggregate", name="a", metadata={"admin_password": "planted-password"})

    def test_holds_what_a_helper_needs(self):
        self.daemon.select(TOO_LARGE)
        report = json.loads(self.daemon.gantry("report"))
        self.assertEqual(report["status"]["pid"], self.daemon.process.pid)
        self.assertEqual({driver["id"] for driver in report["drivers"]}, {"filter", "volume"})
        keys = {each["key"]: each["value"] for each in report["configuration"]}
        self.assertEqual((keys["server.socket"], keys["nova.transport_url"]), (f'"{self.daemon.socket}"', '"****"'))
        self.assertTrue(report["doctor"]["sound"], report["doctor"])
        self.assertEqual(report["statistics"]["decisions"]["no_valid_host"], 1)
        self.assertIn("service.registered", {event["type"] for event in report["events"]})
        self.assertGreater(report["process"]["resident_bytes"], 0)

    def test_has_the_newest_warnings_of_the_log(self):
        self.daemon.call("schedule_run_instance", request_spec=TOO_LARGE)
        self.assertTrue(any("no valid host" in line for line in json.loads(self.daemon.gantry("report"))["log"]))

    def test_has_no_secrets(self):
        token = self.daemon.token("reader").read_text().strip()
        self.daemon.gantry("log-level", "debug")
        self.plant()
        report = self.daemon.gantry("report")
        for secret in (*self.SECRETS, token):
            self.assertNotIn(secret, report)


class Top(WithDaemon):
    def test_gives_one_look_without_a_terminal(self):
        self.daemon.select(TOO_LARGE)
        for words in (["top", "--once"], ["top"]):
            text = self.daemon.gantry(*words)
            self.assertIn("  ready  since ", text)
            self.assertIn("hosts of topic compute: 3 up, 0 down, 0 disabled, 0 forced down", text)
            self.assertRegex(text, r"filter +RamFilter +1 +3")
            self.assertNotIn("\x1b", text)
        self.assertEqual(self.json_of("top", "--once")["decisions"]["no_valid_host"], 1)

    def view(self, end):
        """What it writes to a terminal until `end` has acted on it, and its status."""
        process, terminal = pty.fork()
        if process == 0:
            os.execv(self.daemon.programs / "gantry",
                     ["gantry", "--url", f"unix://{self.daemon.socket}", "top", "--interval", "0.2"])
        written, ended, until = b"", False, time.monotonic() + 20
        while time.monotonic() < until and END_OF_VIEW not in written:
            if select.select([terminal], [], [], 0.1)[0]:
                written += os.read(terminal, 65536)
            # The second look knows the rates.
            if not ended and b"/s decisions" in written:
                end(process, terminal)
                ended = True
        status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        os.close(terminal)
        return written, status

    def test_ends_on_q_and_leaves_the_terminal_as_it_was(self):
        written, status = self.view(lambda _, terminal: os.write(terminal, b"q"))
        self.assertEqual(status, 0)
        self.assertTrue(written.startswith(b"\x1b[?1049h\x1b[?25l"), written[:40])
        self.assertTrue(written.endswith(END_OF_VIEW), written[-40:])

    def test_ends_on_an_interrupt_and_leaves_the_terminal_as_it_was(self):
        for end in (lambda _, terminal: os.write(terminal, b"\x03"), lambda process, _: os.kill(process, signal.SIGTERM)):
            written, status = self.view(end)
            self.assertEqual(status, 0)
            self.assertTrue(written.endswith(END_OF_VIEW), written[-40:])


if __name__ == "__main__":
    unittest.main(verbosity=2)
