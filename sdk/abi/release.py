#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the files that freeze a version of the ABI, from driver.h and ext/*.h as they are.

    release.py VERSION [INCLUDE ABI]    e.g. release.py 1.1, once driver.h says 1.1 and HISTORY tells what is new

What the version lets a manifest say, beyond the versions before, is in frozen/<major>_<minor>_manifests/*.toml: files by
hand, each of which the parser of the version accepts. release.py only adds them to frozen/RELEASED.

The lines that were released before have to hold: otherwise nothing is written and the exit status is 1. The lines of the
version itself may be written again as long as they are only added to. A new major, and each version of major 0, takes the
lines of the version before over into files of its own.
"""
import re
import shutil
import sys
import tempfile
from pathlib import Path

import constants
from declarations import NEVER_GROW, frozen_fields, layouts
from headers import frozen_text, headers, need, run
from released import changed_files, digest, lines_of, listed, lost_sentences, without_a_reference
from words import sentences

HERE = Path(__file__).resolve().parent
LICENSE = "// SPDX-License-Identifier: Apache-2.0\n//\n"
REFERENCES = {"driver": "reference_driver.c", "extensions": "reference_extensions.c"}


def header_version(include):
    text = (include / "gantry/driver.h").read_text(encoding="utf-8")
    return tuple(re.search(rf"define GANTRY_ABI_{part} (\S+)", text)[1] for part in ("MAJOR", "MINOR", "TEXT"))


def broken(include, abi, version):
    """A line for each reason not to write."""
    major, minor = version.split(".")
    if header_version(include) != (major, minor, f'"{version}"'):
        yield f"gantry/driver.h: expected the version {version}, found " + " ".join(header_version(include))
    if major != "0":
        yield from (problem for problem in changed_files(abi) if f"frozen/{major}_" in problem)
    found = layouts(include)
    here = {(owner, name): (at, kind) for owner, (_, fields) in found.items() for name, at, kind in fields}
    for (owner, name), line in frozen_fields(frozen_text(abi)).items():
        if here.get((owner, name)) != line:
            yield (f"{owner}.{name}: expected offset and type {line} as a release has them, found "
                   f"{here.get((owner, name), 'no such field')}")
    now = {name: value for _, _, name, value in constants.constants_of(include)}
    for name, value in released_constants(abi):
        if now.get(name) != value:
            yield f"{name}: expected {value} as a release has it, found {now.get(name, 'no such constant')}"
    said = [line for path in headers(include) for line in sentences((include / path).read_text(encoding="utf-8"))]
    released = [line for path in sorted(abi.glob("frozen/*_words.txt")) for line in lines_of(path)]
    history = " ".join((abi / "HISTORY").read_text(encoding="utf-8").split())
    yield from lost_sentences(released, said, history)
    yield from without_a_reference(include, abi)


def released_constants(abi):
    return [line.split(" ", 1) for path in sorted(abi.glob("frozen/*_constants.txt")) for line in lines_of(path)]


def new_lines(include, abi):
    """The frozen lines of what no release has."""
    frozen, lines = frozen_fields(frozen_text(abi)), []
    for owner, (size, fields) in layouts(include).items():
        added = [(name, at, kind) for name, at, kind in fields if (owner, name) not in frozen]
        if added:
            macro = "SIZE" if owner in NEVER_GROW else "GREW"
            lines += ["", f"// ---- {owner}", f"{macro}({owner}, {size});"]
            lines += [f"FIELD({owner}, {name}, {at}, {kind});" for name, at, kind in added]
    released = {name for name, _ in released_constants(abi)}
    known = released | set(re.findall(r"\bGANTRY_\w+", frozen_text(abi)))
    values = [(name, value) for _, _, name, value in constants.constants_of(include) if name not in known]
    fresh = [f"FROZEN(__builtin_strcmp({name}, {value}) == 0);" if value.startswith('"') else f"FROZEN({name} == {value});"
             for name, value in values if released and re.match(r'["0-9-]', value)]
    return (["", "// ---- constants", *fresh] if fresh else []) + lines


def take_over(abi, stem):
    """Gives the files of another version of major 0, or of the major before, the name of this one."""
    major = stem.split("_")[0]
    for path in sorted(abi.glob("frozen/*_*.*")):
        old = re.match(r"(\d+)_(\d+)", path.name)
        if old[0] != stem and (old[1] != major or major == "0"):
            if path.suffix == ".c":
                text = path.read_text(encoding="utf-8").replace(old[0], stem).replace(f"in {old[1]}.{old[2]}:",
                                                                                     f"in {stem.replace('_', '.')}:")
                path.with_name(path.name.replace(old[0], stem)).write_text(text, encoding="utf-8")
            path.unlink()


def write_lines(include, abi, stem):
    lines = new_lines(include, abi)
    path = abi / f"frozen/{stem}.c"
    if not lines:
        return
    if not path.exists():
        heads = "".join(f"#include <{each.relative_to(include).as_posix()}>\n"
                        for each in sorted((include / "gantry/ext").glob("*.h")))
        path.write_text(f"{LICENSE}// The fields and constants that {stem.replace('_', '.')} added.\n"
                        f"{heads}", encoding="utf-8")
    with path.open("a", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def write_versions(abi, version):
    major, minor = version.split(".")
    text = (abi / "frozen.c").read_text(encoding="utf-8").split("FROZEN(")[0]
    text += f"FROZEN(GANTRY_ABI_MAJOR == {major});\nFROZEN(GANTRY_ABI_MINOR == {minor});\n"
    text += f'FROZEN(__builtin_strcmp(GANTRY_ABI_TEXT, "{version}") == 0);\n\n'
    text += "".join(f'#include "frozen/{path.name}"\n' for path in sorted(abi.glob("frozen/*.c")))
    (abi / "frozen.c").write_text(text, encoding="utf-8")


def write_kept(include, abi, stem):
    """constants.txt and words.txt, and what of them no other release has."""
    for kind in ("constants", "words"):
        done = run([sys.executable, "-B", HERE / f"{kind}.py", include, abi, "--update"])
        if done.returncode != 0:
            sys.exit(done.stdout + done.stderr)
        own = abi / f"frozen/{stem}_{kind}.txt"
        others = {line for path in abi.glob(f"frozen/*_{kind}.txt") if path != own for line in lines_of(path)}
        fresh = [line for line in lines_of(abi / f"{kind}.txt") if line not in others]
        own.write_text("".join(line + "\n" for line in fresh), encoding="utf-8")


def write_baselines(include, abi, version):
    with tempfile.TemporaryDirectory() as work:
        for name, source in REFERENCES.items():
            write_baseline(include, abi, work, source, f"{name}_{version}.abixml")


def write_baseline(include, abi, work, source, baseline):
    done = run(["cmake", f"-DCOMPILER={shutil.which('gcc')}", f"-DABIDIFF={shutil.which('abidiff')}",
                f"-DABIDW={shutil.which('abidw')}", f"-DINCLUDE={include.resolve()}", f"-DSOURCE={(abi / source).resolve()}",
                f"-DBASELINE={(abi / baseline).resolve()}", f"-DWORK={work}", "-DUPDATE=1", "-P",
                HERE / "compare_abi.cmake"])
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)


def write_list(abi, version):
    stem = version.replace(".", "_")
    former = listed((abi / "frozen/RELEASED").read_text(encoding="utf-8")) if (abi / "frozen/RELEASED").exists() else {}
    own = [*sorted(abi.glob(f"frozen/{stem}[._]*.*")), *sorted(abi.glob(f"frozen/{stem}_manifests/*.toml")),
           *(abi / f"{name}_{version}.abixml" for name in REFERENCES)]
    paths = {path.relative_to(abi).as_posix(): digest(path) for path in own}
    kept = {path: value for path, value in former.items() if (abi / path).exists()}
    lines = "".join(f"{value} {path}\n" for path, value in {**kept, **paths}.items())
    (abi / "frozen/RELEASED").write_text(
        "# The files of each release, by sha256. Made by release.py. From 1.0 on lines are only appended.\n" + lines,
        encoding="utf-8")


def main():
    if len(sys.argv) not in (2, 4) or not re.fullmatch(r"\d+\.\d+", sys.argv[1]):
        print(__doc__, file=sys.stderr)
        return 2
    need("gcc", "cmake", "abidiff", "abidw")
    version = sys.argv[1]
    include, abi = (Path(sys.argv[2]), Path(sys.argv[3])) if len(sys.argv) == 4 else (HERE.parent / "include", HERE)
    problems = list(broken(include, abi, version))
    if problems:
        print("".join(problem + "\n" for problem in problems), end="")
        return 1
    stem = version.replace(".", "_")
    take_over(abi, stem)
    write_lines(include, abi, stem)
    write_versions(abi, version)
    write_kept(include, abi, stem)
    write_baselines(include, abi, version)
    write_list(abi, version)
    return 0


if __name__ == "__main__":
    sys.exit(main())
