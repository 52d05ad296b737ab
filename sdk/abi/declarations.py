# SPDX-License-Identifier: Apache-2.0
"""The structs of driver.h and ext/*.h: names and types of the fields as frozen lines write them, and their places."""
import re
import tempfile
from pathlib import Path

from headers import code_of, compiled, headers, includes, run

STRUCT = re.compile(r"(?:typedef )?struct (gantry_\w+) \{(.*?)\n\}", re.S)
FUNCTION = re.compile(r"(.+?)\s*\(\*(\w+)\)\s*\((.*)\)")
ARRAY = re.compile(r"(\w+) (\w+)\[(\d+)\]")
# Convention 3 names them.
NEVER_GROW = {f"gantry_{name}" for name in ("string", "strings", "pair", "pairs", "uuid", "slice", "json", "limits")}


def without_name(parameter):
    """The type of a parameter: `const gantry_host* host` is `const gantry_host*`."""
    return re.sub(r"(?<=[\s*])\w+$", "", parameter.strip()).strip()


def field_of(declaration):
    """(name, type) of one declaration without its semicolon."""
    words = " ".join(declaration.split())
    if function := FUNCTION.fullmatch(words):
        parameters = ", ".join(without_name(each) for each in function[3].split(","))
        return function[2], f"{function[1]} (*)({parameters})"
    if array := ARRAY.fullmatch(words):
        return array[2], f"{array[1]}[{array[3]}]"
    return re.search(r"\w+$", words)[0], without_name(words)


def structs(include):
    """Fields (name, type) by the name of the struct, in the order of the headers."""
    found = {}
    for header in headers(include):
        for match in STRUCT.finditer(code_of((include / header).read_text(encoding="utf-8"))):
            found[match[1]] = [field_of(each) for each in match[2].split(";") if each.strip()]
    return found


def layouts(include):
    """(size, [(field, offset, type)]) by the name of the struct."""
    declared = structs(include)
    shown = ""
    for owner, fields in declared.items():
        shown += f'  printf("%zu\\n", sizeof({owner}));\n'
        shown += "".join(f'  printf("%zu\\n", offsetof({owner}, {name}));\n' for name, _ in fields)
    with tempfile.TemporaryDirectory() as work:
        source, program = Path(work) / "layouts.c", Path(work) / "layouts"
        source.write_text(f"#include <stdio.h>\n{includes(include)}int main(void) {{\n{shown}}}\n", encoding="utf-8")
        compiled(["gcc", "-std=c11", "-I", include, source, "-o", program], "expected the headers to compile, found")
        numbers = iter(run([program]).stdout.split())
    return {owner: (int(next(numbers)), [(name, int(next(numbers)), kind) for name, kind in fields])
            for owner, fields in declared.items()}


def frozen_fields(text):
    """(struct, field): (offset, type) of each FIELD line."""
    lines = re.findall(r"^FIELD\((\w+), (\w+), (\d+),\s*(.*?)\);$", text, re.M | re.S)
    return {(owner, field): (int(at), " ".join(kind.split())) for owner, field, at, kind in lines}
