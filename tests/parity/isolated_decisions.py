#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Decides recorded requests of Nova in gantryd's own process and in one of the driver's own, and compares.

    isolated_decisions.py PROGRAM DRIVER FILE [--every N]

PROGRAM: decide_apart. DRIVER: filter.so. FILE: recorded decisions, one JSON object a line, plain or .xz. Those that have hosts
and a request become fleets and requests as whatif_case.py makes them. --every N: of each kind, filter and weigher only the
first and then each N-th. Exit status: PROGRAM's.
"""
import argparse
import collections
import json
import lzma
import pathlib
import shutil
import subprocess
import sys
import tempfile

import whatif_case


def line_of(case):
    hosts = case.get("hosts") or ([case["host"]] if "host" in case else [])
    if not hosts or not case.get("spec") or "wire" in case:
        return None
    request = whatif_case.unmarked(case["spec"])
    if case.get("instance_uuids"):
        request["instance_uuids"] = case["instance_uuids"]
    return {"id": str(case["id"]), "kind": case["kind"], "options": whatif_case.settings(case),
            "fleet": whatif_case.fleet(case, hosts), "request": request}


def lines_of(file, every):
    seen = collections.Counter()
    with (lzma.open(file, "rt", encoding="utf-8") if file.suffix == ".xz" else file.open(encoding="utf-8")) as records:
        for record in records:
            case = json.loads(record)
            case.setdefault("id", case.get("source", "?"))
            line = line_of(case)
            if line is None:
                continue
            what = (case["kind"], case.get("filter"), case.get("weigher"))
            seen[what] += 1
            if (seen[what] - 1) % every == 0:
                yield json.dumps(line)


def main():
    parser = argparse.ArgumentParser(description="Recorded decisions, with the driver here and in a process of its own.")
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("driver", type=pathlib.Path)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--every", type=int, default=1)
    given = parser.parse_args()
    # Not below /tmp, whose mode the core refuses.
    with tempfile.TemporaryDirectory(dir=given.program.resolve().parent) as folder:
        driver = pathlib.Path(folder) / "filter.so"
        shutil.copyfile(given.driver, driver)
        driver.chmod(0o644)
        with subprocess.Popen([given.program, driver], stdin=subprocess.PIPE, text=True) as program:
            for line in lines_of(given.file, given.every):
                program.stdin.write(line + "\n")
            program.stdin.close()
            return program.wait()


if __name__ == "__main__":
    sys.exit(main())
