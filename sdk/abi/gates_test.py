#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each gate of the ABI finds the breaks that it is there for, and lets legal changes pass. Every test breaks one thing
in a copy of the headers."""
import contextlib
import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

import release
from headers import need, run
from released import changed_files, lost_since_the_tag

ABI = Path(__file__).resolve().parent
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

    def test_find_a_changed_bound(self):
        self.change(DRIVER, r"(define GANTRY_MOST_ITEMS) \w+", r"\1 256u")
        self.finds(["constants.py"], "gantry/driver.h: GANTRY_MOST_ITEMS: expected 1024u, found 256u")

    def test_find_a_changed_type(self):
        self.change(DRIVER, r"(define GANTRY_MOST_CASTS) \w+", r"\1 1024")
        self.finds(["constants.py"], "GANTRY_MOST_CASTS: expected 1024u, found 1024;")

    def test_find_another_id_of_the_same_length(self):
        self.change(FILTER, "gantry.filter/1\"\n", "gantry.kilter/1\"\n")
        self.finds(["constants.py"], 'GANTRY_FILTER_KIND: expected "gantry.filter/1", found "gantry.kilter/1"')

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

    def test_find_has_that_wants_a_byte_more(self):
        self.change(DRIVER, r"(define GANTRY_HAS\(.*struct_size) >=", r"\1 >")
        self.finds(["objects.py", "has"], "gantry/driver.h: GANTRY_HAS of gantry_request.eligible", "expected 1, found 0")

    def test_find_reaches_that_is_content_with_a_byte_less(self):
        self.change(DRIVER, r"\(\(stride\) >=", "((stride) + 1 >=")
        self.finds(["objects.py", "has"], "GANTRY_REACHES of", "expected 0, found 1")

    def test_find_another_version_of_the_manifest(self):
        self.change(DRIVER, r'"manifest = 1\\n', r'"manifest = 2\\n')
        self.finds(["objects.py", "manifest"], "GANTRY_MANIFEST in c: expected b\"manifest = 1", "found b\"manifest = 2")

    def test_find_a_text_of_another_version(self):
        self.change(DRIVER, r'(define GANTRY_ABI_TEXT) "[0-9.]+"', r'\1 "9.9"')
        self.finds(["objects.py", "manifest"], "GANTRY_MANIFEST in c++: expected", "abi = '9.9'")

    def test_find_a_renamed_section(self):
        self.change(DRIVER, r'section\("\.gantry\.manifest"\)', 'section(".gantry.manifesto")')
        self.finds(["objects.py", "manifest"], "GANTRY_MANIFEST in c: expected a section .gantry.manifest, found none")

    def test_find_a_hidden_entry(self):
        self.change(DRIVER, r'visibility\("default"\)', 'visibility("hidden")')
        self.finds(["objects.py", "exports"], "expected the one exported symbol 'T gantry_driver_entry', found []")

    def test_find_a_cpp_name(self):
        self.change(DRIVER, r'extern "C" \{', 'namespace {}\nextern "C++" {')
        self.finds(["objects.py", "exports"], "gantry_driver_entry in c++: expected the one exported symbol", "_Z")


class Platforms(Gate):
    def test_pass_as_they_are(self):
        self.passes("platforms.py")

    def test_find_a_layout_that_does_not_hold(self):
        self.change(DRIVER, r"double vcpu;", "float vcpu;")
        self.finds(["platforms.py"], "frozen.c: expected the layout to hold on aarch64-linux-gnu", "gantry_limits")

    def test_find_that_nothing_is_refused(self):
        self.change(DRIVER, r"\n#error [^\n]*", "")
        self.finds(["platforms.py"], "gantry/driver.h: expected an #error on i386-linux-gnu", "on s390x-linux-gnu")


class Layouts(Gate):
    def finds_in_frozen(self, told, language=("gcc", "-std=c11")):
        done = run([*language, "-fsyntax-only", "-I", self.include, self.abi / "frozen.c"])
        self.assertNotEqual(done.returncode, 0, told)
        self.assertIn(told, done.stderr)

    def test_find_each_break(self):
        swap = r"(double vcpu;)\n(  double memory_mb;)"
        picks = (r"(gantry_code \(\*)pick(\)\(gantry_call\* call, const gantry_pick\* pick\);.*?\(\*)alternate\b", r"\1alternate\2pick")
        for before, after, told in (
                (r"(  const uint64_t\* complete; +/\* bitmap)", r"  uint64_t inserted;\n\1", "offsetof(gantry_request, complete)"),
                (swap, r"\2\n  \1", "offsetof(gantry_limits, vcpu)"),
                ("(?s)" + picks[0], picks[1], "offsetof(gantry_host, pick)"),
                (r"(\n\} gantry_limits;)", r"\n  double appended;\1", "sizeof(gantry_limits) == (40)"),
                (r"const (gantry_column\* columns;)", r"\1", "HAS_TYPE(gantry_view, columns"),
                (r"GANTRY_CLAIM_LOST = 6", "GANTRY_CLAIM_LOST = 9", "GANTRY_CLAIM_LOST == 6"),
                (r"(typedef struct) (gantry_string) \{", r"\1 __attribute__((aligned(16))) \2 {", "offsetof("),
                (r"(gantry_code \()(\*pick\))", r"\1__attribute__((ms_abi)) \2", "HAS_TYPE(gantry_host, pick"),
                (r"uint32_t reserved0;(\n  const uint64_t\* eligible|\n  /\* Bitmap: the rows that may be used)",
                 r"uint32_t cells;\1", "reserved0"),
                (r'(define GANTRY_ABI_TEXT) "[0-9.]+"', r'\1 "9.9"', "GANTRY_ABI_TEXT")):
            with self.subTest(told), self.change_taken_back(DRIVER):
                self.change(DRIVER, before, after)
                self.finds_in_frozen(told)

    def test_find_another_revision(self):
        self.change("gantry/ext/offers.h", '_EXTENSION "gantry.offers/1"', '_EXTENSION "gantry.offers/2"')
        self.finds_in_frozen("GANTRY_OFFERS_EXTENSION")


class Sentences(Gate):
    def test_find_each_break(self):
        for before, after, gone in (
                ("time of the call, nanoseconds since", "time of the call, milliseconds since", "Returns the time of the call"),
                (r"\[any\] Logs one line", "[call] Logs one line", "[any] Logs one line"),
                (r"\[worker\] Optional\. Sets the bits of the rows that are up", "[worker] Mandatory. Sets the bits of the rows that are up",
                 "[worker] Optional"),
                (r"free_ram_mb, free_disk_gb ", "left_ram_mb, free_disk_gb ", "free_ram_mb, free_disk_gb"),
                (r"Set every field named reserved to 0", "Set every field named reserved to 1", "Set every field named reserved")):
            with self.subTest(gone), self.change_taken_back(DRIVER):
                self.change(DRIVER, before, after)
                self.finds(["words.py"], gone)

    def test_find_codes_types_and_bounds(self):
        for before, after, told in (
                (r"(define GANTRY_MOST_JSON_DEPTH) \w+", r"\1 16u", "GANTRY_MOST_JSON_DEPTH: expected 56u, found 16u"),
                (r"(GANTRY_INTERNAL = 7)", r"\1, GANTRY_LATER = 8", "GANTRY_LATER: expected a line in constants.txt"),
                (r"(GANTRY_TYPE_UUIDS = 7)", r"\1, GANTRY_TYPE_U8 = 8", "GANTRY_TYPE_U8: expected a line in constants.txt")):
            with self.subTest(told), self.change_taken_back(DRIVER):
                self.change(DRIVER, before, after)
                self.finds(["constants.py"], told)


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
    """1.0 is today's header."""

    @classmethod
    def prepare(cls):
        numbered(cls.root / "include", "1.0")
        cls.prepared("release.py", "1.0")

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

    def compare(self, reference, version="1.0"):
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

    def test_1_0_is_green_and_may_be_written_again(self):
        self.compiles()
        self.assertIn("The layout of driver.h in 1.0:", (self.abi / "frozen/1_0.c").read_text(encoding="utf-8"))
        for gate in (["released.py"], ["objects.py", "answers"]):
            self.assertEqual(self.run_gate(*gate)[0], 0)
        self.assertEqual(self.released("1.0"), (0, ""))
        self.assertFalse(list(self.abi.glob("frozen/0_*")))

    def test_find_fields_that_changed_places_with_their_frozen_lines(self):
        self.swap_flags_of_filters()
        self.finds(["released.py"], "frozen/1_0_extensions.c: expected the file as it was released")
        status, told = self.compare("extensions")
        self.assertNotEqual(status, 0)
        self.assertIn("extensions_1.0.abixml", told)

    def test_refuse_to_release_changed_lines_again(self):
        self.swap_flags_of_filters()
        status, told = self.released("1.0")
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
        status, told = self.released("1.0")
        self.assertEqual(status, 1)
        self.assertIn("gantry_term.raw: expected offset and type (16, 'double')", told)

    def test_find_a_field_without_a_line(self):
        self.change(*GROWTHS[0])
        self.finds(["released.py"], "gantry_request.later: expected a line FIELD(gantry_request, later, ..., uint64_t)")

    def test_find_a_wrapper_that_refuses_later_hosts(self):
        self.change("gantry/driver/entry.hpp", r"GANTRY_ABI_MAJOR != 0 \|\| ", "")
        self.finds(["objects.py", "answers"], "fits_host(1, 1): expected True")

    def test_find_a_biased_random_below(self):
        self.change("gantry/driver/call.hpp", r"while \(static_cast<std::uint64_t>\(product\) < uneven\)", "if (uneven == bound)")
        self.finds(["objects.py", "answers"], "gantry::call::random_below(")

    def test_find_a_released_sentence_that_says_something_else(self):
        self.change(DRIVER, re.escape("row numbers are 0 to"), "row numbers are 1 to")
        status, told = self.released("1.0")
        self.assertEqual(status, 1)
        self.assertIn('expected "The row numbers are 0 to rows-1."', told)

    def test_find_a_header_that_the_baseline_would_not_have(self):
        (self.include / "gantry/ext/later.h").write_text("/* A later extension. */\n", encoding="utf-8")
        status, told = self.released("1.0")
        self.assertEqual(status, 1)
        self.assertIn("reference_extensions.c: expected #include <gantry/ext/later.h>", told)
        self.finds(["released.py"], "expected #include <gantry/ext/later.h>")

    def test_refuse_another_version_than_the_headers(self):
        status, told = self.released("1.1")
        self.assertEqual(status, 1)
        self.assertIn("gantry/driver.h: expected the version 1.1, found 1 0", told)

    def test_let_each_growth_pass(self):
        for growth in GROWTHS:
            with self.subTest(growth[2]), self.change_taken_back(growth[0]):
                self.change(*growth)
                self.assertEqual(list(release.broken(self.include, self.abi, "1.0")), [])
                self.compiles()

    def test_release_all_growth_as_1_1(self):
        before = {path.name: path.read_bytes() for path in self.abi.glob("frozen/1_0*")}
        for growth in GROWTHS:
            self.change(*growth)
        numbered(self.include, "1.1")
        self.assertEqual(self.released("1.1"), (0, ""))
        for name, content in before.items():
            self.assertEqual((self.abi / "frozen" / name).read_bytes(), content)
        self.compiles()
        lines = (self.abi / "frozen/1_1.c").read_text(encoding="utf-8")
        for line in ("GREW(gantry_pick, 96);", "FIELD(gantry_pick, later, 88, uint64_t);", "FROZEN(GANTRY_PICK_LATER == 128);",
                     "FIELD(gantry_host, later, 232, gantry_code (*)(gantry_call*, const gantry_pick*));",
                     'FROZEN(__builtin_strcmp(GANTRY_LATER_KIND, "gantry.later/1") == 0);', "GREW(gantry_later, 8);"):
            self.assertIn(line, lines)
        self.assertIn("A sentence more.", (self.abi / "frozen/1_1_words.txt").read_text(encoding="utf-8"))
        for gate in (["released.py"], ["constants.py"], ["words.py"], ["objects.py", "has"]):
            self.assertEqual(self.run_gate(*gate)[0], 0)
        for reference in ("driver", "extensions"):
            self.assertEqual(self.compare(reference, "1.1")[0], 0)
        rust = run([sys.executable, "-B", self.abi / "rust_abi.py", self.abi / "frozen.c"])
        self.assertIn("pub later: unsafe extern", rust.stdout)


if __name__ == "__main__":
    need("gcc", "g++", "clang", "objcopy", "readelf", "nm", "cmake", "abidiff", "abidw")
    unittest.main()
