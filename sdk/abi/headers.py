# SPDX-License-Identifier: Apache-2.0
"""The headers of the ABI, and the tools that the gates run on them."""
import re
import shutil
import subprocess
import sys
from pathlib import Path


def headers(include):
    """driver.h, then those of ext/, as paths below `include`."""
    extensions = sorted((include / "gantry/ext").glob("*.h"))
    return [Path("gantry/driver.h"), *(path.relative_to(include) for path in extensions)]


def includes(include):
    return "".join(f"#include <{header.as_posix()}>\n" for header in headers(include))


def code_of(text):
    """The text of a header without its comments."""
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.S)


def frozen_text(abi):
    """All lines that are frozen: frozen.c, then the files of the releases in frozen/."""
    paths = [abi / "frozen.c", *sorted(abi.glob("frozen/*.c"))]
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def need(*tools):
    """Ends the program, which is no failure, if one of the tools is not installed."""
    for tool in tools:
        if shutil.which(tool) is None:
            print(f"SKIPPED: {tool} is not installed")
            sys.exit(0)


def run(command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **more)


def compiled(command, problem):
    """Runs a compiler. Ends the program with `problem` and the compiler's words if it fails."""
    done = run(command)
    if done.returncode != 0:
        print(problem)
        print(done.stderr, end="")
        sys.exit(1)
