#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The check of the sources sees what it is meant to see, and nothing else."""

import unittest
from pathlib import Path

import source_rules

SPDX = source_rules.LICENCE


def faults(name: str, text: str) -> list[str]:
    return source_rules.faults_of(Path(name), text)


class SourceRules(unittest.TestCase):
    def test_wants_the_licence_in_the_first_line(self):
        self.assertEqual(faults("a.cpp", f"// {SPDX}\nint a;\n"), [])
        self.assertEqual(faults("a.h", f"/* {SPDX}\n */\n"), [])
        self.assertEqual(len(faults("a.cpp", f"int a;\n// {SPDX}\n")), 1)
        self.assertEqual(len(faults("a.cpp", "")), 1)

    def test_wants_it_below_the_interpreter(self):
        self.assertEqual(faults("run", f"#!/bin/sh\n# {SPDX}\n"), [])
        self.assertEqual(faults("run", "#!/bin/sh\nexit\n"), [f"run:1: expected '{SPDX}' in the second line, below #!"])

    def test_asks_no_licence_of_data(self):
        self.assertEqual(faults("a.toml", "a = 1\n"), [])

    def test_refuses_names_of_the_machine(self):
        self.assertEqual(faults("a.md", "see\n/" + "work/main\n"), ["a.md:2: names the directory of a development machine: '/" + "work'"])
        self.assertEqual(len(faults("a.md", "cd /" + "root/x\n")), 1)
        self.assertEqual(len(faults("a.md", "'/ho" + "me/someone'\n")), 1)
        self.assertEqual(len(faults("a.md", "https://py" + "pi.org/simple\n")), 1)

    def test_lets_other_paths_be(self):
        self.assertEqual(faults("a.md", "a/work/b ../work $X/root/y /workers /home/ /run/gantry\n"), [])


if __name__ == "__main__":
    unittest.main()
