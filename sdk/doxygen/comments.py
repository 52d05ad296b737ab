#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints a header of the SDK with its comments as Doxygen wants them. Doxygen's INPUT_FILTER; argument: the header.

The headers' comments are plain: no commands, no marks. A comment above a declaration or behind one on the same line is its
documentation. The comment at the top of a file is the file's, and so is a comment that begins a part of it. A comment
with indented lines or with columns keeps its lines as they are.
"""
import re
import sys

TOOLS = re.compile(r"clang-format|NOLINT|cppcheck-suppress")
PART = re.compile(r"-{8,} (.*)")  # of a header in C; a part of a class in C++ has four dashes
LAID_OUT = re.compile(r"^ |\S   *\S")
TRAILING_BLOCK = re.compile(r"^(.*\S) */\*( .*)\*/(\s*\\?)$")
TRAILING_LINE = re.compile(r'^((?:[^"/]|"(?:[^"\\]|\\.)*"|/(?!/))*\S) *//( .*)$')


def escaped(text):
    for mark, written in (("&", "&amp;"), ("\\", "\\\\"), ("<", "&lt;"), (">", "&gt;"), ("@", "\\@"), ("#", "\\#"), ("%", "\\%"),
                          ("*/", "* /")):
        text = text.replace(mark, written)
    return re.sub(r"^( *)-", r"\1\-", text)  # otherwise an item of a list


def documentation(lines, is_first):
    """Returns the lines of a comment as a comment of Doxygen, as many as there were."""
    if TOOLS.search(lines[0]):
        return [""] * len(lines)
    part = PART.match(lines[0])
    if part and len(lines) == 1:
        return [""]
    head = "@file" if is_first or part else ""
    if head or lines[0].startswith("---- "):
        lines = [""] + lines[1:]
    written = [escaped(line) for line in lines]
    if any(LAID_OUT.search(line) for line in lines):
        first = 0 if lines[0] else 1
        written[first] = "<pre>" + written[first]
        written[-1] += "</pre>"
    if part:
        written[1] = f"@details <b>{escaped(part[1])}</b><br>{written[1]}"
    written[0] = "/** " + head + written[0]
    written[-1] += " */"
    return written


def block(lines, at):
    """Returns the texts of the lines of the comment that begins at a line, without its marks."""
    found = []
    while True:
        text = lines[at].strip()
        text = text[2:] if not found else text[1:] if text.startswith("*") and text != "*/" else text
        ends = text.endswith("*/")
        found.append((text[:-2] if ends else text).rstrip().removeprefix(" "))
        if ends:
            return found
        at += 1


def line_comments(lines, at):
    found = []
    while at + len(found) < len(lines) and lines[at + len(found)].lstrip().startswith("//"):
        found.append(lines[at + len(found)].lstrip()[2:].removeprefix(" "))
    return found


def converted(lines):
    at = 0
    while at < len(lines):
        line = lines[at]
        text = line.lstrip()
        comment = block(lines, at) if text.startswith("/*") else line_comments(lines, at)
        if comment:
            yield from documentation(comment, at == 0)
            at += len(comment)
            continue
        trailing = TRAILING_BLOCK.match(line) or TRAILING_LINE.match(line)
        if trailing and not text.startswith(("#if", "#endif", "}")):
            behind = trailing[3] if trailing.re is TRAILING_BLOCK else ""
            line = f"{trailing[1]} /**<{escaped(trailing[2])} */{behind}"
        yield line
        at += 1


with open(sys.argv[1], encoding="utf-8") as header:
    print("\n".join(converted(header.read().splitlines())))
