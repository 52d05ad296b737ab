#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes, builds and tries projects with `gantry driver`, against an installed SDK and without the sources.

    driver_kit_test.py BUILD
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

BUILD = Path(sys.argv[1]).resolve()
HERE = Path(__file__).resolve().parent
PATIENCE = 100  # seconds until a condition that does not come fails a test


def make_home():
    """Only this user may write to the directory, as gantryd wants of a directory of drivers."""
    base = Path.home() / ".cache" / "gantry-tests"
    base.mkdir(parents=True, exist_ok=True)
    return Path(tempfile.mkdtemp(dir=base))


class DriverKit(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = make_home()
        cls.addClassCleanup(shutil.rmtree, cls.home, ignore_errors=True)
        subprocess.run(["cmake", "--install", str(BUILD / "sdk"), "--component", "sdk", "--prefix", str(cls.home / "sdk")],
                       check=True, capture_output=True)
        variables = {name: value for name, value in os.environ.items() if not name.startswith(("GANTRY_", "XDG_"))}
        tools = {"CARGO_HOME": str(Path.home() / ".cargo"), "RUSTUP_HOME": str(Path.home() / ".rustup")}
        cls.environment = {**tools, **variables, "HOME": str(cls.home), "GANTRY_SDK": str(cls.home / "sdk")}

    def setUp(self):
        self.work = Path(tempfile.mkdtemp(dir=self.home))

    def driver(self, *words, code=0):
        ran = subprocess.run([str(BUILD / "bin/gantry"), "driver", *words], cwd=self.work, env=self.environment,
                             capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(ran.returncode, code, ran.stdout + ran.stderr)
        return ran

    def build(self, name, *words):
        self.driver("new", name, *words)
        return json.loads(self.driver("build", name, "-o", "json").stdout)[0]

    def dev_directories(self):
        return list((self.home / ".cache/gantry").glob("dev-*"))

    def make_check(self, name, code):
        ran = subprocess.run(["make", "-C", name, "check", f"GANTRY={BUILD}/bin/gantry"], cwd=self.work,
                             env=self.environment, capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(ran.returncode, code, ran.stdout + ran.stderr)
        return ran.stdout

    def test_a_policy_in_lua_passes_its_check_untouched_and_fails_it_changed(self):
        self.driver("new", "our-policy", "--lang", "lua")
        self.assertIn("all decisions are as cases has them", self.make_check("our-policy", 0))
        policy = self.work / "our-policy/our-policy.lua"
        policy.write_text(policy.read_text().replace("reserve_mb = 512", "reserve_mb = 513"))
        self.assertIn("--memory-mb 13824: expected large, found none", self.make_check("our-policy", 2))
        policy.write_text("filter 'x' {")
        self.assertIn("our-policy.lua:1: ", self.make_check("our-policy", 2))

    def test_a_policy_in_lua_is_tried_by_dev_and_graded_by_test(self):
        self.driver("new", "our-policy", "--lang", "lua")
        bundled = ("--set", f'driver_directories=["{BUILD}/lib/gantry/drivers"]')
        answer = json.loads(self.driver("dev", "our-policy", "--once", "-o", "json", *bundled).stdout)
        self.assertEqual(answer["destinations"][0]["host"], "host3")
        self.driver("test", "our-policy/our-policy.lua", "--only", "picks-a-host", *bundled)
        policy = self.work / "our-policy/our-policy.lua"
        policy.write_text("filter 'x' {")
        self.assertIn("our-policy.lua:1: ", self.driver("dev", "our-policy", "--once", *bundled, code=78).stderr)
        self.assertIn("our-policy.lua:1: ", self.driver("test", "our-policy/our-policy.lua", *bundled, code=1).stdout)

    def test_a_sanitizer_has_a_build_of_its_own(self):
        plain = self.build("spread", "--lang", "c")
        facts = json.loads(self.driver("build", "spread", "--sanitize", "undefined", "-o", "json").stdout)[0]
        self.assertEqual(facts["path"], "spread/build-undefined/spread.so")
        again = json.loads(self.driver("build", "spread", "-o", "json").stdout)[0]
        self.assertEqual(again["sha256"], plain["sha256"])

    def test_dev_decides_once_and_leaves_nothing_behind(self):
        self.driver("new", "spread", "--lang", "c")
        ran = self.driver("dev", "spread", "--once")
        self.assertRegex(ran.stdout, r"host1 ")
        answer = json.loads(self.driver("dev", "spread/spread.so", "--once", "-o", "json", "--set",
                                        "driver.spread.reserve_mb=10000").stdout)
        self.assertEqual(answer["destinations"][0]["host"], "host2")
        self.assertEqual(self.dev_directories(), [])

    def test_dev_takes_a_request_of_the_users(self):
        self.driver("new", "spread", "--lang", "c")
        (self.work / "big.json").write_text('{"request_spec": {"instance_type": {"memory_mb": 999999, "vcpus": 1}}}')
        ran = self.driver("dev", "spread", "--once", "--request", "big.json", code=3)
        self.assertIn("no host that is up has the memory", ran.stderr)

    def test_dev_shows_each_decision_error_and_refusal_until_it_is_stopped(self):
        self.driver("new", "spread", "--lang", "c")
        source = self.work / "spread/spread.c"
        text = source.read_text()
        output = open(self.work / "output", "w+")
        self.addCleanup(output.close)
        process = subprocess.Popen([str(BUILD / "bin/gantry"), "driver", "dev", "spread"], cwd=self.work,
                                   env=self.environment, stdout=output, stderr=subprocess.STDOUT)
        self.addCleanup(process.kill)
        waits = "waits for a change"
        self.wait_for_output(process, rf"host1 [\s\S]*{waits}")
        source.write_text(text.replace("static void destroy", "static vod destroy"))
        self.wait_for_output(process, rf"unknown type name[\s\S]*{waits}")
        source.write_text(text.replace("'memory_mb_used'", "'memory_used'"))
        self.wait_for_output(process, rf"which is not one of the core's[\s\S]*{waits}")
        source.write_text(text.replace("!= RULES) continue;", "!= RULES || row == 0) continue;"))
        self.wait_for_output(process, rf"which is not one of the core's[\s\S]*host2 [\s\S]*{waits}")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(PATIENCE), 0)
        self.assertEqual(self.dev_directories(), [])
        self.assertNotIn(str(self.home), subprocess.run(["ps", "-ewwo", "args"], capture_output=True, text=True).stdout)

    def wait_for_output(self, process, pattern):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            text = (self.work / "output").read_text()
            if re.search(pattern, text):
                return
            self.assertIsNone(process.poll(), text)
            time.sleep(0.05)
        self.fail(f"expected {pattern}, found\n{text}")

    def test_dev_ends_at_once_where_there_is_nothing_to_build(self):
        self.assertIn("found nothing of that name", self.driver("dev", "nowhere", code=1).stderr)
        self.assertIn("expected Cargo.toml, CMakeLists.txt", self.driver("dev", ".", code=2).stderr)
        self.assertEqual(self.dev_directories(), [])

    def test_dev_keeps_a_named_directory(self):
        self.driver("new", "spread", "--lang", "c")
        self.driver("dev", "spread", "--once", "--keep", str(self.home / "kept"))
        self.assertEqual((self.home / "kept").stat().st_mode & 0o777, 0o700)
        self.assertIn("scheduler_driver", (self.home / "kept/gantry.toml").read_text())

    def test_dev_loads_a_driver_of_methods_and_says_how_to_call_it(self):
        self.driver("new", "slots", "--lang", "c", "--kind", "method", "--topic", "backup")
        self.assertIn("schedule backup take_seats", self.driver("dev", "slots", "--once").stderr)

    def test_dev_enables_the_filters_of_a_library(self):
        self.driver("new", "rules", "--kind", "filter")
        ran = self.driver("dev", "rules", "--once", "--set", f'driver_directories=["{BUILD}/lib/gantry/drivers"]')
        self.assertIn("PowerFilter", ran.stdout)

    def gantry(self, *words):
        ran = subprocess.run([str(BUILD / "bin/gantry"), *words], cwd=self.work, env=self.environment, capture_output=True,
                             text=True, timeout=PATIENCE)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        return json.loads(ran.stdout)

    def running(self):
        return [driver["id"] for driver in self.gantry("--config", "gantry.toml", "status", "-o", "json")["drivers"]]

    def make_site(self):
        """A configuration of the driver simple with a directory for further drivers."""
        (self.work / "bundled").mkdir()
        shutil.copy(BUILD / "lib/gantry/drivers/simple.so", self.work / "bundled")
        (self.work / "gantry.toml").write_text(
            f"driver_directories = ['{self.work}/bundled', '{self.work}/site']\nserver.socket = '{self.work}/socket'\n"
            f"store.path = '{self.work}/db'\n")

    def killed_at(self, step, *words):
        """Runs the command and returns whether it was killed at that change of a file, and did not end before."""
        ran = subprocess.run([str(BUILD / "bin/gantry"), "driver", "--config", "gantry.toml", *words], cwd=self.work,
                             env={**self.environment, "LD_PRELOAD": str(self.work / "kill_at_step.so"), "KILL_AT": str(step),
                                  "ASAN_OPTIONS": "verify_asan_link_order=0"},
                             capture_output=True, text=True, timeout=PATIENCE)
        self.assertIn(ran.returncode, (0, -signal.SIGKILL), ran.stdout + ran.stderr)
        return ran.returncode != 0

    def expect_whole(self, contents):
        """The configuration is sound, a driver that it names has one of the contents, and only killed runs leave more."""
        listed = json.loads(self.driver("--config", "gantry.toml", "list", "-o", "json").stdout)
        self.assertEqual([driver["state"] for driver in listed], ["ok"])
        name, path = listed[0]["id"], Path(listed[0]["path"])
        self.assertIn(name, ("simple", "spread"))
        if name == "spread":
            self.assertIn(path.read_bytes(), contents)
        return name

    def test_a_killed_install_or_remove_leaves_the_old_or_the_new_and_the_next_one_clears_up(self):
        subprocess.run(["cc", "-shared", "-fPIC", str(HERE / "kill_at_step.c"), "-ldl", "-o", str(self.work / "kill_at_step.so")],
                       check=True)
        self.make_site()
        self.build("spread", "--lang", "c")
        first = (self.work / "spread/spread.so").read_bytes()
        source = self.work / "spread/spread.c"
        source.write_text(source.read_text().replace("0.1.0", "0.2.0"))
        (self.work / "old.so").write_bytes(first)
        self.driver("build", "spread")
        second = (self.work / "spread/spread.so").read_bytes()
        clean = {"install": {"spread.so"}, "remove": set()}
        for before, verb, words in (("simple", "install", ("install", "spread/spread.so")),
                                    ("spread", "install", ("install", "spread/spread.so")),
                                    ("spread", "remove", ("remove", "spread"))):
            step, is_killed = 0, True
            while is_killed:
                step += 1
                with self.subTest(before=before, verb=verb, step=step):
                    shutil.rmtree(self.work / "site", ignore_errors=True)
                    shutil.rmtree(self.work / "conf.d", ignore_errors=True)
                    if before == "spread":
                        self.driver("--config", "gantry.toml", "install", "old.so")
                    is_killed = self.killed_at(step, *words)
                    after = self.expect_whole((first, second))
                    if verb == "install" or after == "spread":
                        self.driver("--config", "gantry.toml", *words)
                    else:
                        self.driver("--config", "gantry.toml", "install", "spread/spread.so")
                        self.driver("--config", "gantry.toml", *words)
                    self.assertEqual(self.expect_whole((second,)), "spread" if verb == "install" else "simple")
                    self.assertEqual({file.name for file in (self.work / "site").iterdir()}, clean[verb])
                    self.assertLessEqual({file.name for file in (self.work / "conf.d").glob("*")},
                                         {"90-installed-drivers.toml"})
            self.assertGreater(step, 8, "expected the command to be killed at each of its steps")

    def test_a_killed_dev_takes_its_daemon_along_and_the_next_one_removes_its_directory(self):
        self.driver("new", "spread", "--lang", "c")
        output = open(self.work / "output", "w+")
        self.addCleanup(output.close)
        process = subprocess.Popen([str(BUILD / "bin/gantry"), "driver", "dev", "spread"], cwd=self.work,
                                   env=self.environment, stdout=output, stderr=subprocess.STDOUT)
        self.addCleanup(process.kill)
        self.wait_for_output(process, "waits for a change")
        process.kill()
        process.wait(PATIENCE)
        left = self.dev_directories()
        self.assertEqual(len(left), 1)
        end = time.monotonic() + PATIENCE
        while str(left[0]) in subprocess.run(["ps", "-ewwo", "args"], capture_output=True, text=True).stdout:
            self.assertLess(time.monotonic(), end, "expected the daemon to end")
            time.sleep(0.05)
        self.driver("dev", "spread", "--once")
        self.assertEqual(self.dev_directories(), [])

    def test_install_has_a_running_daemon_take_the_driver_and_remove_brings_the_old_one_back(self):
        self.make_site()
        log = open(self.work / "output", "w")
        self.addCleanup(log.close)
        daemon = subprocess.Popen([str(BUILD / "bin/gantryd"), "--config", "gantry.toml"], cwd=self.work,
                                  env=self.environment, stderr=log, start_new_session=True)
        self.addCleanup(os.killpg, daemon.pid, signal.SIGKILL)
        self.wait_for_output(daemon, " ready socket=")
        self.build("spread", "--lang", "c")
        self.driver("--config", "gantry.toml", "install", "spread/spread.so", "--restart")
        self.assertEqual(self.running(), ["spread"])
        listed = json.loads(self.driver("--config", "gantry.toml", "list", "-o", "json").stdout)
        self.assertEqual(listed[0]["running"], "same")
        self.driver("--config", "gantry.toml", "remove", "spread", "--restart")
        self.assertEqual(self.running(), ["simple"])
        self.assertFalse((self.work / "site/spread.so").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
