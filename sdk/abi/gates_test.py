#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each gate of the ABI finds the breaks that it is there for, and lets legal changes pass. Every test breaks one thing
in a copy of the headers."""
import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

from headers import need, run

ABI = Path(__file__).resolve().parent
DRIVER = "gantry/driver.h"
FILTER = "gantry/ext/filter.h"


class Gate(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        root = Path(directory.name)
        self.include, self.abi = root / "include", root / "abi"
        shutil.copytree(ABI.parent / "include", self.include)
        shutil.copytree(ABI, self.abi)
        # What is tested is the gate. Whether the kept files are those of the headers is a test of its own.
        for script in ("constants.py", "words.py"):
            self.assertEqual(self.run_gate(script, "--update"), (0, ""))

    def run_gate(self, script, *more):
        done = run([sys.executable, "-B", self.abi / script, self.include, self.abi, *more])
        return done.returncode, done.stdout + done.stderr

    def change(self, path, before, after):
        """Replaces the one match of a pattern in a header."""
        text = (self.include / path).read_text(encoding="utf-8")
        changed, count = re.subn(before, after, text)
        self.assertEqual(count, 1, f"{path}: {before}")
        (self.include / path).write_text(changed, encoding="utf-8")

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


if __name__ == "__main__":
    need("gcc", "g++", "clang", "objcopy", "readelf", "nm")
    unittest.main()
