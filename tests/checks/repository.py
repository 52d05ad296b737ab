# SPDX-License-Identifier: Apache-2.0
"""The files of a source tree: what git tracks or would track, or everything outside of build trees if it is no clone."""

import os
import subprocess
from pathlib import Path

NOT_SOURCES = {".git", ".cache", "build", "__pycache__"}


def files(root: Path) -> list[Path]:
    """Every file, as paths relative to the root, sorted."""
    listed = None
    if (root / ".git").exists():
        listed = subprocess.run(
            ["git", "-c", "safe.directory=*", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            capture_output=True,
            check=False,
        )
    if listed is not None and listed.returncode == 0:
        names = (Path(os.fsdecode(name)) for name in listed.stdout.split(b"\0") if name)
        return sorted(name for name in names if (root / name).is_file())
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in NOT_SOURCES and not name.startswith("build-")]
        found += [(Path(folder) / name).relative_to(root) for name in names]
    return sorted(found)


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")
