#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that a header X.hpp is implemented in X.cpp or in X_<part>.cpp of its folder.

    implemented_headers.py ROOT [--update]     exit status 0: all are, but the faults in implemented_headers_known.txt;
                                               1: a line for each other fault, and for each known one that is mended.
                                               --update removes the mended ones from the list.
"""

import fnmatch
import re
import sys
from pathlib import Path

import repository

FOLDERS = ("core/", "plugins/", "sdk/client/")
MENDED = "   (mended: run with --update)"

# Sources without a header of their name. Each line: pattern, and what stands in for the header.
NAMED_OTHERWISE = {
    "*/main.cpp": "a program",
    "*/boost_json.cpp": "the sources of Boost.JSON",
    "plugins/*/entry.cpp": "the entry that gantry/driver.hpp declares",
    "plugins/chance/chance.cpp": "a driver in one file",
    "plugins/ip/ip.cpp": "a driver in one file",
    "plugins/simple/simple.cpp": "a driver in one file",
    "plugins/volume/volume.cpp": "a driver in one file",
    "plugins/filter/filters/*.cpp": "one filter a file, declared in filters.hpp",
    "plugins/filter/weighers/*.cpp": "one weigher a file, declared in weighers.hpp",
    "core/cli/commands/*.cpp": "one group of commands a file, declared in commands.hpp",
    "core/cli/driver_kit/*/*_command.cpp": "a verb of `gantry driver` each, declared in kit_commands.hpp",
    "core/scheduling/methods/*.cpp": "one group of methods a file, declared in method_table.hpp",
    "sdk/client/client_methods.cpp": "gantry/client.h",
}
# Headers that list what other files define.
REGISTRIES = {
    "plugins/filter/filters/filters.hpp",
    "plugins/filter/weighers/weighers.hpp",
    "core/cli/commands/commands.hpp",
    "core/scheduling/methods/method_table.hpp",
    "core/transport/api/openapi_frame.hpp",  # the build makes its source of openapi_frame.json
    "core/transport/page/page_files.hpp",  # and this one's of page/assets
}
KNOWN = Path(__file__).with_name("implemented_headers_known.txt")

NOT_CODE = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.S | re.M)
NAMESPACE = re.compile(r"(?:inline\s+)?namespace\b[\w:\s]*$|extern\s*$")
FUNCTION = re.compile(r"([A-Za-z_]\w*)\s*\(")
ELSEWHERE = re.compile(r"\b(?:inline|template|constexpr|using|typedef|friend|static_assert|static|class|enum)\b|=\s*(?:delete|default)?$|\boperator\b")


def declared_functions(text: str) -> list[str]:
    """The functions that a header declares at namespace scope and leaves to a source."""
    text = NOT_CODE.sub(" ", text)
    names, statement, inner = [], "", 0
    for letter in text:
        if inner:
            inner += {"{": 1, "}": -1}.get(letter, 0)
            if inner == 0 and not statement.strip().endswith(("=", "(", ",")):
                statement += "{}"
        elif letter == "{":
            if NAMESPACE.search(statement.strip()):
                statement = ""
            else:
                inner = 1
        elif letter == "}":
            statement = ""
        elif letter == ";":
            found = FUNCTION.search(statement)
            if found and "{}" not in statement and not ELSEWHERE.search(statement) and "=" not in statement[: found.start()]:
                names.append(found[1])
            statement = ""
        else:
            if statement.endswith("{}") and not letter.isspace():
                statement = ""
            statement += letter
    return names


def faults_of(files: dict[str, str], known: set[str]) -> list[str]:
    """`files`: text by path, headers and sources."""
    stems = {path[:-4] for path in files if path.endswith(".hpp")}
    found = set()
    sources = {}  # header -> its sources' text
    for path in sorted(files):
        if not path.endswith(".cpp"):
            continue
        parts = path[:-4].split("/")
        words = parts[-1].split("_")
        mine = ["/".join(parts[:-1] + ["_".join(words[:count])]) for count in range(len(words), 0, -1)]
        headers = [stem for stem in mine if stem in stems]
        for header in headers:
            sources[header] = sources.get(header, "") + files[path]
        if not headers and not any(fnmatch.fnmatch(path, pattern) for pattern in NAMED_OTHERWISE):
            found.add(f"{path}: expected a header of its name, or of the front of its name, beside it")
    for stem in sorted(stems):
        header = stem + ".hpp"
        if header in REGISTRIES:
            continue
        for name in declared_functions(files[header]):
            if not re.search(r"\b" + name + r"\s*\(", sources.get(stem, "")):
                found.add(f"{header}: expected {name} in {Path(stem).name}.cpp or {Path(stem).name}_*.cpp")
    return sorted(found - known) + [line + MENDED for line in sorted(known - found)]


def files_below(root: Path) -> dict[str, str]:
    paths = [path for path in repository.files(root) if path.suffix in (".cpp", ".hpp")]
    return {path.as_posix(): repository.text(root / path) for path in paths if path.as_posix().startswith(FOLDERS)}


def main() -> int:
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    known = set(KNOWN.read_text(encoding="utf-8").splitlines())
    lines = faults_of(files_below(Path(sys.argv[1])), known)
    if "--update" in sys.argv:
        mended = {line.removesuffix(MENDED) for line in lines if line.endswith(MENDED)}
        KNOWN.write_text("".join(line + "\n" for line in sorted(known - mended)), encoding="utf-8")
        return 0
    for line in lines:
        print(line)
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
