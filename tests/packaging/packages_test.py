#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Debian packages of a build, installed, upgraded under load, removed and purged by apt on a machine that a real systemd
has booted. Exit status 77, with the reason, where there can be no such machine.

    packages_test.py BUILD_DIRECTORY
"""

import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path += [str(TESTS / "api"), str(TESTS / "reliability")]
from booted_machine import BootedMachine, CannotBoot  # noqa: E402
from restart_clients import Client  # noqa: E402
from running_daemon import UnixConnection  # noqa: E402
from scratch_daemon import until  # noqa: E402

PACKAGING = TESTS.parent / "packaging"
BUILD = pathlib.Path(sys.argv[1]).resolve()
SOCKET = "/run/gantry/gantry.sock"
OLD = "0.0.1"
STATS = {"vcpus": 100000, "memory_mb": 1 << 30, "local_gb": 1 << 20, "vcpus_used": 0, "memory_mb_used": 0, "local_gb_used": 0}


def make_packages(place):
    """The packages of the build, and those of the daemon and the command with an older version."""
    subprocess.run([PACKAGING / "deb", "--build", BUILD, "--out", place], check=True, stdout=subprocess.DEVNULL)
    for package in ("gantry", "gantry-client"):
        (newest,) = place.glob(f"{package}_*.deb")
        with tempfile.TemporaryDirectory() as scratch:
            subprocess.run(["dpkg-deb", "-R", newest, scratch], check=True)
            control = pathlib.Path(scratch) / "DEBIAN/control"
            version = re.search(r"^Version: (.*)$", control.read_text(), re.M)[1]
            control.write_text(control.read_text().replace(f"Version: {version}", f"Version: {OLD}")
                               .replace(f"(= {version})", f"(= {OLD})"))
            subprocess.run(["dpkg-deb", "-b", "-Zzstd", "-z1", scratch, place / newest.name.replace(version, OLD)], check=True,
                           stdout=subprocess.DEVNULL)


def make_repository(scratch):
    """A directory that apt reads, signed by a key that is made for it."""
    make_packages(scratch / "packages")
    home = scratch / "keys"
    home.mkdir(mode=0o700)
    environment = dict(os.environ, GNUPGHOME=str(home))
    subprocess.run(["gpg", "--batch", "--quiet", "--passphrase", "", "--quick-gen-key", "Test", "ed25519", "sign", "never"],
                   check=True, env=environment, stderr=subprocess.DEVNULL)
    subprocess.run([PACKAGING / "repository", "--key", "Test", scratch / "packages", scratch / "repository"], check=True,
                   env=environment, stdout=subprocess.DEVNULL)
    subprocess.run(["gpgconf", "--kill", "all"], env=environment, check=False)
    return scratch / "repository"


class Packages(unittest.TestCase):
    machine = None

    def __str__(self):
        return self._testMethodName.removeprefix("test_").replace("_", " ")

    def setUp(self):
        installed = self.machine.run("dpkg-query", "-W", "-f", "${Package}\n", "*gantry*").stdout.split()
        if installed:
            self.apt("purge", *installed)

    def run_well(self, *words):
        ran = self.machine.run(*words)
        self.assertEqual(ran.returncode, 0, f"{words}: {ran.stdout}{ran.stderr}")
        return ran.stdout

    def apt_may_fail(self, *words):
        return self.machine.run("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-y", "--no-install-recommends",
                                "--allow-downgrades", "-o", "Dpkg::Options::=--force-confold", *words)

    def apt(self, *words):
        ran = self.apt_may_fail(*words)
        self.assertEqual(ran.returncode, 0, f"apt-get {words}: {ran.stdout}{ran.stderr}")
        return ran.stdout

    def install_old(self):
        self.apt("install", f"gantry={OLD}", f"gantry-client={OLD}")
        self.assertEqual(self.version(), OLD)
        self.assertEqual(self.state(), "active")

    def version(self):
        return self.run_well("dpkg-query", "-W", "-f", "${Version}", "gantry")

    def state(self):
        return self.machine.run("systemctl", "is-active", "gantryd.service").stdout.strip()

    def process(self):
        return json.loads(self.run_well("gantry", "-o", "json", "status"))["pid"]

    def call(self, method, args):
        with contextlib.closing(UnixConnection(self.machine.path(SOCKET))) as connection:
            connection.request("POST", f"/v1/{method}", body=json.dumps({"args": args}),
                               headers={"Content-Type": "application/json"})
            self.assertEqual(connection.getresponse().status, 200)

    def add_host(self):
        self.call("service_register", {"topic": "compute", "host": "one"})
        self.call("update_resource_stats", {"name": "one", "stats": STATS})

    def configure(self, more):
        with self.machine.path("/etc/gantry/gantry.toml").open("a") as file:
            file.write(more)

    def test_a_fresh_installation_serves_an_empty_fleet_and_says_what_to_do_next(self):
        said = self.apt("install", "gantry")
        self.assertIn("gantry: next: gantry status", said)
        self.assertEqual(self.state(), "active")
        self.assertEqual(self.run_well("systemctl", "is-enabled", "gantryd.service").strip(), "enabled")
        status = json.loads(self.run_well("gantry", "-o", "json", "status"))
        self.assertEqual([driver["id"] for driver in status["drivers"]], ["simple"])
        self.add_host()
        self.run_well("gantry", "server", "create", "--no-wait", "web")
        self.assertEqual(json.loads(self.run_well("gantry", "-o", "json", "server", "show", "web"))["host"], "one")

    def test_an_upgrade_under_load_loses_and_refuses_nothing_and_keeps_a_changed_configuration(self):
        self.install_old()
        self.configure("# Ours.\n")
        self.add_host()
        before = self.process()
        clients = [Client(str(self.machine.path(SOCKET)), 1), Client(str(self.machine.path(SOCKET)), 2, rate=200)]
        for client in clients:
            client.start()
        self.apt("install", "gantry")
        asked = sum(len(client.answers) for client in clients)
        self.assertTrue(until(lambda: sum(len(client.answers) for client in clients) > asked + 100))
        for client in clients:
            client.ends = True
        for client in clients:
            client.join(40)
        self.assertEqual([fault for client in clients for fault in (*client.refused, *client.broken, *client.wrong)][:3], [])
        self.assertNotEqual(self.process(), before)
        self.assertNotEqual(self.version(), OLD)
        self.assertTrue(self.machine.path("/etc/gantry/gantry.toml").read_text().endswith("# Ours.\n"))
        print("  answered meanwhile:", sum(len(client.answers) for client in clients))

    def test_an_upgrade_that_the_check_refuses_leaves_the_old_daemon_serving_until_it_is_mended(self):
        self.install_old()
        self.configure("\n[driver.nowhere]\nno_such_key = 1\n[metrics_of]\nx = 1\n")
        before = self.process()
        failed = self.apt_may_fail("install", "gantry")
        self.assertNotEqual(failed.returncode, 0)
        self.assertIn("metrics_of", failed.stdout + failed.stderr)
        self.assertIn(f"gantry: the daemon of version {OLD} goes on; mend what is above, then: dpkg --configure gantry",
                      failed.stdout + failed.stderr)
        self.assertEqual(self.process(), before)
        configuration = self.machine.path("/etc/gantry/gantry.toml")
        configuration.write_text(configuration.read_text().partition("\n[driver.nowhere]")[0])
        self.run_well("dpkg", "--configure", "gantry")
        self.assertNotEqual(self.process(), before)

    def test_a_driver_is_made_packaged_and_installed_with_the_sdk_and_stays_over_an_upgrade(self):
        self.install_old()
        self.apt("install", "gantry-sdk", "gantry", "gantry-client")
        self.run_well("gantry", "driver", "new", "spread", "/opt/spread")
        project = self.machine.path("/opt/spread/CMakeLists.txt")
        project.write_text(project.read_text() + 'gantry_package_driver(spread CONTACT "Ann <ann@site.example>")\n')
        self.run_well("gantry", "driver", "build", "/opt/spread")
        self.run_well("gantry", "driver", "test", "/opt/spread/build/lib/gantry/drivers/spread.so", "--grade", "gold")
        self.run_well("sh", "-c", "cd /opt/spread/build && cpack")
        self.apt("remove", "gantry-sdk")
        self.apt("install", f"gantry={OLD}", f"gantry-client={OLD}", "/opt/spread/build/gantry-driver-spread_0.1.0_amd64.deb")
        self.machine.path("/etc/gantry/conf.d").mkdir()
        self.machine.path("/etc/gantry/conf.d/50-spread.toml").write_text('scheduler_driver = "spread"\n')
        self.run_well("gantry", "restart", "--wait")
        self.apt("install", "gantry")
        self.assertEqual([driver["id"] for driver in json.loads(self.run_well("gantry", "-o", "json", "status"))["drivers"]],
                         ["spread"])
        self.apt("purge", "gantry-driver-spread")
        self.assertEqual(self.machine.run("gantry", "upgrade", "check").returncode, 2)

    def test_a_removal_stops_the_daemon_and_keeps_the_store_and_a_purge_leaves_nothing(self):
        self.apt("install", "gantry", "gantry-drivers", "gantry-agent", "gantry-sdk", "libgantry-client-dev",
                 "python3-gantry-client")
        self.apt("remove", "gantry", "gantry-agent")
        self.assertNotEqual(self.state(), "active")
        self.assertTrue(self.machine.path("/var/lib/gantry/gantry.db").exists())
        self.setUp()  # which purges
        left = self.run_well("find", "/etc", "/usr", "/var/lib", "/var/log", "/run", "-iname", "*gantry*", "-not", "-path",
                             "/usr/local/*", "-not", "-path", "/var/lib/apt/*", "-not", "-path", "/var/lib/dpkg/*")
        self.assertEqual([line for line in left.splitlines() if "gantryd.service.d" not in line], [])
        self.assertNotIn("gantry", self.machine.path("/etc/passwd").read_text() + self.machine.path("/etc/group").read_text())
        self.assertEqual(self.machine.run("systemctl", "cat", "gantryd.service").returncode, 1)


def main():
    if os.geteuid() != 0:
        print("skipped: only root may make namespaces")
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        repository = make_repository(pathlib.Path(scratch))
        try:
            machine = BootedMachine(repository)
        except CannotBoot as reason:
            print(f"skipped: {reason}")
            return 77
    Packages.machine = machine
    try:
        machine.run("sh", "-c",  # an image's policy-rc.d starts no service
                    "rm -rf /usr/sbin/policy-rc.d /etc/apt/sources.list /etc/apt/sources.list.d/*; "
                    "echo 'deb [signed-by=/repository/gantry.gpg] file:/repository stable main' > /etc/apt/sources.list")
        updated = machine.run("apt-get", "-o", "APT::Sandbox::User=root", "update")
        if updated.returncode != 0:
            print(updated.stdout + updated.stderr)
            return 1
        tests = unittest.defaultTestLoader.loadTestsFromTestCase(Packages)
        ran = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(tests)
    finally:
        machine.end()
    return 0 if ran.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
