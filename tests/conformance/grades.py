# SPDX-License-Identifier: Apache-2.0
"""Grades the drivers that Gantry brings and the library of operators' rules by `gantry driver test`, one line a file. Then
names the rule that finds each driver of the zoo, which are wrong in one way each.

  grades.py GANTRY LIBRARIES SOURCES [--readme FILE]

LIBRARIES is the folder lib of a build. With --readme, compares the lines with the tables in FILE. Exit status 0: they are the
same; 1: they differ.
"""

import json
import pathlib
import subprocess
import sys

# The rules that find a driver of the zoo, the telling one first.
FINDERS = (
    "links-cleanly",
    "fits-this-host",
    "entry-called-again",
    "columns-exist",
    "picks-a-host",
    "offers-succeed",
    "prints-nothing",
)
ZOO = (
    "asks_for_more bad_toml crashing_constructor crashing_create entry_data exiting_create extra_export failing_create "
    "forking_create hanging_create needs_library newer_major newer_minor no_call_method no_manifest no_select null_entry "
    "offers_failing_create offers_fewer offers_flags offers_multiplier offers_newer_minor offers_no_keep "
    "offers_no_such_column offers_nothing offers_other_kind offers_other_name offers_short_info offers_short_table "
    "offers_topics offers_unknown_kind offers_wrong_magic older_major other_entry_abi other_entry_id other_entry_version "
    "printing_create rpath runpath short_info short_operations undefined unknown_key wrong_magic"
).split()
BUNDLED = ("chance", "filter", "ip", "lua", "simple", "volume")


def row(gantry, file, title, *options):
    command = [gantry, "driver", "test", file, "-o", "json", *options]
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if not ran.stdout:
        sys.exit(f"{title}: no result, exit status {ran.returncode}")
    report = json.loads(ran.stdout)
    exempt = [rule["rule"] for rule in report["rules"] if rule["state"] == "exempt"]
    return f"| {title} | {report['grade'] or 'none'} | {', '.join(report['failed'] + exempt) or 'none'} |"


def found_by(gantry, file):
    command = [gantry, "driver", "test", file, "-o", "json", "--limit", "2"]
    command += [word for rule in FINDERS for word in ("--only", rule)]
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if ran.returncode == 78:  # the file is refused before its code runs
        return "refused"
    failed = json.loads(ran.stdout)["failed"] if ran.stdout else []
    return next((rule for rule in FINDERS if rule in failed), "nothing")


def zoo_table(gantry, libraries):
    by_rule = {}
    for name in ZOO:
        by_rule.setdefault(found_by(gantry, libraries / f"zoo/{name}.so"), []).append(name)
    rows = ["| found by | drivers and libraries of the zoo |", "|---|---|"]
    return rows + [f"| {rule} | {', '.join(by_rule[rule])} |" for rule in ("refused", *FINDERS, "nothing") if rule in by_rule]


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
    tables = ["\n".join(rows) for rows in (table(gantry, libraries, sources), zoo_table(gantry, libraries))]
    print("\n\n".join(tables))
    if len(sys.argv) > 5:
        text = pathlib.Path(sys.argv[5]).read_text(encoding="utf-8")
        if not all(each in text for each in tables):
            sys.exit(f"{sys.argv[5]}: expected the tables as above")


if __name__ == "__main__":
    main()
