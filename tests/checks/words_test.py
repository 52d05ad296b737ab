#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The check of words finds riddles in comments, and nothing in code, texts and plain sentences."""

import unittest

import words


def faults(text: str) -> list[str]:
    return words.faults_of("a.hpp", text)


class Words(unittest.TestCase):
    def test_finds_a_relative_clause_as_the_subject(self):
        self.assertEqual(len(faults("// What nobody waits for.\n")), 2)
        self.assertEqual(len(faults("int a;  // of the last chunk\n")), 1)
        self.assertEqual(len(faults("/* A claim. Those that\n * ended are gone. */\n")), 1)

    def test_reads_lines_that_follow_each_other_as_one_comment(self):
        self.assertEqual(faults("// A row\n// of the view.\n"), [])
        self.assertEqual(faults("//\n// Counts rows.\n\n// Who asks is known.\n")[0].split(": ")[0], "a.hpp:4")

    def test_finds_words_and_negations(self):
        self.assertEqual(len(faults("// Reads it anew for whoever asks.\n")), 2)
        self.assertEqual(len(faults("// Each such is no number.\n")), 2)

    def test_lets_plain_sentences_be(self):
        self.assertEqual(faults("// Returns nullptr if there is no row, and no such file is an error.\n"), [])
        self.assertEqual(faults("// A folder such as /tmp is no longer read.\n// What does it cost?\n"), [])

    def test_reads_comments_only(self):
        self.assertEqual(faults('int whoever = text("// What nobody reads");\n'), [])

    def test_counts_by_folder(self):
        self.assertEqual(words.folder_of("core/drivers/call/arena.hpp"), "core/drivers")
        self.assertEqual(words.folder_of("core/result.hpp"), "core")


if __name__ == "__main__":
    unittest.main()
