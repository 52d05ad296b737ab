#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`cmake --install --prefix P` makes an installation that finds itself wherever P is, and its programs are hardened.

    installation_test.py BUILD_DIRECTORY
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv[1]).resolve()
CLIENT = """
#include <gantry/client.h>
int main(void) { return gantry_client_free == 0; }
"""


def output_of(*words, **more):
    return subprocess.run([str(word) for word in words], check=True, text=True, stdout=subprocess.PIPE, **more).stdout


def is_elf(path):
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


class Installation(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Drivers below a directory that everybody may write to are refused: not below /tmp.
        cls.root = pathlib.Path(tempfile.mkdtemp(dir=BUILD))
        cls.root.chmod(0o755)
        (cls.root / "none").mkdir()
        cls.prefix = cls.root / "elsewhere"
        subprocess.run(["cmake", "--install", BUILD, "--prefix", cls.prefix], check=True, stdout=subprocess.DEVNULL,
                       preexec_fn=lambda: os.umask(0o022))

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.root)

    def gantryd(self, *words):
        return subprocess.run([self.prefix / "sbin/gantryd", "--config", "/dev/null", "--config-dir", self.root / "none",
                               "--set", f"store.path={self.root}/db", "--set", f"server.socket={self.root}/socket", *words],
                              text=True, capture_output=True)

    def texts(self, *directories):
        for directory in directories:
            for path in sorted((self.prefix / directory).rglob("*")):
                if path.is_file():
                    yield path, path.read_text(errors="replace")

    def elf_files(self):
        found = [path for path in self.prefix.rglob("*") if is_elf(path) and path.suffix != ".debug"]
        self.assertGreater(len(found), 8)
        return found

    def test_gantryd_finds_the_bundled_drivers(self):
        ran = self.gantryd("--set", "scheduler_driver=chance", "--check-config")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""), ran.stdout)
        self.assertIn(f": {self.prefix}/lib/gantry/drivers/chance.so", ran.stdout)

    def test_gantryd_finds_the_program_of_isolated_drivers(self):
        ran = self.gantryd("--set", "scheduler_driver=chance", "--set", "driver.chance.isolation=process", "--check-config")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""), ran.stdout)

    def test_gantry_finds_the_program_that_checks_a_nova(self):
        ran = subprocess.run([self.prefix / "bin/gantry", "--config", "/dev/null", "nova", "check"], text=True, capture_output=True)
        self.assertNotIn("expected this program", ran.stdout + ran.stderr)

    def test_the_whole_may_be_moved_afterwards(self):
        moved = self.root / "moved"
        shutil.copytree(self.prefix, moved, symlinks=True)
        ran = subprocess.run([moved / "sbin/gantryd", "--config", "/dev/null", "--set", "scheduler_driver=simple",
                              "--set", f"store.path={self.root}/db", "--set", f"server.socket={self.root}/socket", "--check-config"],
                             text=True, capture_output=True)
        shutil.rmtree(moved)
        self.assertIn(f": {moved}/lib/gantry/drivers/simple.so", ran.stdout)

    def test_units_run_the_installed_programs(self):
        programs = {line.split("=")[1].split()[0] for _, text in self.texts("lib/systemd") for line in text.splitlines()
                    if line.startswith("ExecStart=")}
        self.assertEqual(programs, {str(self.prefix / "sbin/gantryd"), str(self.prefix / "bin/gantry")})

    def test_man_pages_name_places_of_the_installation(self):
        named = [match for _, text in self.texts("share/man")
                 for match in re.findall(r"(/[^ \n]*)/(?:share/gantry|lib/gantry/drivers)", text.replace("\\-", "-"))]
        self.assertIn(str(self.prefix), named)
        self.assertLessEqual(set(named), {str(self.prefix), "/usr/local"}, "the directory for a site's own drivers is fixed")

    def test_a_client_in_c_is_built_with_pkg_config(self):
        source = self.root / "client.c"
        source.write_text(CLIENT)
        environment = dict(os.environ, PKG_CONFIG_PATH=str(self.prefix / "lib/pkgconfig"))
        flags = output_of("pkg-config", "--cflags", "--libs", "gantry-client", env=environment).split()
        output_of("cc", source, "-o", self.root / "client", *flags)
        output_of(self.root / "client", env=dict(os.environ, LD_LIBRARY_PATH=str(self.prefix / "lib")))

    def test_pkg_config_names_the_directory_of_drivers_once_and_plainly(self):
        environment = dict(os.environ, PKG_CONFIG_PATH=str(self.prefix / "lib/pkgconfig"))
        named = output_of("pkg-config", "--variable=driverdir", "gantry-sdk", env=environment).strip()
        self.assertNotIn("//", named)
        self.assertEqual(pathlib.Path(named).resolve(), self.prefix / "lib/gantry/drivers")

    def test_the_python_client_is_where_a_python_of_the_prefix_looks(self):
        (module,) = self.prefix.rglob("lib/python3*/dist-packages/gantry_client.py")
        output_of(sys.executable, "-c", "import gantry_client", env=dict(os.environ, PYTHONPATH=str(module.parent)))

    def test_the_sdk_brings_its_pages(self):
        pages = {path.name for path in (self.prefix / "share/doc/gantry/sdk").iterdir()}
        self.assertEqual(pages, {f"{page}.md" for page in ("README", "methods", "manifest", "loading", "debugging", "data")})

    def test_nothing_is_installed_outside_of_the_prefix(self):
        manifest = (BUILD / "install_manifest.txt").read_text().split()
        self.assertEqual([path for path in manifest if not path.startswith(str(self.prefix))], [])

    def test_each_program_and_library_is_position_independent_with_full_relro_and_without_an_executable_stack(self):
        for path in self.elf_files():
            with self.subTest(path.name):
                shown = output_of("readelf", "-hldW", path)
                self.assertRegex(shown, r"Type: +DYN")
                self.assertRegex(shown, r"GNU_RELRO")
                self.assertRegex(shown, r"BIND_NOW|FLAGS_1.*NOW")
                self.assertRegex(shown, r"GNU_STACK.* RW ")
                self.assertNotRegex(shown, r"RPATH|RUNPATH")

    def test_each_program_has_stack_canaries_and_fortified_calls(self):
        for path in self.elf_files():
            with self.subTest(path.name):
                symbols = output_of("readelf", "--dyn-syms", "-W", path)
                self.assertRegex(symbols, r"__stack_chk_fail")
                if path.parent.name in ("bin", "sbin") or path.name.startswith("gantry"):
                    self.assertRegex(symbols, r"__\w+_chk\b(?<!__stack_chk)")

    @unittest.skipUnless(os.uname().machine == "x86_64", "control-flow protection is x86's")
    def test_functions_begin_with_a_landing_place_for_indirect_branches(self):
        code = output_of("objdump", "-d", "--no-show-raw-insn", "-j", ".text", self.prefix / "libexec/gantry/gantry-runner")
        self.assertGreater(code.count("endbr64"), 1000)

    def test_debug_symbols_stand_apart_by_build_id(self):
        for path in self.elf_files():
            with self.subTest(path.name):
                notes = output_of("readelf", "-nSW", path)
                self.assertNotIn(".debug_info", notes)
                self.assertNotIn(".symtab", notes)
                build_id = re.search(r"Build ID: (\w\w)(\w+)", notes)
                symbols = self.prefix / "lib/debug/.build-id" / build_id[1] / f"{build_id[2]}.debug"
                self.assertIn(".debug_info", output_of("readelf", "-SW", symbols))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
