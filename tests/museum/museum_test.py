#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drivers as they were released load on the host of today and do what they did.

    museum_test.py SDK BUILD              SDK: include/; BUILD: bin/ and tests/museum/
    museum_test.py SDK BUILD --record M   writes the transcripts of a new minor M; a transcript that is there stays
"""
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "api"))
import museum  # noqa: E402
from running_daemon import RunningDaemon  # noqa: E402

SDK, BUILD = (Path(each).resolve() for each in sys.argv[1:3]) if len(sys.argv) > 2 else (Path(), Path())

WITHOUT_COMPUTE = ("methods", "volume")  # drivers that do not serve topic compute
# Drivers that the fake host of the SDK runs: they need no option and no library.
ON_THE_FAKE_HOST = ("decider_c_gcc", "decider_c_clang", "decider_cpp_gcc", "decider_cpp_clang", "decider_rust", "needs",
                    "chooses", "explains")
APART = "in a process of its own"
MOST_APART = 10  # drivers of one daemon in processes of their own


def work_directory():
    """A directory to which this user alone may write, as a host wants the directories of its drivers."""
    os.umask(0o022)
    base = Path.home() / ".cache" / "gantry-tests"
    base.mkdir(parents=True, exist_ok=True)
    return Path(tempfile.mkdtemp(dir=base))


def sections(text):
    """The parts of a text that lines `== NAME` begin, by name."""
    parts = {}
    for part in ("\n" + text).split("\n== ")[1:]:
        name, _, rest = part.partition("\n")
        parts[name] = rest if rest.endswith("\n") else rest + "\n"
    return parts


def played(minor, files, isolation):
    """The transcript of each driver, by name."""
    cases = {**minor.cases, "drivers": minor.driver_cases(files)}
    ran = subprocess.run([BUILD / "bin/museum_host", isolation, files["rules"].parent], input=json.dumps(cases),
                         capture_output=True, text=True, check=False)
    if ran.returncode not in (0, 1):
        raise AssertionError(f"museum_host {isolation}: exit status {ran.returncode}\n{ran.stderr}\n{museum.BREAK}")
    return sections(ran.stdout)


def configuration(cases, isolation):
    """The configuration of a daemon that has all drivers: a request's hint says which one decides."""
    names = [case["name"] for case in cases]
    text = f"scheduler_driver = {json.dumps(names)}\n"
    for case in cases:
        text += f'[driver.{case["name"]}]\npath = "{case["path"]}"\nisolation = "{isolation}"\n'
        if "libraries" in case:
            text += f'libraries = {json.dumps(case["libraries"])}\n'
        for option, value in case.get("options", {}).items():
            table = isinstance(value, dict)
            shown = "{" + ", ".join(f"{json.dumps(key)} = {json.dumps(each)}" for key, each in value.items()) + "}" if table else json.dumps(value)
            text += f"{option} = {shown}\n"
    for name in names:
        if name not in WITHOUT_COMPUTE:
            text += f'[[profile]]\nname = "{name}"\ndriver = "{name}"\nhint = {{museum = "{name}"}}\n'
    return text


def served(cases, libraries, isolation):
    """What a daemon with all drivers answers for each: one host can take the instance."""
    daemon = RunningDaemon(BUILD / "bin", libraries, configuration(cases, isolation))
    try:
        for host, vcpus in [("dev-1", 8), *((f"dev-{number}", 0) for number in range(2, 7))]:
            daemon.ask("POST", "/v1/service_register", body={"args": {"topic": "compute", "host": host, "binary": "nova-compute"}})
            daemon.ask("POST", "/v1/update_resource_stats", body={"args": {"name": host, "stats": {
                "vcpus": vcpus, "vcpus_used": vcpus // 8, "memory_mb": 1024 * vcpus, "memory_mb_used": 0, "local_gb": 100 * vcpus,
                "local_gb_used": 0, "stats": {"power_w": 100 * vcpus, "rack": "r1", "load": 0.5}}}})
            if vcpus == 0:
                daemon.gantry("service", "disable", "compute", host)
        daemon.gantry("aggregate", "create", "kept")
        lines = []
        for case in cases:
            if case["name"] in WITHOUT_COMPUTE:
                continue
            spec = {"num_instances": 1, "flavor": {"name": "kept", "vcpus": 1, "memory_mb": 512, "root_gb": 1, "extra_specs": {}},
                    "image": {"properties": {}},
                    "scheduler_hints": {"museum": [case["name"]]}}
            args = {"request_spec": spec, "filter_properties": {}}
            answer = daemon.ask("POST", "/v1/select_destinations", body={"args": args},
                                headers={"X-Remote-Address": "10.0.0.7"})
            lines.append(f"{case['name']}: {answer.status} {' '.join(hosts_in(answer.json))}\n")
        return "".join(lines)
    finally:
        daemon.stop()


