#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that each constant of driver.h and ext/*.h has the value that drivers were built with, as constants.txt says.

    constants.py INCLUDE ABI [--update]    exit status 1: a line for each constant that is new, gone or another one, and
                                           for each two of one enum that are equal. --update writes constants.txt.

A constant is an enumerator or a macro without arguments whose name begins with GANTRY_. A line of constants.txt is
`name value`, in the order of the headers. The value is as C writes it, so that it tells the type too.
"""
import re
import sys
import tempfile
from pathlib import Path

from headers import code_of, compiled, headers, includes, need, run

# The versions change with each release, and frozen.c holds them. GANTRY_RETAINED depends on the compiler.
LEFT_OUT = {"GANTRY_ABI_MAJOR", "GANTRY_ABI_MINOR", "GANTRY_ABI_TEXT", "GANTRY_NEEDS_MINOR", "GANTRY_RETAINED"}
HEAD = "# The constants of driver.h and ext/*.h. Made by constants.py --update. Released lines stay as they are.\n"
DECLARATION = re.compile(r"enum\s*\w*\s*\{([^}]*)\}|^[ \t]*#[ \t]*define[ \t]+(GANTRY_\w+)(\(?)((?:\\\n|[^\n])*)", re.M)

PROGRAM = """#include <stdio.h>
#define SHOW(name, value)                                                                                       \\
  printf(_Generic((value), char*: "%s \\"%s\\"\\n", int: "%s %d\\n", unsigned: "%s %uu\\n", long: "%s %ldl\\n", \\
                  unsigned long: "%s %luul\\n", double: "%s %a\\n"), name, value)
"""


def declared(text):
    """(enum, name, words) of each constant of a header. `enum` numbers the enums, and is None for a macro. `words` are
    those of a macro that is no value, e.g. an attribute."""
    for number, match in enumerate(DECLARATION.finditer(code_of(text))):
        if match[1] is not None:
            yield from ((number, name, None) for name in re.findall(r"\b(GANTRY_\w+)\s*(?:=|,|$)", match[1].strip()))
        elif match[3] == "" and match[4].strip() and match[2] not in LEFT_OUT:
            words = " ".join(match[4].replace("\\\n", " ").split())
            yield None, match[2], words if words.startswith("__attribute__") else None


def values_of(include, names):
    """The values by name, from a program that prints them."""
    with tempfile.TemporaryDirectory() as work:
        source, program = Path(work) / "constants.c", Path(work) / "constants"
        shown = "".join(f'  SHOW("{name}", {name});\n' for name in names)
        source.write_text(includes(include) + PROGRAM + f"int main(void) {{\n{shown}}}\n", encoding="utf-8")
        compiled(["gcc", "-std=c11", "-I", include, source, "-o", program],
                 "expected each GANTRY_ macro without arguments to be a number or a text, found")
        return dict(line.split(" ", 1) for line in run([program]).stdout.splitlines())


def constants_of(include):
    """(header, enum, name, value) of all constants, in the order of the headers."""
    found = [(header, *each) for header in headers(include)
             for each in declared((include / header).read_text(encoding="utf-8"))]
    values = values_of(include, [name for _, _, name, words in found if words is None])
    return [(header, enum, name, words or values[name]) for header, enum, name, words in found]


def twins(found):
    """A line for each two constants of one enum that have the same value."""
    first = {}
    for header, enum, name, value in found:
        other = name if enum is None else first.setdefault((header, enum, value), name)
        if other != name:
            yield f"{header}: {other} and {name}: expected different values in one enum, found {value} for both"


def changes(found, kept):
    """A line for each constant that is not as constants.txt says."""
    places, values = {name: header for header, _, name, _ in found}, {name: value for _, _, name, value in found}
    for name, value in kept.items():
        if values.get(name) != value:
            place = places.get(name, "driver.h and ext/*.h")
            yield (f"{place}: {name}: expected {value}, found {values.get(name, 'no such constant')}; "
                   "a released constant stays as it is")
    for name, value in values.items():
        if name not in kept:
            yield (f"{places[name]}: {name}: expected a line in constants.txt, found the new value {value}; "
                   "write the line with constants.py --update, and tell of the constant in HISTORY")


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--update"]
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    need("gcc")
    include, abi = map(Path, arguments)
    found = constants_of(include)
    problems = list(twins(found))
    if "--update" in sys.argv and not problems:
        lines = "".join(f"{name} {value}\n" for _, _, name, value in found)
        (abi / "constants.txt").write_text(HEAD + lines, encoding="utf-8")
        return 0
    kept = (abi / "constants.txt").read_text(encoding="utf-8").splitlines()
    problems += changes(found, dict(line.split(" ", 1) for line in kept if not line.startswith("#")))
    print("".join(problem + "\n" for problem in problems), end="")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
