#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gantryd under the restrictions of its unit, as far as a container allows, with logrotate's file.

    confinement_test.py PROGRAMS DRIVERS UNITS PACKAGING
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

from scratch_daemon import ScratchDaemon, ready, until
from service_unit import USER, has_namespaces, run_in_unit

PROGRAMS, DRIVERS, UNITS, PACKAGING = sys.argv[1:5]

LOG = "/var/log/gantry/gantryd.log"
SETTINGS = ["--set", f"log.file={LOG}", "--set", 'driver_directories=["/run/installed"]']


@unittest.skipUnless(has_namespaces(), "needs root and mount namespaces")
class UnderTheUnit(unittest.TestCase):
    def setUp(self):
        self.daemon = ScratchDaemon(PROGRAMS, DRIVERS)
        self.addCleanup(self.daemon.remove)
        self.scratch = self.daemon.directory
        self.logs = self.scratch / "-var-log-gantry"

    def start(self):
        running = self.run_in_unit(SETTINGS)
        self.addCleanup(running.communicate)
        self.addCleanup(running.kill)
        socket = self.scratch / "-run-gantry" / "gantry.sock"
        self.assertTrue(until(lambda: ready(socket) or running.poll() is not None))
        self.assertIsNone(running.poll(), running.stderr.read() if running.poll() is not None else "")
        return running

    def run_in_unit(self, words):
        return run_in_unit(self.scratch, words, [PROGRAMS, DRIVERS, UNITS])

    def text(self, name="gantryd.log"):
        return (self.logs / name).read_text()

    def in_namespace(self, running, words):
        """Runs words as root in the namespace; its systemctl sends the signal that the real one would send."""
        programs = self.scratch / "programs"
        programs.mkdir(exist_ok=True)
        (programs / "systemctl").write_text(
            '#!/bin/sh\n[ "$*" = "kill --signal=HUP --kill-whom=main gantryd.service" ] && '
            f"exec kill -HUP {running.pid}\nexit 5\n")
        (programs / "systemctl").chmod(0o755)
        return subprocess.run(["nsenter", "-t", str(running.pid), "--mount", "--", *words], text=True, check=True,
                              env=dict(os.environ, PATH=f"{programs}:{os.environ['PATH']}"), capture_output=True)

    def turn_over(self, running):
        """What logrotate does with the file; its own steps by hand where it is not installed."""
        rules = pathlib.Path(PACKAGING) / "systemd" / "gantry.logrotate"
        if logrotate := shutil.which("logrotate"):
            own = self.scratch / "logrotate.conf"
            shutil.copy(rules, own)
            self.in_namespace(running, [logrotate, "--force", "--state", "/run/gantry/logrotate.state", str(own)])
            return
        mode = re.search(r"^\s*create (\d+)$", rules.read_text(), re.MULTILINE)[1]
        script = re.search(r"postrotate\n(.*?)\n\s*endscript", rules.read_text(), re.DOTALL)[1]
        create = f"mv {LOG} {LOG}.1 && install -m {mode} -o {USER} -g {USER} /dev/null {LOG}"
        self.in_namespace(running, ["sh", "-ec", create])
        self.in_namespace(running, ["sh", "-c", script])

    def test_the_daemon_serves_with_its_log_file_and_the_log_is_turned_over(self):
        running = self.start()
        self.assertTrue(until(lambda: "INFO ready" in self.text()), self.text())
        self.assertIn("a new, empty store was made", self.text())
        self.assertEqual((self.logs / "gantryd.log").stat().st_mode & 0o027, 0)
        self.turn_over(running)
        self.assertTrue(until(lambda: "the log file is opened anew" in self.text()), self.text())
        self.assertIn("INFO ready", self.text("gantryd.log.1"))
        self.assertNotIn("INFO ready", self.text())
        self.assertEqual((self.logs / "gantryd.log").stat().st_uid, USER)
        running.terminate()
        self.assertEqual(running.wait(30), 0, running.stderr.read())

    def test_a_check_under_the_unit_says_the_same_as_the_start(self):
        valid = self.run_in_unit([*SETTINGS, "--check-config"])
        said, words = valid.communicate(timeout=60)
        self.assertIn("the configuration is valid", said, words)
        self.assertEqual(valid.returncode, 0)
        for more in (["--check-config"], []):
            refused = self.run_in_unit([*SETTINGS, "--set", "log.file=/var/log/elsewhere/gantryd.log", *more])
            words = refused.communicate(timeout=60)[1]
            self.assertEqual(refused.returncode, 78, words)
            self.assertIn("log file /var/log/elsewhere/gantryd.log: cannot be opened for writing", words)

    def test_a_check_by_root_judges_for_the_user_of_the_service(self):
        running = self.start()
        check = "/run/installed/gantryd --check-config --set 'driver_directories=[\"/run/installed\"]' --set log.file="
        self.assertIn("the configuration is valid", self.in_namespace(running, ["sh", "-c", check + LOG]).stdout)
        refused = self.in_namespace(
            running, ["sh", "-c", f"mount -t tmpfs -o mode=0755 tmpfs /srv; {check}/srv/gantryd.log; test $? = 78"])
        self.assertIn("/srv/gantryd.log: cannot be opened for writing (/srv: Permission denied)", refused.stderr)

    def test_a_check_by_another_user_says_what_it_cannot_judge(self):
        running = self.start()
        found = self.in_namespace(running, ["setpriv", "--reuid", "64999", "--regid", "64999", "--clear-groups",
                                            "/run/installed/gantryd", "--check-config", *SETTINGS])
        self.assertIn("the configuration is valid", found.stdout)
        self.assertIn("warning: log, store, socket, certificate and key are not judged", found.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
