#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drivers of today and drivers of a later minor decide the same on a host of today and on a host of a later minor.

    future_test.py SDK    SDK has include/ and templates/
"""
import concurrent.futures
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
SDK = Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else HERE.parents[2] / "sdk"
MODULE = ("-fPIC", "-shared", "-fvisibility=hidden")
WITH_TAIL = ("-DGANTRY_LATER_HOST", "-DGANTRY_LATER_TAIL== {0x5a5a5a5a5a5a5a5a, 0xa5a5a5a5a5a5a5a5}")


def done(command):
    ran = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        raise AssertionError(ran.stdout + ran.stderr)
    return ran.stdout


class Future(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.directory.cleanup)
        cls.work = Path(cls.directory.name)
        cls.headers = {"now": SDK / "include", "later": cls.work / "include"}
        done([sys.executable, "-B", HERE / "later_headers.py", SDK / "include", cls.headers["later"]])
        cpp = ("g++", "-std=c++17")
        jobs = [(*cpp, "-I", cls.headers["now"], HERE / "future_host.cpp", "-ldl", "-o", cls.work / "host_now"),
                (*cpp, *WITH_TAIL, "-I", cls.headers["later"], HERE / "future_host.cpp", "-ldl", "-o", cls.work / "host_later")]
        for time, include in cls.headers.items():
            jobs += [(*cpp, *MODULE, "-I", include, SDK / "templates/cpp/first_fit.cpp", "-o", cls.work / f"cpp_{time}.so"),
                     ("gcc", "-std=c11", *MODULE, "-I", include, SDK / "templates/c/first_fit.c", "-o", cls.work / f"c_{time}.so")]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(done, jobs))

    def decisions(self, driver, host):
        return done([self.work / f"host_{host}", self.work / f"{driver}.so"])

    def changed_in_c(self, time, before, after):
        """The name of the starter project in C with one change of its source."""
        text = (SDK / "templates/c/first_fit.c").read_text(encoding="utf-8")
        self.assertEqual(text.count(before), 1, before)
        source = self.work / "changed.c"
        source.write_text(text.replace(before, after), encoding="utf-8")
        done(["gcc", "-std=c11", *MODULE, "-I", self.headers[time], source, "-o", self.work / "changed.so"])
        return "changed"

    def test_each_driver_decides_the_same_on_each_host(self):
        for language in ("c", "cpp"):
            expected = self.decisions(f"{language}_now", "now")
            self.assertIn("pick 1 host-3", expected)
            self.assertNotIn("misuse", expected)
            for driver, host in (("now", "later"), ("later", "now"), ("later", "later")):
                with self.subTest(language=language, driver=driver, host=host):
                    self.assertEqual(self.decisions(f"{language}_{driver}", host), expected)

    def test_a_driver_that_walks_by_sizeof_is_led_astray_by_a_later_host(self):
        driver = self.changed_in_c("now", "at += options->option_stride", "at += sizeof(gantry_option)")
        self.assertEqual(self.decisions(driver, "now"), self.decisions("c_now", "now"))
        self.assertNotEqual(self.decisions(driver, "later"), self.decisions("c_now", "now"))

    def test_a_wish_that_the_host_does_not_know_is_refused(self):
        driver = self.changed_in_c("later", ".struct_size = sizeof pick,", ".struct_size = sizeof pick, .later_fields = {0, 7},")
        self.assertIn("misuse", self.decisions(driver, "now"))
        self.assertNotIn("misuse", self.decisions(driver, "later"))


if __name__ == "__main__":
    unittest.main()
