#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that no folder includes what it is not meant to know.

    folder_dependencies.py ROOT     exit status 0: every arrow runs the right way; 1: a line for each that does not
"""

import re
import sys
from pathlib import Path, PurePosixPath

import repository

# Folder of core -> the folders of core that it may include. Every one may include core/result.hpp.
ARROWS = {
    "encoding": set(),
    "telemetry": {"encoding"},
    "config": {"encoding"},
    "store": {"telemetry"},
    "fleet": {"encoding", "telemetry"},
    "drivers": {"config", "encoding", "telemetry"},
    "scheduling": {"config", "drivers", "encoding", "fleet", "store", "telemetry"},
    "transport": {"config", "encoding", "scheduling", "telemetry"},
    "daemon": {"config", "drivers", "encoding", "fleet", "scheduling", "store", "telemetry", "transport"},
    "whatif": {"config", "drivers", "encoding", "fleet", "scheduling", "store", "telemetry"},
    "cli": {"config", "encoding"},
}

# (who, what): single files that are open to a folder, or to a file, beyond the arrows.
OPENED = {
    ("core/drivers/", "core/fleet/moment.hpp"),  # the view that is handed to a driver
    ("core/drivers/", "core/fleet/schema.hpp"),  # which columns the core has
    ("core/cli/driver_commands.cpp", "core/drivers/"),  # driver list and inspect
    ("core/cli/config_commands.cpp", "core/drivers/"),  # config check judges the drivers too
    ("core/cli/whatif_command.cpp", "core/whatif/"),  # a decision without a daemon
    ("core/cli/agent/", "core/telemetry/log.hpp"),  # the agent is a service of its own, and logs
}

# A library that is to stay behind one folder.
DOORS = {
    "toml++/": ("core/config/", "core/drivers/"),
    "spdlog/": ("core/telemetry/", "tests/telemetry/"),
    "sqlite3.h": ("core/store/", "tests/"),
    "dlfcn.h": ("core/drivers/", "sdk/", "tests/"),
    "boost/dll": ("core/drivers/", "sdk/", "tests/"),
}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^">]+)[>"]', re.MULTILINE)
SOURCES = {".c", ".cc", ".cpp", ".h", ".hpp", ".inl", ".ipp"}


def is_open(file: str, target: str) -> bool:
    return any(file.startswith(who) and target.startswith(what) for who, what in OPENED)


def fault_in_core(file: str, target: str) -> str | None:
    folder = file.split("/")[1]
    if not target.startswith("core/"):
        return f"core knows of the outside only sdk/include, as gantry/...; found {target}" if is_ours(target) else None
    if target == "core/result.hpp":
        return None
    if folder not in ARROWS:
        return f"core/{folder} has no arrows; say in tests/checks/folder_dependencies.py what it may include"
    wanted = target.split("/")[1]
    if wanted == folder or wanted in ARROWS[folder] or is_open(file, target):
        return None
    allowed = ", ".join(sorted(ARROWS[folder])) or "no other folder"
    return f"core/{folder} may include {allowed} and core/result.hpp; found {target}"


def is_ours(target: str) -> bool:
    return target.split("/")[0] in {"core", "plugins", "sdk", "tests", "packaging"}


def fault_in_plugin(root: Path, file: str, target: str, is_quoted: bool) -> str | None:
    if is_ours(target):
        return f"a bundled driver includes sdk/include only, as a third party's would; found {target}"
    if target.startswith("gantry/") or not is_quoted:
        return None
    own = PurePosixPath(*PurePosixPath(file).parts[:2])
    near = [PurePosixPath(file).parent / target, own / target]
    if any((root / path).is_file() for path in near):
        return None
    return f"a bundled driver includes sdk/include and files of its own folder {own}; found {target}"


def fault(root: Path, file: str, target: str, is_quoted: bool) -> str | None:
    for library, folders in DOORS.items():
        if target.startswith(library) and not file.startswith(folders):
            return f"{library} stays behind {' and '.join(folders)}; found {target}"
    if ".." in PurePosixPath(target).parts:
        return f"includes are written from the root of the repository, never with ..; found {target}"
    if file.startswith("core/") and file.count("/") > 1:
        return fault_in_core(file, target)
    if file.startswith("plugins/"):
        return fault_in_plugin(root, file, target, is_quoted)
    if file.startswith("sdk/") and is_ours(target):
        return f"sdk includes nothing but itself, as gantry/...; found {target}"
    return None


def faults(root: Path) -> list[str]:
    lines = []
    for path in repository.files(root):
        file = path.as_posix()
        if path.suffix not in SOURCES:
            continue
        text = repository.text(root / path)
        for include in INCLUDE.finditer(text):
            found = fault(root, file, include[2], include[1] == '"')
            if found:
                line = text.count("\n", 0, include.start(2)) + 1
                lines.append(f"{file}:{line}: {found}")
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
