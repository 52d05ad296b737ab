#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that comments use plain words. Each folder has a limit of findings in words_known.txt, 0 if it is not listed.

    words.py ROOT [--update | --list]     exit status 0: no folder is over its limit; 1: a line for each finding in those
                                          that are. --update lowers limits to the findings there are; --list shows all.
"""

import re
import sys
from collections import Counter
from pathlib import Path

import repository

FOLDERS = ("core/", "plugins/", "sdk/", "tests/")
SOURCES = {".h", ".hpp", ".c", ".cpp"}
LIMITS = Path(__file__).with_name("words_known.txt")

TOKENS = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|/\*(.*?)\*/|//([^\n]*)', re.S)
FAULTS = (
    ("a sentence that begins with", re.compile(r"(?:^|(?<=[.;!?] ))(?:What|Who|Those|Of|Such|That which|So it is)\b(?!.*\?$)", re.I)),
    ("the word", re.compile(r"\b(?:nobody|whoever|whatever|anew)\b", re.I)),
    ("the pronoun", re.compile(r"\b(?<!no )such\b(?! (?:as|an?)\b)")),
    ("the negation", re.compile(r"\bof none\b|\b(?<!there )is no\b(?! (?:longer|more)\b)")),
)


def comments(text: str) -> list[tuple[int, str]]:
    """(line, text) of each comment; // comments on lines of their own that follow each other are one."""
    found, last_line = [], -1
    for match in TOKENS.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        if match[1] is not None:
            words = " ".join(part.strip().lstrip("*").strip() for part in match[1].splitlines())
            found += [(line, paragraph) for paragraph in [words.strip()] if paragraph]
        elif match[2] is not None:
            words = match[2].strip()
            alone = not text[text.rfind("\n", 0, match.start()) + 1 : match.start()].strip()
            if alone and found and last_line == line - 1 and words:
                found[-1] = (found[-1][0], found[-1][1] + " " + words)
            elif words:
                found.append((line, words))
            last_line = line if alone and words else -1
    return found


def faults_of(path: str, text: str) -> list[str]:
    return [
        f"{path}:{line}: {what} '{match[0]}': {words[max(0, match.start() - 30) : match.end() + 40].strip()}"
        for line, words in comments(text)
        for what, pattern in FAULTS
        for match in pattern.finditer(words)
    ]


def folder_of(path: str) -> str:
    return "/".join(path.split("/")[:-1][:2])


def limits() -> dict[str, int]:
    lines = LIMITS.read_text(encoding="utf-8").splitlines() if LIMITS.exists() else []
    return {folder: int(count) for folder, count in (line.split() for line in lines if line and not line.startswith("#"))}


def main() -> int:
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    root = Path(sys.argv[1])
    paths = [path for path in repository.files(root) if path.suffix in SOURCES and path.as_posix().startswith(FOLDERS)]
    found = [line for path in paths for line in faults_of(path.as_posix(), repository.text(root / path))]
    counts, allowed = Counter(map(folder_of, found)), limits()
    if "--update" in sys.argv:
        kept = {folder: min(count, allowed.get(folder, 0)) if allowed else count for folder, count in counts.items()}
        lines = [f"{folder} {count}\n" for folder, count in sorted(kept.items()) if count]
        LIMITS.write_text("# Findings of words.py that each folder may have. A number only falls.\n" + "".join(lines), encoding="utf-8")
        return 0
    over = {folder for folder, count in counts.items() if count > allowed.get(folder, 0)}
    for line in found:
        if "--list" in sys.argv or folder_of(line) in over:
            print(line)
    for folder in sorted(over):
        print(f"{folder}: expected at most {allowed.get(folder, 0)} findings, found {counts[folder]}")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
