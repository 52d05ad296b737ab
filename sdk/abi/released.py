#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the files of a release stay as they were released, and that each field of the headers has a frozen line.

    released.py INCLUDE ABI    exit status 1: a line for each file that is another one or gone, for each constant and
                               sentence of a release that constants.txt and words.txt have lost, for each line of the last
                               release's frozen/RELEASED that is gone, for each field without a line, and for each header
                               of ext/ that reference_extensions.c leaves out.

The last release is the last tag v*. A tarball, and a history without such a tag, have none to compare with: the check says
so and does not fail.

frozen/RELEASED has a line `sha256 path` for each file. release.py writes the lines. Within a major number from 1 on they
are only appended.
"""
import hashlib
import re
import shutil
import sys
from pathlib import Path

from declarations import frozen_fields, structs
from headers import frozen_text, headers, run
from words import problems as lost_sentences


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def listed(text):
    """The sha256 by path."""
    return {path: expected for expected, path in re.findall(r"^([0-9a-f]{64}) (\S+)$", text, re.M)}


def changed_files(abi):
    for path, expected in listed((abi / "frozen/RELEASED").read_text(encoding="utf-8")).items():
        if not (abi / path).exists():
            yield f"{path}: expected the file of a release, found no such file; a released file stays"
        elif digest(abi / path) != expected:
            yield (f"{path}: expected the file as it was released, sha256 {expected}, found {digest(abi / path)}; "
                   "take the change back: new lines belong to the next minor, which release.py writes")


def lines_of(path):
    return [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


def lost_lines(abi):
    constants, words = set(lines_of(abi / "constants.txt")), lines_of(abi / "words.txt")
    history = " ".join((abi / "HISTORY").read_text(encoding="utf-8").split())
    for path in sorted(abi.glob("frozen/*_constants.txt")):
        for line in lines_of(path):
            if line not in constants:
                yield f"constants.txt: expected the line {line!r} of frozen/{path.name}, found no such line"
    released = [line for path in sorted(abi.glob("frozen/*_words.txt")) for line in lines_of(path)]
    yield from (f"words.txt: {problem}" for problem in lost_sentences(released, words, history))


def uncovered(include, abi):
    frozen = frozen_fields(frozen_text(abi))
    for owner, fields in structs(include).items():
        for name, kind in fields:
            if (owner, name) not in frozen:
                yield (f"{owner}.{name}: expected a line FIELD({owner}, {name}, ..., {kind}) in frozen/, found none; "
                       "release.py writes the lines of the next minor")


def without_a_reference(include, abi):
    """A baseline has the types of a header only if the reference names them."""
    text = (abi / "reference_extensions.c").read_text(encoding="utf-8")
    for header in headers(include)[1:]:
        if f"#include <{header.as_posix()}>" not in text:
            yield (f"reference_extensions.c: expected #include <{header.as_posix()}> and a user of its types, found none; "
                   "add them, and let release.py write the baseline of the minor that adds the header")


def lost_since_the_tag(abi, tagged):
    now = listed((abi / "frozen/RELEASED").read_text(encoding="utf-8"))
    for path, expected in listed(tagged).items():
        if not re.match(r"(?:frozen/|driver_)0[._]", path) and now.get(path) != expected:
            yield (f"frozen/RELEASED: expected the last release's line '{expected} {path}', found "
                   f"{now.get(path, 'no such line')}; lines are only appended")


def tagged_list(abi):
    """frozen/RELEASED of the last release's tag; "" and a word about it where there is none."""
    if shutil.which("git") is None or run(["git", "-C", abi, "ls-files", "--error-unmatch", "frozen/RELEASED"]).returncode != 0:
        print("The files are not those of a git repository, such as in a tarball: there is no release's tag to compare with.")
        return ""
    tag = run(["git", "-C", abi, "describe", "--tags", "--abbrev=0", "--match", "v[0-9]*"])
    if tag.returncode != 0:
        print("No tag v* is in the history of this checkout: there is no release to compare with.")
        return ""
    name = tag.stdout.strip()
    found = run(["git", "-C", abi, "show", f"{name}:./frozen/RELEASED"])
    if found.returncode != 0:
        print(f"The release {name} has no frozen/RELEASED: there are no lines to compare with.")
        return ""
    return found.stdout


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    include, abi = Path(sys.argv[1]), Path(sys.argv[2])
    problems = [*changed_files(abi), *lost_lines(abi), *uncovered(include, abi),
                *without_a_reference(include, abi), *lost_since_the_tag(abi, tagged_list(abi))]
    print("".join(problem + "\n" for problem in problems), end="")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
