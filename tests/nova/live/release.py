# SPDX-License-Identifier: Apache-2.0
"""What differs between the releases of the control plane: names of programs, and Gantry's level for Nova's release."""

from importlib import metadata
from pathlib import Path

PYTHON = Path("/usr/lib/python3/dist-packages")
FIRST = 26  # of Nova
LEVELS = ("zed", "antelope", "bobcat", "caracal", "dalmatian", "epoxy", "flamingo", "gazpacho", "hibiscus")


def has_module(name: str) -> bool:
    """Newer releases have a WSGI module, where older ones have a script or a server of its own."""
    return (PYTHON / (name.replace(".", "/") + ".py")).exists()


def level_of(version: str) -> str:
    """The name of a Nova by its version, such as 31.0.0."""
    return LEVELS[min(max(int(version.split(".")[0]) - FIRST, 0), len(LEVELS) - 1)]


def waits_in_steps() -> bool:
    """Whether a caller of the installed oslo.messaging looks for its answer every half second, however soon it comes."""
    return is_stepping(metadata.version("oslo.messaging"))


def is_stepping(version: str) -> bool:
    """14.8 to 18.1 do."""
    major, minor = (int(part) for part in version.split(".")[:2])
    return (14, 8) <= (major, minor) < (18, 2)


def major() -> int:
    """Nova's version, such as 31; that of the first one where none is installed."""
    try:
        return int(metadata.version("nova").split(".")[0])
    except metadata.PackageNotFoundError:
        return FIRST


def compatibility() -> str:
    """Lines of gantry.toml: the level of the Nova that is installed."""
    return f'[driver.filter]\ncompatibility = "{level_of(metadata.version("nova"))}"\n'


def uwsgi() -> str:
    """The newest one for Python 3."""
    return str(max(Path("/usr/bin").glob("uwsgi_python3*"), key=lambda path: (len(path.name), path.name)))
