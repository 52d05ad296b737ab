#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every source names its licence and that no file names the machine that it was written on.

    source_rules.py ROOT     exit status 0: all do; 1: a line for each that does not
"""

import re
import sys
from pathlib import Path

import repository

LICENCE = "SPDX-License-Identifier: Apache-2.0"
SOURCES = {".c", ".cc", ".cpp", ".h", ".hpp", ".py", ".rs", ".sh"}

# Put together from pieces, so that this file keeps its own rule.
MACHINE = {
    "the directory of a development machine": re.compile(r"(?<![\w/.$}])/(?:wor" + r"k\b(?!-)|ro" + r"ot/[\w.])"),
    "somebody's home directory": re.compile(r"(?<![\w/.$}])/ho" + r"me/\w+"),
    "the host of a package registry or mirror": re.compile(
        r"\b(?:" + "|".join(["pypi" + r"\.org", "crates" + r"\.io", "npm" + r"js\.", "arti" + "factory", "proxy" + r"\.golang"]) + r")"
    ),
}


def is_source(path: Path, text: str) -> bool:
    return path.suffix in SOURCES or text.startswith("#!")


def faults_of(path: Path, text: str) -> list[str]:
    file = path.as_posix()
    lines = text.splitlines()
    found = []
    head = lines[1:2] if text.startswith("#!") else lines[:1]
    if is_source(path, text) and not (head and LICENCE in head[0]):
        where = "second line, below #!" if text.startswith("#!") else "first line"
        found.append(f"{file}:1: expected '{LICENCE}' in the {where}")
    for number, line in enumerate(lines, 1):
        for what, pattern in MACHINE.items():
            match = pattern.search(line)
            if match:
                found.append(f"{file}:{number}: names {what}: '{match[0]}'")
    return found


def faults(root: Path) -> list[str]:
    lines = []
    for path in repository.files(root):
        content = (root / path).read_bytes()
        if b"\0" not in content[:8192]:
            lines += faults_of(path, content.decode("utf-8", errors="replace"))
    return lines


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    lines = faults(Path(sys.argv[1]))
    for line in lines:
        print(line)
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
