#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each command that prints a figure and that a page names is run by the suite in its smallest form.

    documented_commands.py SOURCE_DIRECTORY LIST

LIST has the commands that the suite runs, one a line, as gantry_documented() names them in the CMake files of the tests. A page's
command counts by its program and by the part or table that the command chooses.
"""

import re
import sys
from pathlib import Path

# What the suite cannot run within itself, and why.
ELSEWHERE = {
    "packaging/run-tests": "the suite itself",
    "packaging/quickstart": "builds the tree that is under test, and starts and stops daemons of its own",
    "packaging/nova-live": "takes over the ports of a whole OpenStack; the suite runs its harness",
    "packaging/bench --nova": "needs packaging/nova-live",
    "packaging/fuzz": "needs a build of its own by clang; the suite runs each target on its corpus",
    "packaging/reliability --only fuzz": "runs packaging/fuzz",
}
PROGRAM = re.compile(r"(?:build/release/bin/)?\b(bench_[a-z_]+|packaging/(?:bench|fuzz|nova-live|parity|quickstart|reliability|run-tests))\b(.*)")
CHOICE = re.compile(r"--(?:table|only) +[a-z]\w*|--(?:idle|nova|table)(?![\w-])")
CODE = re.compile(r"`([^`\n]+)`|^    (?:\$ )?(.+)$", re.MULTILINE)


def commands_of(text):
    """The commands that a page names, by program and choice. "--table [a|b]" names both."""
    found = set()
    for match in CODE.finditer(text):
        code = (match[1] or match[2]).split("#")[0]
        named = PROGRAM.match(code)
        if not named:
            continue
        program, rest = named[1], named[2].replace("\\|", "|")
        several = re.match(r" --(table|only) \[([a-z_|]+)\]", rest)
        if several:
            found |= {f"{program} --{several[1]} {name}" for name in several[2].split("|")}
            continue
        choice = CHOICE.search(rest)
        found.add(f"{program} {choice[0]}" if choice else program)
    return found


def is_run(command, run):
    """A program without a choice is run if any of its choices is: the pages say "prints all tables"."""
    return command in run or any(one.split(" ")[0] == command for one in run)


def problems(root, run):
    pages = [root / "README.md", *sorted((root / "tests").rglob("README.md"))]
    for page in pages:
        for command in sorted(commands_of(page.read_text(encoding="utf-8"))):
            if command in ELSEWHERE or command.split(" ")[0] in ELSEWHERE or is_run(command, run):
                continue
            yield f"{page.relative_to(root)}: '{command}': expected a test of its smallest form (gantry_documented), found none"


def main():
    run = set(Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()) - {""}
    found = list(problems(Path(sys.argv[1]), run))
    print("\n".join(found) or f"each documented command is run in one of {len(run)} tests")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
