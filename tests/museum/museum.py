# SPDX-License-Identifier: Apache-2.0
"""The files of the museum: what RELEASED says of them, and drivers unpacked for a host to load."""
import hashlib
import json
import lzma
import re
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
ENTRY = re.compile(r"^([0-9a-f]{64}) (\S+)\n(?:  id (\S+)\n)?", re.M)
BREAK = "A released driver stops working: that is a break of the ABI's promise, and stops the release. Mend the host."


class Minor:
    """The files of one released minor."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.name = self.folder.name
        self.entries = {path: (digest, driver)
                        for digest, path, driver in ENTRY.findall((self.folder / "RELEASED").read_text(encoding="utf-8"))}
        self.cases = json.loads((self.folder / "cases.json").read_text(encoding="utf-8"))

    def problems(self):
        """A line for each file that is gone, is another one, or has no line in RELEASED."""
        for path, (expected, _) in self.entries.items():
            file = self.folder / path
            found = hashlib.sha256(file.read_bytes()).hexdigest() if file.exists() else "no such file"
            if found != expected:
                yield f"{self.name}/{path}: expected the released file, sha256 {expected}, found {found}. A released file stays."
        there = {str(path.relative_to(self.folder)) for path in self.folder.rglob("*") if path.is_file()}
        for path in sorted(there - set(self.entries) - {"RELEASED"}):
            yield f"{self.name}/{path}: expected a line in {self.name}/RELEASED, found none"

    def lost_lines(self):
        """A line for each line of the last release's RELEASED that is gone."""
        where = ["git", "-C", str(self.folder)]
        tag = subprocess.run([*where, "describe", "--tags", "--abbrev=0", "--match", "v[0-9]*"], capture_output=True,
                             text=True, check=False)
        kept = subprocess.run([*where, "show", f"{tag.stdout.strip()}:./RELEASED"], capture_output=True, text=True, check=False)
        if tag.returncode != 0 or kept.returncode != 0:
            return []  # no release has the file
        return lost((self.folder / "RELEASED").read_text(encoding="utf-8"), kept.stdout, self.name)

    def drivers(self, processor="x86_64"):
        """The name and the id of each packed file of the processor."""
        return {Path(path).name[:-len(".so.xz")]: driver for path, (_, driver) in self.entries.items()
                if path.startswith(processor + "/") and path.endswith(".so.xz")}

    def unpack(self, work):
        """Unpacks each driver to work/NAME/ID.so, and what drivers read to work. Returns the files by name."""
        files = {}
        for name, driver in self.drivers().items():
            files[name] = work / name / f"{driver}.so"
            files[name].parent.mkdir()
            files[name].write_bytes(lzma.decompress((self.folder / f"x86_64/{name}.so.xz").read_bytes()))
        shutil.copyfile(self.folder / "policy.lua", work / "policy.lua")
        return files

    def driver_cases(self, files):
        """The kept settings of each driver, with the files that are unpacked."""
        told = []
        for name, path in files.items():
            if name == "rules":
                continue
            case = {"name": name, "path": str(path), **json.loads(json.dumps(self.cases["drivers"].get(name, {})))}
            for option, value in case.get("options", {}).items():
                if value == "policy.lua":
                    case["options"][option] = str(files["lua"].parents[1] / value)
            told.append(case)
        return told

    def transcript_path(self, name, kind="host"):
        return self.folder / "transcripts" / (f"{name}.txt" if kind == "host" else f"{name}.{kind}.txt")


def lost(now, tagged, name):
    """A line for each line of `tagged` that `now` has not."""
    lines = set(now.splitlines())
    return [f"{name}/RELEASED: expected the last release's line {line!r}, found no such line; lines are only appended"
            for line in tagged.splitlines() if line not in lines]


def minors(folder=HERE):
    return [Minor(path.parent) for path in sorted(folder.glob("*/RELEASED"))]


def difference(path, expected, found, where):
    """The first line in which a transcript differs; "" if it does not."""
    kept, now = expected.splitlines(), found.splitlines()
    for number in range(max(len(kept), len(now))):
        lines = [text[number] if number < len(text) else "no further line" for text in (kept, now)]
        if lines[0] != lines[1]:
            return f"{path}:{number + 1}: {where}\n  expected {lines[0]}\n  found    {lines[1]}\n{BREAK}"
    return ""
