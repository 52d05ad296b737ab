#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the indented lines of sdk/README.md as one shell script, with the programs of this build.

    first_hour_test.py SOURCES BUILD
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def script(sources, build):
    """The page's commands. Only the build's directory is another."""
    lines = [line[4:] for line in (sources / "sdk/README.md").read_text().splitlines() if line.startswith("    ")]
    text = "\n".join(lines)
    assert text.count("build/release") == 3, "expected the page to name build/release three times"
    return "set -eu\n" + text.replace("build/release", str(build)) + "\nwait || true\n"


def main():
    sources, build = (Path(argument).resolve() for argument in sys.argv[1:])
    # Only this user may write to the directory, as gantryd wants of a directory of drivers.
    base = Path.home() / ".cache" / "gantry-tests"
    base.mkdir(parents=True, exist_ok=True)
    home = Path(tempfile.mkdtemp(dir=base))
    try:
        run(sources, build, home)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def run(sources, build, home):
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("GANTRY_", "XDG_"))}
    environment = {**variables, "HOME": str(home)}
    done = subprocess.run(["bash", "-c", script(sources, build)], cwd=sources, env=environment,
                          capture_output=True, text=True, timeout=110)
    print(done.stdout, done.stderr)
    assert done.returncode == 0, f"expected exit status 0, found {done.returncode}"
    decisions = re.findall(r"chosen +host1 .*\n(?:.*\n)*?why: driver spread ", done.stdout)
    assert len(decisions) == 2, "expected a decision for the first host by dev, and one by the installed driver"
    assert "scheduler_driver is simple" in done.stdout, "expected the driver of before to be back"
    assert (home / "gantry-trial/sdk/include/gantry/driver.h").is_file(), "expected the SDK to be installed"


if __name__ == "__main__":
    main()
