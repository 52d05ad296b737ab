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


def compatibility() -> str:
    """Lines of gantry.toml: the level of the Nova that is installed."""
    return f'[driver.filter]\ncompatibility = "{level_of(metadata.version("nova"))}"\n'


def uwsgi() -> str:
    """The newest one for Python 3."""
    return str(max(Path("/usr/bin").glob("uwsgi_python3*"), key=lambda path: (len(path.name), path.name)))
