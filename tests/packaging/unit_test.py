#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the unit says: how exposed systemd finds it, and the exit statuses that it starts gantryd again after.

    unit_test.py PROGRAMS DRIVERS UNITS PACKAGING
"""

import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

from scratch_daemon import ScratchDaemon
from service_unit import Unit

PROGRAMS, DRIVERS, UNITS, PACKAGING = sys.argv[1:5]
UNIT = Unit(pathlib.Path(UNITS) / "gantryd.service")


class TheUnit(unittest.TestCase):
    @unittest.skipUnless(shutil.which("systemd-analyze"), "needs systemd-analyze")
    def test_leaves_an_exposure_of_1_5_at_most(self):
        judged = subprocess.run(["systemd-analyze", "security", "--offline=true", "--threshold=15", "--no-pager",
                                 str(pathlib.Path(UNITS) / "gantryd.service")], capture_output=True, text=True, check=False)
        self.assertEqual(judged.returncode, 0, judged.stdout + judged.stderr)

    def test_and_its_socket_are_what_systemd_understands(self):
        if not shutil.which("systemd-analyze"):
            self.skipTest("needs systemd-analyze")
        socket_unit = pathlib.Path(PACKAGING) / "systemd" / "gantryd.socket"
        lines = socket_unit.read_text().splitlines()
        self.assertIn("ListenStream=/run/gantry/gantry.sock", lines)
        with tempfile.TemporaryDirectory() as scratch:
            service = (pathlib.Path(UNITS) / "gantryd.service").read_text()
            present = re.sub(r"(?m)^ExecStart=.*", "ExecStart=/bin/true", service)
            (pathlib.Path(scratch) / "gantryd.service").write_text(present)
            shutil.copy(socket_unit, scratch)
            judged = subprocess.run(["systemd-analyze", "verify", "--man=no", f"{scratch}/gantryd.socket"],
                                    capture_output=True, text=True, check=False)
        self.assertNotIn("gantryd.", judged.stderr)


class RestartsOfTheUnit(unittest.TestCase):
    """What a second start would find again ends with a status that the unit does not restart after."""

    def setUp(self):
        self.daemon = ScratchDaemon(PROGRAMS, DRIVERS)
        self.addCleanup(self.daemon.remove)

    def expect_given_up(self, words, *more, **settings):
        status, found = self.daemon.status_of(*more, **settings)
        self.assertIn(words, found)
        self.assertIn(status, UNIT.prevented(), found)

    def make_store(self):
        self.assertEqual(self.daemon.stop(self.daemon.start()), 0)

    def test_a_store_of_a_newer_gantry(self):
        self.make_store()
        store = sqlite3.connect(self.daemon.store)
        store.execute("PRAGMA user_version = 99")
        store.close()
        self.expect_given_up("which a newer gantry made")

    def test_a_damaged_store(self):
        self.make_store()
        with open(self.daemon.store, "r+b") as store:
            store.seek(4096)
            store.write(b"\xff" * 8192)
        self.expect_given_up("damaged")

    def test_a_stored_document_that_cannot_be_read(self):
        self.make_store()
        store = sqlite3.connect(self.daemon.store)
        store.execute("INSERT INTO services VALUES ('compute/h1', 'no JSON')")
        store.commit()
        store.close()
        self.expect_given_up("stored service")

    def test_a_file_of_another_program(self):
        self.daemon.store.write_text("notes of somebody else" * 100)
        self.expect_given_up("not a Gantry store")
        self.daemon.store.unlink()
        store = sqlite3.connect(self.daemon.store)
        store.execute("CREATE TABLE theirs (x)")
        store.commit()
        store.close()
        self.expect_given_up("not a Gantry store")

    def test_a_file_or_directory_that_may_not_be_used(self):
        self.daemon.store.symlink_to("/nowhere")
        self.expect_given_up("symbolic link")
        self.daemon.store.unlink()
        self.daemon.directory.chmod(0o777)
        self.expect_given_up("only its owner may write")

    def test_a_wrong_command_line_and_a_refused_configuration(self):
        self.expect_given_up("found the word 'foo'", "foo")
        self.expect_given_up("unknown key", **{"server.sokket": "/x"})

    def test_another_gantryd_that_still_ends_is_waited_for(self):
        running = self.daemon.start()
        self.addCleanup(self.daemon.stop, running)
        for words, other in (("already used by process", {"server.socket": self.daemon.directory / "other.sock"}),
                             ("another process answers there", {"store.path": self.daemon.directory / "other.db"})):
            status, found = self.daemon.status_of(**other)
            self.assertIn(words, found)
            self.assertNotEqual(status, 0)
            self.assertNotIn(status, UNIT.prevented(), found)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
