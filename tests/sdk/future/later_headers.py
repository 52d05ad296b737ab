#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the headers of the SDK as a later minor could have them.

    later_headers.py INCLUDE OUT    OUT becomes a copy of INCLUDE in which each struct that may grow has 16 bytes more,
                                    each element of a list 24, each table a function, each mask a bit, and each list of
                                    codes, types and levels a value

A host built with -DGANTRY_LATER_TAIL hands out structs with something in the part that drivers of today do not know.
"""
import re
import shutil
import sys
from pathlib import Path

STRUCT = re.compile(r"(struct (gantry_\w+) \{(?:.*?\n)+?)(\} *(?:gantry_\w+)?;)")
NEVER = {f"gantry_{name}" for name in ("string", "strings", "pair", "pairs", "uuid", "slice", "json", "limits")}
# What a host fills in, as opposed to what a driver gives.
OF_THE_HOST = {f"gantry_{name}" for name in ("column", "aggregate", "view", "context", "group", "hint", "request",
                                             "method_call", "option", "options", "candidates", "filter_run",
                                             "weigher_run", "offer_loaded", "offers")}
VALUES = {"GANTRY_INTERNAL = 7": "GANTRY_LATER_CODE = 8", "GANTRY_LOG_ERROR = 3": "GANTRY_LOG_LATER = 4",
          "GANTRY_TYPE_UUIDS = 7": "GANTRY_TYPE_LATER = 8", "GANTRY_REQUEST_IS_BFV = 32": "GANTRY_REQUEST_LATER = 64",
          "GANTRY_EXPLAIN_ALL_FILTERS = 2": "GANTRY_EXPLAIN_LATER = 3", "GANTRY_PICK_TOGETHER = 64": "GANTRY_PICK_LATER = 128",
          "GANTRY_OPTION_TABLE = 6": "GANTRY_OPTION_LATER = 7", "GANTRY_FILTER_ON_REBUILD = 2": "GANTRY_FILTER_LATER = 4",
          "GANTRY_RUN_REBUILD = 1": "GANTRY_RUN_LATER = 2", "GANTRY_REASON_BEST = 2": "GANTRY_REASON_LATER = 4",
          "GANTRY_WEIGHER_MAXVAL = 2": "GANTRY_WEIGHER_LATER = 4", "GANTRY_EXPLANATION_RANK = 2": "GANTRY_EXPLANATION_LATER = 4"}
TAIL = "\n#ifndef GANTRY_LATER_TAIL\n#define GANTRY_LATER_TAIL\n#endif\n"


def grown(match):
    body, name, end = match.groups()
    if name in NEVER:
        return match[0]
    is_element = not re.search(r"uint32_t struct_size;", body)
    tail = " GANTRY_LATER_TAIL" if name in OF_THE_HOST else ""
    if "(*" in body:
        return f"{body}  void (*later_function)(void);\n{end}"
    return f"{body}  uint64_t later_fields[{3 if is_element else 2}]{tail};\n{end}"


def later(text, has_version):
    for last, value in VALUES.items():
        text = re.sub(rf"\b{last}\b", f"{last}, {value}", text)
    text = STRUCT.sub(grown, text)
    major, minor = (int(re.search(rf"ABI_{part} (\d+)", text)[1]) for part in ("MAJOR", "MINOR")) if has_version else (0, 0)
    # While the major is 0, a host takes drivers of its own minor alone.
    if has_version and major > 0:
        text = re.sub(r"(define GANTRY_ABI_MINOR) \d+", rf"\1 {minor + 1}", text)
        text = re.sub(r"(define GANTRY_ABI_TEXT) \S+", rf'\1 "{major}.{minor + 1}"', text)
        text = re.sub(r"(define GANTRY_NEEDS_MINOR) \S+", rf"\1 {minor}", text)
    return text.replace("#include <stdint.h>\n", "#include <stdint.h>\n" + TAIL, 1) if has_version else text


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    include, out = Path(sys.argv[1]), Path(sys.argv[2])
    shutil.copytree(include, out, dirs_exist_ok=True)
    for path in (out / "gantry/driver.h", *sorted((out / "gantry/ext").glob("*.h"))):
        text = path.read_text(encoding="utf-8")
        changed = later(text, path.name == "driver.h")
        if STRUCT.search(text) and changed == text:
            print(f"{path}: expected structs that may grow, found none", file=sys.stderr)
            return 1
        path.write_text(changed, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
