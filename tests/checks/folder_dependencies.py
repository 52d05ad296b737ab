#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that no folder, and no room of a folder, includes what it is not meant to know, and that none is crowded.

    folder_dependencies.py ROOT     exit status 0: every arrow runs the right way; 1: a line for each that does not
"""

import re
import sys
from collections import Counter
from pathlib import Path, PurePosixPath

import repository

# Folder of core -> the folders of core that it may include. Every one may include core/result.hpp.
ARROWS = {
    "files": set(),
    "encoding": set(),
    "telemetry": {"encoding", "files"},
    "config": {"encoding", "files"},
    "store": {"encoding", "files", "telemetry"},
    "fleet": {"encoding", "telemetry"},
    "drivers": {"config", "encoding", "files", "telemetry"},
    "scheduling": {"config", "drivers", "encoding", "fleet", "store", "telemetry"},
    "transport": {"config", "encoding", "files", "scheduling", "telemetry"},
    "nova": {"config", "encoding", "files", "fleet", "scheduling", "telemetry", "transport"},
    "daemon": {
        "config", "drivers", "encoding", "files", "fleet", "nova", "scheduling", "store", "telemetry", "transport",
    },
    "whatif": {"config", "drivers", "encoding", "fleet", "scheduling", "store", "telemetry"},
    "conformance": {"config", "drivers", "encoding", "files", "fleet", "telemetry"},
    "cli": {"config", "encoding", "files"},
}

# Folder with rooms -> room -> the rooms of the same folder that it may include; "." is the folder's own files. A room may
# include itself.
ROOMS = {
    "core/cli": {
        ".": {"commands", "driver_kit", "terminal", "upkeep"},
        "upkeep": {"nova", "terminal"},
        "commands": {"agent", "driver_kit", "driver_kit/installed", "nova", "request", "terminal"},
        "driver_kit/projects": {"agent", "driver_kit", "terminal"},
        "driver_kit/installed": {"driver_kit", "terminal"},
        "driver_kit": {"terminal"},
        "agent": {"terminal"},
        "nova": {"terminal"},
        "request": {"terminal"},
        "terminal": set(),
    },
    "core/drivers": {
        ".": {"abi", "call", "file", "isolated", "judge", "load", "manifest", "offers"},
        "isolated/runner": {"abi", "call", "file", "isolated", "judge", "load", "manifest", "offers"},
        "isolated": {"abi", "call", "file", "judge", "load", "manifest", "offers"},
        "offers": {"abi", "call", "file", "judge", "load", "manifest"},
        "load": {"abi", "call", "file", "judge", "manifest"},
        "judge": {"abi", "file", "manifest"},
        "manifest": {"abi", "file"},
        "call": {"abi"},
        "file": {"abi"},
        "abi": set(),
    },
    "core/fleet": {
        ".": {"cells", "claims", "documents", "history", "records", "tables", "topics"},
        "claims": {"records", "tables", "topics"},
        "topics": {"cells", "records", "tables"},
        "documents": {"cells", "records", "tables"},
        "history": {"cells", "records", "tables"},
        "tables": {"cells", "records"},
        "cells": {"records"},
        "records": set(),
    },
    "core/scheduling": {
        "service": {".", "decision", "examination", "methods", "metrics", "profiles", "request", "state"},
        "metrics": {".", "state"},
        "examination": {".", "state"},
        "methods": {".", "decision", "metrics", "past", "profiles", "request", "state"},
        "past": {".", "decision", "profiles", "request", "state"},
        "decision": {".", "profiles", "request", "state"},
        "state": {".", "profiles"},
        "profiles": {".", "request"},
        "request": {"."},
        ".": set(),
    },
    "core/conformance": {".": {"checks"}, "checks": {"."}, "run": {"."}},
    "core/store": {"archive": {"."}, ".": set()},
    "core/config": {
        ".": {"nova", "sources"}, "nova": {"nova/urls", "sources"}, "nova/urls": {"sources"}, "sources": set(),
    },
    "core/nova": {
        "facts": {"facts/database", "facts/duties", "request"},
        "facts/duties": {"facts/database"},
        "facts/database": set(),
        "placement": {"http"},
        "http": set(),
        "mirror": set(),
        "mirror/database": {"facts", "facts/database", "mirror"},
        "check": {"facts", "facts/database", "http", "mirror/database", "placement", "request", "rpc"},
        "request": set(),
        "rpc": set(),
        "serve": {"facts", "facts/database", "http", "mirror", "mirror/database", "placement", "request", "rpc", "shadow"},
        "shadow": {"facts/database"},
    },
    "core/transport": {
        ".": {"api", "session", "sockets"},
        "session": {"api", "sockets"},
        "api": {"page"},
        "page": set(),
        "sockets": set(),
        "amqp": {"sockets"},
    },
    "plugins/filter": {
        ".": {"decision", "policy"},
        "decision": {"decision/classes", "hosts", "nova", "numa", "pci", "policy", "python", "request", "rules"},
        "decision/classes": {"hosts", "nova", "numa", "policy", "request", "rules"},
        "policy": {"filters", "nova", "python", "rules", "weighers"},
        "filters": {"filters/parts", "nova", "numa", "pci", "python", "rules"},
        "filters/parts": {"hosts", "nova", "numa", "python", "rules"},
        "weighers": {"nova", "rules"},
        "rules": {"hosts", "nova", "python", "request"},
        "hosts": {"numa", "pci", "python"},
        "numa": {"nova", "pci", "python"},
        "pci": {"nova", "python"},
        "request": {"nova", "python"},
        "nova": {"python"},
        "python": set(),
    },
}

# What one folder may hold of code files before it needs rooms.
CROWD = 45

# (who, what): single files that are open to a folder, or to a file, beyond the arrows.
OPENED = {
    ("core/drivers/", "core/fleet/tables/moment.hpp"),  # the view that is handed to a driver
    ("core/drivers/", "core/fleet/cells/cell_memory.hpp"),  # where a runner reads them
    ("core/drivers/", "core/fleet/tables/schema.hpp"),  # which columns the core has
    ("core/cli/commands/driver_commands.cpp", "core/drivers/"),  # driver list and inspect
    ("core/cli/driver_kit/", "core/drivers/"),  # each verb judges what it makes or takes
    ("core/cli/driver_kit/", "core/daemon/start_check.hpp"),  # install checks as the start itself does
    ("core/cli/commands/config_commands.cpp", "core/drivers/"),  # config check judges the drivers too
    ("core/cli/commands/config_commands.cpp", "core/daemon/start_check.hpp"),  # as the start itself does
    ("core/cli/commands/driver_test_command.cpp", "core/conformance/"),  # driver test
    ("core/cli/commands/whatif_", "core/whatif/"),  # decisions without a daemon
    ("core/cli/upkeep/", "core/store/sqlite_backup.hpp"),  # backup and restore work on the store's file
    ("core/cli/upkeep/", "core/store/sqlite_restore.hpp"),
    ("core/cli/upkeep/restore_command.cpp", "core/daemon/service_user.hpp"),  # whose the store is
    ("core/cli/upkeep/upgrade_check.cpp", "core/daemon/start_check.hpp"),  # as the start itself does
    ("core/cli/upkeep/upgrade_check.cpp", "core/drivers/"),  # the drivers' files, judged
    ("core/cli/upkeep/upgrade_check.cpp", "core/store/archive/archive_segment.hpp"),  # its form
    ("core/cli/upkeep/restore_command.cpp", "core/scheduling/service/restored_facts.hpp"),  # what holds after a restore
    ("core/cli/upkeep/restore_command.cpp", "core/scheduling/state/stored_documents.hpp"),  # what a start would refuse
    ("core/cli/agent/", "core/telemetry/log.hpp"),  # the agent is a service of its own, and logs
    ("core/cli/commands/agent_command.cpp", "core/telemetry/log.hpp"),
}

# A library that is to stay behind one folder.
DOORS = {
    "toml++/": ("core/config/", "core/drivers/", "sdk/include/gantry/testing/manifest.hpp"),
    "spdlog/": ("core/telemetry/", "tests/telemetry/"),
    "zstd.h": ("core/store/archive/",),
    "sqlite3.h": ("core/store/", "tests/"),
    "mysql.h": ("core/nova/facts/database/",),
    "dlfcn.h": ("core/drivers/", "sdk/", "tests/"),
    "amqp": ("core/transport/amqp/", "tests/transport/amqp/"),  # librabbitmq's headers, amqp.h and amqp_framing.h
    "boost/dll": ("core/drivers/", "sdk/", "tests/"),
}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^">]+)[>"]', re.MULTILINE)
SOURCES = {".c", ".cc", ".cpp", ".h", ".hpp", ".inl", ".ipp"}


def is_open(file: str, target: str) -> bool:
    return any(file.startswith(who) and target.startswith(what) for who, what in OPENED)


def room_of(folder: str, file: str) -> str:
    return PurePosixPath(file).relative_to(folder).parent.as_posix()


def included_file(root: Path, folder: str, file: str, target: str) -> str | None:
    """The file of the folder that the include means, if it is one: by its path from the root of the repository, from the
    folder, or beside the file."""
    for path in (target, f"{folder}/{target}", (PurePosixPath(file).parent / target).as_posix()):
        if path.startswith(folder + "/") and (path.startswith("core/") or (root / path).is_file()):
            return path
    return None


def fault_between_rooms(root: Path, file: str, target: str) -> str | None:
    folder = "/".join(file.split("/")[:2])
    if folder not in ROOMS:
        return None
    included = included_file(root, folder, file, target)
    if included is None:
        return None
    rooms, here, there = ROOMS[folder], room_of(folder, file), room_of(folder, included)
    if here not in rooms:
        return f"{folder}/{here} has no arrows; say in tests/checks/folder_dependencies.py what it may include"
    if there == here or there in rooms[here]:
        return None
    allowed = ", ".join(sorted(rooms[here])) or "no other room"
    return f"room {here} of {folder} may include {allowed}; found {target}"


def fault_in_core(root: Path, file: str, target: str) -> str | None:
    folder = file.split("/")[1]
    if not target.startswith("core/"):
        return f"core knows of the outside only sdk/include, as gantry/...; found {target}" if is_ours(target) else None
    if target == "core/result.hpp":
        return None
    if folder not in ARROWS:
        return f"core/{folder} has no arrows; say in tests/checks/folder_dependencies.py what it may include"
    wanted = target.split("/")[1]
    if wanted == folder:
        return fault_between_rooms(root, file, target)
    if wanted in ARROWS[folder] or is_open(file, target):
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
        return fault_between_rooms(root, file, target)
    return f"a bundled driver includes sdk/include and files of its own folder {own}; found {target}"


def fault(root: Path, file: str, target: str, is_quoted: bool) -> str | None:
    for library, folders in DOORS.items():
        if target.startswith(library) and not file.startswith(folders):
            return f"{library} stays behind {' and '.join(folders)}; found {target}"
    if ".." in PurePosixPath(target).parts:
        return f"includes are written from the root of the repository, never with ..; found {target}"
    if file.startswith("core/") and file.count("/") > 1:
        return fault_in_core(root, file, target)
    if file.startswith("plugins/"):
        return fault_in_plugin(root, file, target, is_quoted)
    if file.startswith("sdk/") and is_ours(target):
        return f"sdk includes nothing but itself, as gantry/...; found {target}"
    return None


def crowds(root: Path) -> list[str]:
    held = Counter(path.parent.as_posix() for path in repository.files(root) if path.suffix in SOURCES)
    return [
        f"{folder}: expected at most {CROWD} files of code in one folder, found {count}; give the folder rooms"
        for folder, count in sorted(held.items())
        if count > CROWD
    ]


def faults(root: Path) -> list[str]:
    lines = crowds(root)
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
