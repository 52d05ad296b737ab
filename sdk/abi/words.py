#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that what the comments of driver.h and ext/*.h promise stays said, as words.txt has it.

    words.py INCLUDE ABI [--update]    exit status 1: a line for each sentence that is changed or gone without a word in
                                       HISTORY. New sentences pass. --update writes words.txt.

A sentence may go, or become another one, if HISTORY quotes its first five words, or all of a shorter one, after a double
quote: "The row numbers are 0 ...". White space does not count, in the headers and in HISTORY.

A comment is read so:
  - Lines are joined to sentences. A line with a number or a dash in front, or with a gap of two spaces after a word (a
    row of a table), begins a sentence; deeper lines below go on with it.
  - A comment beside code is told from others by what it says it of: gantry_pick.weight: shown in the decision record.
  - Which header a sentence is in, and where, does not count.
"""
import difflib
import re
import sys
from collections import Counter
from pathlib import Path

from headers import headers

HEAD = "# What the comments of driver.h and ext/*.h say, a sentence a line. Made by words.py --update.\n"
FIRST_WORDS = 5
TOKENS = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|/\*(.*?)\*/', re.S)
BETWEEN_SENTENCES = re.compile(r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)\s+(?=[A-Z`\[{\"'(0-9]|\w+[_/])")


def subject_of(text, start):
    """The name of what a comment at `start` stands beside, with its struct's; "" for a comment on a line of its own."""
    begin = text.rfind("\n", 0, start) + 1
    code = text[begin:start].split("*/")[-1].rstrip()
    if not code.strip():
        return ""
    if named := re.match(r"\s*#\s*define\s+(\w+)", code) or re.search(r"(\w+)\s*=", code):
        return named[1] + ": "
    name = re.findall(r"\w+", re.sub(r"\[\d+\]", "", code))[-1]
    owners = re.findall(r"\bstruct (\w+) \{", text[:begin])
    return f"{owners[-1]}.{name}: " if code.startswith(" ") and owners else name + ": "


def paragraphs(comment):
    """The comment's lines, joined to what belongs together."""
    found, row, is_open = [], None, False
    for line in comment.split("\n"):
        indent, words = re.match(r"\s*\*?( *)(.*?)\s*$", line).groups()
        if not words or "-----" in words or words.startswith("SPDX-"):
            is_open = False
            continue
        is_row = re.match(r"(\d+\.|-) ", words) or re.search(r"[^\s.,;:!?] {2,}\S", words)
        if is_row or not is_open or (row is not None and len(indent) <= row):
            found.append(words)
            row = len(indent) if is_row else None
        else:
            found[-1] += " " + words
        is_open = True
    return [" ".join(words.split()) for words in found]


def sentences_of_paragraph(words):
    """The sentences. A number in front belongs to the first."""
    numbered = re.match(r"\d+\. ", words)
    front = numbered[0] if numbered else ""
    first, *others = BETWEEN_SENTENCES.split(words[len(front):])
    return [front + first, *others]


def sentences(text):
    for match in TOKENS.finditer(text):
        if match[1] is not None:
            subject = subject_of(text, match.start())
            for words in paragraphs(match[1]):
                yield from (subject + sentence for sentence in sentences_of_paragraph(words))


def first_words(sentence):
    return " ".join(sentence.split()[:FIRST_WORDS])


def problems(kept, found, history):
    """A line for each kept sentence that is not found, and that HISTORY does not quote."""
    gone, new = Counter(kept) - Counter(found), list(Counter(found) - Counter(kept))
    for sentence in gone:
        if f'"{first_words(sentence)}' in history:
            continue
        like = difflib.get_close_matches(sentence, new, n=1)
        yield (f'driver.h and ext/*.h: expected "{sentence}", found {chr(34) + like[0] + chr(34) if like else "no such sentence"}; '
               f'take it back, or tell of it in HISTORY and quote there "{first_words(sentence)}"')


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--update"]
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    include, abi = map(Path, arguments)
    by_header = {path: list(sentences((include / path).read_text(encoding="utf-8"))) for path in headers(include)}
    if "--update" in sys.argv:
        lines = "".join(f"# {path.as_posix()}\n" + "".join(f"{line}\n" for line in by_header[path]) for path in by_header)
        (abi / "words.txt").write_text(HEAD + lines, encoding="utf-8")
        return 0
    kept = [line for line in (abi / "words.txt").read_text(encoding="utf-8").splitlines() if not line.startswith("# ")]
    history = " ".join((abi / "HISTORY").read_text(encoding="utf-8").split())
    told = list(problems(kept, [line for lines in by_header.values() for line in lines], history))
    print("".join(problem + "\n" for problem in told), end="")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