def hosts_in(answer):
    """The hosts of an answer, wherever it names them."""
    if isinstance(answer, dict):
        yield from ([answer["host"]] if isinstance(answer.get("host"), str) else [])
        answer = list(answer.values())
    for each in answer if isinstance(answer, list) else []:
        yield from hosts_in(each)


def record(name):
    minor, work = museum.Minor(museum.HERE / name), work_directory()
    try:
        files = minor.unpack(work)
        for driver, text in played(minor, files, "none").items():
            path = minor.transcript_path(driver)
            path.parent.mkdir(exist_ok=True)
            if not path.exists():
                path.write_text(text, encoding="utf-8")
        path = minor.transcript_path("daemon")
        if not path.exists():
            path.write_text(served(minor.driver_cases(files), files["rules"].parent, "none"), encoding="utf-8")
        for driver in ON_THE_FAKE_HOST:
            path = minor.transcript_path(driver, "fake")
            if not path.exists():
                path.write_text(faked(files, driver), encoding="utf-8")
        with (minor.folder / "RELEASED").open("a", encoding="utf-8") as released:
            for path in sorted(each for each in minor.folder.rglob("*") if each.is_file() and each.name != "RELEASED"):
                if str(path.relative_to(minor.folder)) not in minor.entries:
                    digest = hashlib.sha256(path.read_bytes()).hexdigest()
                    released.write(f"{digest} {path.relative_to(minor.folder)}\n")
    finally:
        shutil.rmtree(work)


def faked(files, name):
    """The decisions of a driver on the fake host."""
    ran = subprocess.run([BUILD / "bin/museum_fake_host", files[name]], capture_output=True, text=True, check=False)
    return ran.stdout + ran.stderr


def build(source, out, *flags):
    subprocess.run(["gcc", "-std=c11", "-fPIC", "-shared", "-fvisibility=hidden", "-Wl,-z,defs,-z,noexecstack", *flags, "-I",
                    SDK / "include", source, "-o", out], check=True)


class Files(unittest.TestCase):
    def test_each_file_is_as_it_was_released(self):
        for minor in museum.minors():
            self.assertEqual([*minor.problems(), *minor.lost_lines()], [])


class Drivers(unittest.TestCase):
    """Each driver of each minor, on the host of today."""

    @classmethod
    def setUpClass(cls):
        cls.work = work_directory()
        cls.addClassCleanup(shutil.rmtree, cls.work)
        cls.files = {}
        for minor in museum.minors():
            (cls.work / minor.name).mkdir()
            cls.files[minor] = minor.unpack(cls.work / minor.name)

    def check(self, minor, name, found, where, kind="host"):
        path = minor.transcript_path(name, kind)
        kept = path.read_text(encoding="utf-8")
        if where == APART:  # a thread of the driver's own writes at its own time there
            kept, found = (re.sub(r"^  info: a turn of the thread\n", "", each, flags=re.M) for each in (kept, found))
        problem = museum.difference(path.relative_to(museum.HERE), kept, found, where)
        if problem:
            self.fail(problem)

    def test_inspect_takes_each_file(self):
        for minor, files in self.files.items():
            for name, path in files.items():
                with self.subTest(minor=minor.name, driver=name):
                    ran = subprocess.run([BUILD / "bin/gantry", "driver", "inspect", path, "-o", "json"], capture_output=True,
                                         text=True, check=False)
                    self.assertEqual((ran.returncode, ran.stderr), (0, ""), f"{path}\n{museum.BREAK}")
                    self.assertIn(minor.name, ran.stdout)

    def test_each_driver_does_what_it_did(self):
        for minor, files in self.files.items():
            for isolation, where in (("none", "in the host's process"), ("process", APART)):
                for name, found in played(minor, files, isolation).items():
                    with self.subTest(minor=minor.name, driver=name, where=where):
                        self.check(minor, name, found, where)

    def test_each_driver_does_on_the_fake_host_what_it_did(self):
        for minor, files in self.files.items():
            for name in ON_THE_FAKE_HOST:
                with self.subTest(minor=minor.name, driver=name):
                    self.check(minor, name, faked(files, name), "on the fake host of the SDK", "fake")

    def test_a_daemon_with_all_of_them_decides(self):
        for minor, files in self.files.items():
            cases = minor.driver_cases(files)
            parts = [cases[at:at + MOST_APART] for at in range(0, len(cases), MOST_APART)]
            path = minor.transcript_path("daemon")
            expected = path.read_text(encoding="utf-8")
            libraries = files["rules"].parent
            for where, found in (("in the daemon's process", served(cases, libraries, "none")),
                                 ("in processes of their own", "".join(served(part, libraries, "process") for part in parts))):
                with self.subTest(minor=minor.name, where=where):
                    self.assertEqual(museum.difference(path.relative_to(museum.HERE), expected, found, where), "")


