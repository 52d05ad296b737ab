#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that each setting of a Nova deployment is used: that a member of its structs is named outside of core/config.

    used_settings.py ROOT     exit status 0: each is; 1: a line for each that is read from files and used nowhere
"""

import re
import sys
from pathlib import Path

import repository

SETTINGS = "core/config/nova/nova_settings.hpp"
COMMENT = re.compile(r"//[^\n]*")
# A line of a struct that declares one member or several: "std::string cafile, certfile;".
MEMBERS = re.compile(r"^\s*(?:bool|std::[\w:]+(?:<[^;{}()]*>)?)\s+(\w[^;()]*);", re.M)
INITIAL_VALUE = re.compile(r"\{[^}]*\}|=[^,]*")


def members_in(header: str) -> list[str]:
    """The names of the members that hold settings."""
    names = []
    for declared in MEMBERS.findall(COMMENT.sub("", header)):
        names += [name.strip() for name in INITIAL_VALUE.sub("", declared).split(",")]
    return names


def faults_of(files: dict[str, str]) -> list[str]:
    users = [text for path, text in files.items() if path.startswith("core/") and not path.startswith("core/config/")]
    words = set(re.findall(r"\w+", "\n".join(COMMENT.sub("", text) for text in users)))
    return [
        f"{SETTINGS}: expected {name} to be used outside of core/config, found no use; whoever sets it is not heard"
        for name in members_in(files.get(SETTINGS, ""))
        if name not in words
    ]


def main() -> int:
    root = Path(sys.argv[1])
    paths = [path for path in repository.files(root) if path.parts[0] == "core" and path.suffix in (".cpp", ".hpp")]
    faults = faults_of({path.as_posix(): repository.text(root / path) for path in paths})
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
