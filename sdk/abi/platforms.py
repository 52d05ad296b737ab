#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the frozen layout holds on each platform that has drivers, and that driver.h refuses the others.

    platforms.py INCLUDE ABI
"""
import sys
from pathlib import Path

from headers import need, run

SUPPORTED = ("x86_64-linux-gnu", "aarch64-linux-gnu")
# 32 bit, big-endian, and 32-bit pointers on a 64-bit machine.
REFUSED = ("i386-linux-gnu", "s390x-linux-gnu", "x86_64-linux-gnux32")


def compiled_for(target, include, source):
    return run(["clang", f"--target={target}", "-std=c11", "-ffreestanding", "-fsyntax-only", "-I", include, source])


def problems(include, abi):
    for target in SUPPORTED:
        done = compiled_for(target, include, abi / "frozen.c")
        if done.returncode != 0:
            yield f"frozen.c: expected the layout to hold on {target}, found\n{done.stderr.rstrip()}"
    for target in REFUSED:
        done = compiled_for(target, include, abi / "empty.c")
        if done.returncode == 0:
            yield f"gantry/driver.h: expected an #error on {target}, found that it compiles"
        elif "#error" not in done.stderr:
            yield f"gantry/driver.h: expected an #error on {target}, found\n{done.stderr.rstrip()}"


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    need("clang")
    found = list(problems(Path(sys.argv[1]), Path(sys.argv[2])))
    print("".join(problem + "\n" for problem in found), end="")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
