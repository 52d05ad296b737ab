#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The examples of the man page do what it says.

    man_page_test.py PROGRAMS DRIVERS UNITS PACKAGING
"""

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import unittest

from scratch_daemon import ScratchDaemon, ready, until

PROGRAMS, DRIVERS, UNITS, PACKAGING = sys.argv[1:5]


def example_after(heading):
    """The lines of the man page's example that follows a sentence."""
    text = (pathlib.Path(PACKAGING) / "man" / "gantryd.8.scd").read_text()
    block = re.search(re.escape(heading) + r"\n\n\t(.*?)\n\n", text, re.DOTALL)
    return re.sub(r"\+\+$", "", block[1], flags=re.MULTILINE)


class ManPage(unittest.TestCase):
    def setUp(self):
        self.daemon = ScratchDaemon(PROGRAMS, DRIVERS)
        self.addCleanup(self.daemon.remove)

    def test_the_first_example_serves_beside_the_running_service(self):
        temporary = pathlib.Path(tempfile.mkdtemp(dir="/tmp"))
        self.addCleanup(temporary.rmdir)
        environment = dict(os.environ, PATH=f"{PROGRAMS}:{os.environ['PATH']}", TMPDIR=str(temporary),
                           GANTRY_DRIVER_DIRECTORIES=str(self.daemon.drivers))
        script = example_after("Try another driver beside the running service:")
        running = subprocess.Popen(["sh", "-c", script], env=environment, stderr=subprocess.PIPE, text=True,
                                   start_new_session=True)
        try:
            served = until(lambda: any(ready(path) for path in temporary.glob("*/gantry.sock")) or running.poll())
            self.assertTrue(served and running.poll() is None, running.poll())
        finally:
            os.killpg(running.pid, signal.SIGTERM)
            words = running.communicate(timeout=30)[1]
            for path in sorted(temporary.rglob("*"), reverse=True):
                path.rmdir() if path.is_dir() else path.unlink()
        self.assertIn("a new, empty store was made", words)

    def test_a_store_in_a_directory_for_everybody_is_refused_without_advice_that_breaks_the_machine(self):
        status, words = self.daemon.status_of(**{"store.path": "/tmp/gantry-test.db"})
        self.assertEqual(status, 77)
        self.assertNotIn("chmod", words)
        self.assertIn("install -d -m 0700 /tmp/gantry", words)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