class OldestHost(unittest.TestCase):
    """The oldest host kept, with drivers that are built with the headers of today."""

    @classmethod
    def setUpClass(cls):
        cls.work = work_directory()
        cls.addClassCleanup(shutil.rmtree, cls.work)
        cls.minor = museum.minors()[0]
        with tarfile.open(cls.minor.folder / "x86_64/host.tar.xz") as packed:
            packed.extractall(cls.work)
        cls.libraries = cls.work / "rules"
        cls.libraries.mkdir()

    def played(self, name, *flags):
        """The transcript of src/needs.c, built with the headers of today."""
        path = self.work / name / "needs.so"
        path.parent.mkdir()
        build(museum.HERE / "src/needs.c", path, *flags)
        cases = {**self.minor.cases, "drivers": [{"name": "needs", "path": str(path)}]}
        ran = subprocess.run([self.work / "museum_host", "none", self.libraries], input=json.dumps(cases), capture_output=True,
                             text=True, check=False, env={"LD_LIBRARY_PATH": str(self.work)})
        return ran.returncode, sections(ran.stdout).get("needs", ran.stderr)

    def test_takes_a_driver_of_today_that_needs_nothing_later(self):
        status, found = self.played("any")
        path = self.minor.transcript_path("needs")
        problem = museum.difference(path.relative_to(museum.HERE), path.read_text(encoding="utf-8"), found,
                                    "built with the headers of today, on the oldest host")
        self.assertEqual((status, problem), (0, ""))

    def test_refuses_a_driver_that_needs_a_later_minor(self):
        status, found = self.played("later", f"-DGANTRY_NEEDS_MINOR={int(self.minor.name.split('.')[1]) + 1}")
        self.assertEqual(status, 1, found)
        self.assertIn("update gantry", found)


class Breaks(unittest.TestCase):
    """The tests above turn red where something breaks."""

    def setUp(self):
        self.work = work_directory()
        self.addCleanup(shutil.rmtree, self.work)
        shutil.copytree(museum.minors()[0].folder, self.work / "1.0")
        self.minor = museum.Minor(self.work / "1.0")

    def test_a_changed_transcript_is_not_the_released_file(self):
        path = self.minor.transcript_path("needs")
        path.write_text(path.read_text(encoding="utf-8").replace("ends well", "ends ill", 1), encoding="utf-8")
        problems = list(self.minor.problems())
        self.assertEqual(len(problems), 1)
        self.assertIn("1.0/transcripts/needs.txt: expected the released file", problems[0])

    def test_a_changed_line_of_a_transcript_is_named(self):
        kept = self.minor.transcript_path("needs").read_text(encoding="utf-8")
        problem = museum.difference("needs.txt", kept, kept.replace("ends well", "ends ill", 1), "here")
        line = kept.splitlines().index("  ends well") + 1
        self.assertIn(f"needs.txt:{line}: here\n  expected   ends well\n  found      ends ill\n", problem)
        self.assertIn("stops the release", problem)

    def test_a_lost_line_of_a_transcript_is_named(self):
        kept = self.minor.transcript_path("needs").read_text(encoding="utf-8")
        shorter = "".join(kept.splitlines(keepends=True)[:-1])
        self.assertIn("no further line", museum.difference("needs.txt", kept, shorter, "here"))

    def test_a_truncated_driver_does_not_load(self):
        files = self.minor.unpack(self.work)
        whole = files["needs"].read_bytes()
        files["needs"].write_bytes(whole[:len(whole) // 2])
        found = played(self.minor, {name: files[name] for name in ("needs", "rules")}, "none")
        self.assertIn("does not load", found["needs"])

    def test_a_truncated_file_is_not_the_released_one(self):
        path = self.minor.folder / "x86_64/needs.so.xz"
        path.write_bytes(path.read_bytes()[:-20])
        self.assertIn("x86_64/needs.so.xz: expected the released file", "".join(self.minor.problems()))

    def test_a_file_without_a_line_is_found(self):
        (self.minor.folder / "x86_64/more.so.xz").write_bytes(b"")
        self.assertIn("more.so.xz: expected a line", "".join(self.minor.problems()))

    def test_a_line_of_the_last_release_is_not_taken_away(self):
        text = (self.minor.folder / "RELEASED").read_text(encoding="utf-8")
        self.assertEqual(museum.lost(text + "more\n", text, "1.0"), [])
        self.assertEqual(len(museum.lost("".join(text.splitlines(keepends=True)[:-1]), text, "1.0")), 1)


if __name__ == "__main__":
    if sys.argv[3:4] == ["--record"]:
        record(sys.argv[4])
    else:
        del sys.argv[1:3]
        unittest.main()
