#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What documented_commands.py finds on a page."""

import tempfile
import unittest
from pathlib import Path

import documented_commands

PAGE = """
| a figure | `bench_filter --table nova` |
| another | `packaging/reliability --only soak --minutes 105` |
`bench_service --idle` and `bench_filter --table [scan\\|kept] [HOSTS]`

    packaging/parity --cases 5     # some cases

`gantry status` prints no figure.
"""


class DocumentedCommands(unittest.TestCase):
    def test_names_each_command_by_program_and_choice(self):
        self.assertEqual(documented_commands.commands_of(PAGE), {
            "bench_filter --table nova", "bench_filter --table scan", "bench_filter --table kept", "bench_service --idle",
            "packaging/reliability --only soak", "packaging/parity"})

    def test_tells_of_the_command_that_no_test_runs(self):
        with tempfile.TemporaryDirectory() as directory:
            root = Path(directory)
            (root / "tests").mkdir()
            (root / "README.md").write_text("`bench_filter --table nova` `packaging/bench` `packaging/run-tests --quick`")
            self.assertEqual(list(documented_commands.problems(root, {"bench_filter --table nova", "packaging/bench --only ready"})), [])
            (told,) = documented_commands.problems(root, {"packaging/bench"})
            self.assertIn("README.md: 'bench_filter --table nova'", told)


if __name__ == "__main__":
    unittest.main()
