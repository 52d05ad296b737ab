#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each gate of the ABI finds the breaks that it is there for, and lets legal changes pass. Every test breaks one thing
in a copy of the headers.

    gates_test.py --table    prints each of the breaks in breaks.py with the gate that finds it
"""
import contextlib
import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

import release
from breaks import BREAKS
from headers import need, run
from released import changed_files, lost_since_the_tag

ABI = Path(__file__).resolve().parent
TODAY = ".".join(release.header_version(ABI.parent / "include")[:2])
NEXT = re.sub(r"\d+$", lambda minor: str(int(minor[0]) + 1), TODAY)
DRIVER = "gantry/driver.h"
FILTER = "gantry/ext/filter.h"


class Gate(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.directory.cleanup)
        cls.root = Path(cls.directory.name)
        shutil.copytree(ABI.parent / "include", cls.root / "include")
        shutil.copytree(ABI, cls.root / "abi")
        shutil.copytree(ABI.parent / "cmake", cls.root / "cmake")
        cls.prepare()

    @classmethod
    def prepare(cls):
        # What is tested is the gate. Whether the kept files are those of the headers is a test of its own.
        cls.prepared("constants.py", cls.root / "include", cls.root / "abi", "--update")
        cls.prepared("words.py", cls.root / "include", cls.root / "abi", "--update")

    @classmethod
    def prepared(cls, script, *arguments):
        done = run([sys.executable, "-B", cls.root / "abi" / script, *arguments])
        if done.returncode != 0:
            raise AssertionError(done.stdout + done.stderr)

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        shutil.copytree(self.root, directory.name, dirs_exist_ok=True)
        self.include, self.abi = Path(directory.name) / "include", Path(directory.name) / "abi"

    def run_gate(self, script, *more):
        done = run([sys.executable, "-B", self.abi / script, self.include, self.abi, *more])
        return done.returncode, done.stdout + done.stderr

    def change(self, path, before, after):
        """Replaces the one match of a pattern in a header."""
        text = (self.include / path).read_text(encoding="utf-8")
        changed, count = re.subn(before, after, text)
        self.assertEqual(count, 1, f"{path}: {before}")
        (self.include / path).write_text(changed, encoding="utf-8")

    @contextlib.contextmanager
    def change_taken_back(self, path):
        header = (self.include / path).read_bytes()
        try:
            yield
        finally:
            (self.include / path).write_bytes(header)

    def passes(self, script, *more):
        self.assertEqual(self.run_gate(script, *more), (0, ""))

    def finds(self, gate, *told):
        status, found = self.run_gate(*gate)
        self.assertEqual(status, 1, found)
        for words in told:
            self.assertIn(words, found)


class Constants(Gate):
    def test_pass_as_they_are(self):
        self.passes("constants.py")

    def test_find_a_changed_type(self):
        self.change(DRIVER, r"(define GANTRY_MOST_CASTS) \w+", r"\1 1024")
        self.finds(["constants.py"], "GANTRY_MOST_CASTS: expected 1024u, found 1024;")

    def test_find_a_constant_that_is_gone(self):
        self.change(DRIVER, r" GANTRY_CLAIM_LOST = 6,", "")
        self.finds(["constants.py"], "GANTRY_CLAIM_LOST: expected 6, found no such constant")

    def test_find_equal_values_in_one_enum(self):
        self.change(DRIVER, r"GANTRY_PICK_TOGETHER = 64", r"GANTRY_PICK_TOGETHER = 64, GANTRY_PICK_LATER = 32")
        self.finds(["constants.py"], "GANTRY_PICK_APART and GANTRY_PICK_LATER: expected different values")
        self.finds(["constants.py", "--update"], "GANTRY_PICK_LATER")

    def test_ask_for_a_line_about_a_new_one(self):
        self.change(DRIVER, r"GANTRY_PICK_TOGETHER = 64", r"GANTRY_PICK_TOGETHER = 64, GANTRY_PICK_LATER = 128")
        self.finds(["constants.py"], "GANTRY_PICK_LATER: expected a line in constants.txt", "new value 128", "HISTORY")
        self.passes("constants.py", "--update")
        self.passes("constants.py")


class Words(Gate):
    sentence = "The row numbers are 0 to rows-1."

    def test_pass_as_they_are(self):
        self.passes("words.py")

    def test_find_a_changed_sentence(self):
        self.change(DRIVER, re.escape("row numbers are 0 to"), "row numbers are 1 to")
        self.finds(["words.py"], f'expected "{self.sentence}"', 'found "The row numbers are 1 to rows-1."', "HISTORY")

    def test_find_a_sentence_that_is_gone(self):
        self.change(DRIVER, re.escape(self.sentence), "")
        self.finds(["words.py"], f'expected "{self.sentence}", found no such sentence')

    def test_let_one_go_that_history_quotes(self):
        self.change(DRIVER, re.escape(self.sentence), "")
        with (self.abi / "HISTORY").open("a", encoding="utf-8") as history:
            history.write('  - Rows have keys. Not said any more: "The row\n    numbers are 0 ...".\n')
        self.passes("words.py")

    def test_find_a_row_of_a_table(self):
        self.change(DRIVER, r"(disk_available_least +I64 +as reported:) GB", r"\1 MB")
        self.finds(["words.py"], "disk_available_least I64 as reported: GB left")

    def test_find_words_that_are_said_of_another_field(self):
        self.change(DRIVER, r"/\* set by the caller \*/\n  uint32_t row; ", "/* a size */\n  uint32_t row; ")
        self.finds(["words.py"], "gantry_location.struct_size: set by the caller")

    def test_let_new_sentences_and_other_lines_pass(self):
        self.change(DRIVER, re.escape(self.sentence), "The row\n * numbers are 0 to rows-1. A later header says more.")
        self.passes("words.py")


class Objects(Gate):
    def test_pass_as_they_are(self):
        for part in ("has", "manifest", "exports"):
            self.passes("objects.py", part)

    def test_find_reaches_that_is_content_with_a_byte_less(self):
        self.change(DRIVER, r"\(\(stride\) >=", "((stride) + 1 >=")
        self.finds(["objects.py", "has"], "GANTRY_REACHES of", "expected 0, found 1")

    def test_find_a_text_of_another_version(self):
        self.change(DRIVER, r'(define GANTRY_ABI_TEXT) "[0-9.]+"', r'\1 "9.9"')
        self.finds(["objects.py", "manifest"], "GANTRY_MANIFEST by g++: expected", "abi = '9.9'")


class Platforms(Gate):
    def test_pass_as_they_are(self):
        self.passes("platforms.py")

    def test_find_a_layout_that_does_not_hold(self):
        self.change(DRIVER, r"double vcpu;", "float vcpu;")
        self.finds(["platforms.py"], "frozen.c: expected the layout to hold on aarch64-linux-gnu", "gantry_limits")

    def test_find_that_nothing_is_refused(self):
        self.change(DRIVER, r"\n#error [^\n]*", "")
        self.finds(["platforms.py"], "gantry/driver.h: expected an #error on i386-linux-gnu", "on s390x-linux-gnu")


class Breaks(Gate):
    """The breaks of breaks.py, against the files as they are released."""

    @classmethod
    def prepare(cls):
        pass

    def found_by(self, gate):
        if gate == ("frozen.c",):
            done = run(["gcc", "-std=c11", "-fsyntax-only", "-I", self.include, self.abi / "frozen.c"])
            return done.returncode, done.stderr
        return self.run_gate(*gate)

    def test_find_each_break(self):
        self.assertEqual([each.number for each in BREAKS if each.number], list(range(1, 33)))
        for each in BREAKS:
            with self.subTest(each.what):
                status, found = self.tried(each)
                self.assertNotEqual(status, 0, f"{each.what}: {each.gate}")
                self.assertIn(each.told, found)

    def tried(self, each):
        with contextlib.ExitStack() as taken_back:
            for path, before, after in each.edits:
                taken_back.enter_context(self.change_taken_back(f"../{path}"))
                self.change(f"../{path}", before, after)
            return self.found_by(each.gate)

    def test_pass_as_they_are(self):
        for gate in sorted({each.gate for each in BREAKS}):
            self.assertEqual(self.found_by(gate)[0], 0, gate)


def print_table():
    """Runs each break, and prints which gate finds it."""
    Breaks.setUpClass()
    case = Breaks("test_find_each_break")
    case.setUp()
    for each in BREAKS:
        status, found = case.tried(each)
        result = "red" if status != 0 and each.told in found else "NOT FOUND"
        print(f"{each.number or '-':>3}  {each.what:70}  {' '.join(each.gate):20}  {result}")
    case.doCleanups()
    Breaks.doClassCleanups()


def numbered(include, version):
    """Gives the header another version."""
    path = include / DRIVER
    text = path.read_text(encoding="utf-8")
    for part, value in zip(("MAJOR", "MINOR", "TEXT"), (*version.split("."), f'"{version}"')):
        text = re.sub(rf"(define GANTRY_ABI_{part}) \S+", rf"\1 {value}", text)
    path.write_text(text, encoding="utf-8")


GROWTHS = (
    (DRIVER, r"(\n\} gantry_request;)", r"\n  uint64_t later;\1"),
    (DRIVER, r"(\n\} gantry_pick;)", r"\n  uint64_t later;\1"),
    (DRIVER, r"(\n\} gantry_column;)", r"\n  uint64_t later;\1"),
    (DRIVER, r"(\n\} gantry_claim_item;)", r"\n  gantry_string later;\1"),
    (DRIVER, r"(\(\*cast\)\([^;]*;)", r"\1\n  gantry_code (*later)(gantry_call* call, const gantry_pick* pick);"),
    (DRIVER, r"(\n\} gantry_driver_ops;)", r"\n  int32_t (*later)(gantry_driver* driver);\1"),
    (FILTER, r"(\n\} gantry_filter_ops;)", r"\n  int32_t (*later)(gantry_offered* filter);\1"),
    (DRIVER, r"(GANTRY_INTERNAL = 7)", r"\1, GANTRY_LATER = 8"),
    (DRIVER, r"(GANTRY_TYPE_UUIDS = 7)", r"\1, GANTRY_TYPE_U8 = 8"),
    (DRIVER, r"(GANTRY_PICK_TOGETHER = 64)", r"\1, GANTRY_PICK_LATER = 128"),
    (DRIVER, r"(define GANTRY_MAGIC .*)", r"\1\n#define GANTRY_MOST_LATER 7u /* A sentence more. */"),
    (FILTER, r"(#define GANTRY_FILTER_KIND .*)",
     r'\1\n#define GANTRY_LATER_KIND "gantry.later/1"\ntypedef struct gantry_later {\n  uint32_t struct_size;\n  uint32_t flags;\n} gantry_later;'),
)


class Releases(Gate):
    """Today's header is a release, and NEXT the minor after it."""

    @classmethod
    def prepare(cls):
        cls.prepared("release.py", TODAY)

    def released(self, version):
        done = run([sys.executable, "-B", self.abi / "release.py", version])
        return done.returncode, done.stdout + done.stderr

    def edit(self, path, before, after):
        text = (self.abi / path).read_text(encoding="utf-8")
        self.assertEqual(text.count(before), 1, before)
        (self.abi / path).write_text(text.replace(before, after), encoding="utf-8")

    def compiles(self):
        done = run(["gcc", "-std=c11", "-Wpadded", "-Werror", "-fsyntax-only", "-I", self.include, self.abi / "frozen.c"])
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def compare(self, reference, version=TODAY):
        done = run(["cmake", f"-DCOMPILER={shutil.which('gcc')}", f"-DABIDIFF={shutil.which('abidiff')}",
                    f"-DABIDW={shutil.which('abidw')}", f"-DINCLUDE={self.include}", f"-DWORK={self.abi}",
                    f"-DSOURCE={self.abi}/reference_{reference}.c", f"-DBASELINE={self.abi}/{reference}_{version}.abixml",
                    "-P", self.abi / "compare_abi.cmake"])
        return done.returncode, done.stdout + done.stderr

    def swap_flags_of_filters(self):
        self.change(FILTER, r"(  uint32_t struct_size;\n)(  uint32_t flags; /\* GANTRY_FILTER_\* \*/\n)", r"\2\1")
        self.edit("frozen/1_0_extensions.c", "gantry_filter_ops, struct_size, 0", "gantry_filter_ops, struct_size, 4")
        self.edit("frozen/1_0_extensions.c", "gantry_filter_ops, flags, 4", "gantry_filter_ops, flags, 0")
        self.compiles()

    def test_today_is_green_and_may_be_written_again(self):
        self.compiles()
        self.assertIn("The layout of driver.h in 1.0:", (self.abi / "frozen/1_0.c").read_text(encoding="utf-8"))
        for gate in (["released.py"], ["objects.py", "answers"]):
            self.assertEqual(self.run_gate(*gate)[0], 0)
        self.assertEqual(self.released(TODAY), (0, ""))
        self.assertFalse(list(self.abi.glob("frozen/0_*")))

    def test_find_fields_that_changed_places_with_their_frozen_lines(self):
        self.swap_flags_of_filters()
        self.finds(["released.py"], "frozen/1_0_extensions.c: expected the file as it was released")
        status, told = self.compare("extensions")
        self.assertNotEqual(status, 0)
        self.assertIn(f"extensions_{TODAY}.abixml", told)

    def test_refuse_to_release_changed_lines_again(self):
        self.swap_flags_of_filters()
        status, told = self.released(TODAY)
        self.assertEqual(status, 1)
        self.assertIn("frozen/1_0_extensions.c: expected the file as it was released", told)

    def test_find_a_list_that_was_written_anew(self):
        former = (self.abi / "frozen/RELEASED").read_text(encoding="utf-8")
        self.swap_flags_of_filters()
        release.write_list(self.abi, "1.0")
        self.assertEqual(list(changed_files(self.abi)), [])
        self.assertIn("lines are only appended", "".join(lost_since_the_tag(self.abi, former)))

    def test_find_terms_that_changed_places(self):
        self.change("gantry/ext/explain.h", r"(  double raw;[^\n]*\n)(  double normalized;[^\n]*\n)", r"\2\1")
        status, told = self.released(TODAY)
        self.assertEqual(status, 1)
        self.assertIn("gantry_term.raw: expected offset and type (16, 'double')", told)

    def test_find_a_field_without_a_line(self):
        self.change(*GROWTHS[0])
        self.finds(["released.py"], "gantry_request.later: expected a line FIELD(gantry_request, later, ..., uint64_t)")

    def test_find_a_released_sentence_that_says_something_else(self):
        self.change(DRIVER, re.escape("row numbers are 0 to"), "row numbers are 1 to")
        status, told = self.released(TODAY)
        self.assertEqual(status, 1)
        self.assertIn('expected "The row numbers are 0 to rows-1."', told)

    def test_find_a_header_that_the_baseline_would_not_have(self):
        (self.include / "gantry/ext/later.h").write_text("/* A later extension. */\n", encoding="utf-8")
        status, told = self.released(TODAY)
        self.assertEqual(status, 1)
        self.assertIn("reference_extensions.c: expected #include <gantry/ext/later.h>", told)
        self.finds(["released.py"], "expected #include <gantry/ext/later.h>")

    def test_refuse_another_version_than_the_headers(self):
        status, told = self.released(NEXT)
        self.assertEqual(status, 1)
        self.assertIn(f"gantry/driver.h: expected the version {NEXT}, found", told)

    def test_let_each_growth_pass(self):
        for growth in GROWTHS:
            with self.subTest(growth[2]), self.change_taken_back(growth[0]):
                self.change(*growth)
                self.assertEqual(list(release.broken(self.include, self.abi, TODAY)), [])
                self.compiles()

    def test_release_all_growth_as_the_next_minor(self):
        before = {path.name: path.read_bytes() for path in self.abi.glob("frozen/*_*.*")}
        for growth in GROWTHS:
            self.change(*growth)
        numbered(self.include, NEXT)
        self.assertEqual(self.released(NEXT), (0, ""))
        for name, content in before.items():
            self.assertEqual((self.abi / "frozen" / name).read_bytes(), content)
        self.compiles()
        next_stem = NEXT.replace(".", "_")
        lines = (self.abi / f"frozen/{next_stem}.c").read_text(encoding="utf-8")
        for line in ("GREW(gantry_pick, 96);", "FIELD(gantry_pick, later, 88, uint64_t);", "FROZEN(GANTRY_PICK_LATER == 128);",
                     "FIELD(gantry_host, later, 232, gantry_code (*)(gantry_call*, const gantry_pick*));",
                     'FROZEN(__builtin_strcmp(GANTRY_LATER_KIND, "gantry.later/1") == 0);', "GREW(gantry_later, 8);"):
            self.assertIn(line, lines)
        self.assertIn("A sentence more.", (self.abi / f"frozen/{next_stem}_words.txt").read_text(encoding="utf-8"))
        for gate in (["released.py"], ["constants.py"], ["words.py"], ["objects.py", "has"]):
            self.assertEqual(self.run_gate(*gate)[0], 0)
        for reference in ("driver", "extensions"):
            self.assertEqual(self.compare(reference, NEXT)[0], 0)
        rust = run([sys.executable, "-B", self.abi / "rust_abi.py", self.abi / "frozen.c"])
        self.assertIn("pub later: unsafe extern", rust.stdout)


if __name__ == "__main__":
    need("gcc", "g++", "clang", "objcopy", "readelf", "nm", "cmake", "abidiff", "abidw")
    if sys.argv[1:] == ["--table"]:
        print_table()
    else:
        unittest.main()
