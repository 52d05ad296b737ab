# SPDX-License-Identifier: Apache-2.0
"""Grades the drivers that Gantry brings and the library of operators' rules by `gantry driver test`, one line a file.

  grades.py GANTRY LIBRARIES SOURCES [--readme FILE]

LIBRARIES is the folder lib of a build. With --readme, compares the lines with the table in FILE. Exit status 0: they are the
same; 1: they differ, or a file has no grade.
"""

import json
import pathlib
import subprocess
import sys

BUNDLED = ("chance", "filter", "ip", "lua", "simple", "volume")


def row(gantry, file, title, *options):
    command = [gantry, "driver", "test", file, "-o", "json", *options]
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if not ran.stdout:
        sys.exit(f"{title}: no result, exit status {ran.returncode}")
    report = json.loads(ran.stdout)
    exempt = [rule["rule"] for rule in report["rules"] if rule["state"] == "exempt"]
    return f"| {title} | {report['grade'] or 'none'} | {', '.join(report['failed'] + exempt) or 'none'} |"


def table(gantry, libraries, sources):
    rows = ["| file | grade | exempt from |", "|---|---|---|"]
    for name in BUNDLED:
        options = []
        if name == "lua":
            options = [
                "--option",
                f"policy={sources / 'sdk/templates/lua/site_policy.lua'}",
                "--exemptions",
                sources / "plugins/lua/lua.test.toml",
            ]
        rows.append(row(gantry, libraries / f"gantry/drivers/{name}.so", f"`{name}.so`", *options))
    exemptions = sources / "sdk/examples/operators/operators.test.toml"
    operators = libraries / "zoo/operators.so"
    rows.append(row(gantry, operators, "`examples/operators`, 28 rules", "--exemptions", exemptions))
    return rows


def main():
    gantry, libraries, sources = sys.argv[1], *map(pathlib.Path, sys.argv[2:4])
    rows = table(gantry, libraries, sources)
    print("\n".join(rows))
    if len(sys.argv) > 5 and "\n".join(rows) not in pathlib.Path(sys.argv[5]).read_text(encoding="utf-8"):
        sys.exit(f"{sys.argv[5]}: expected the table as above")


if __name__ == "__main__":
    main()
