# SPDX-License-Identifier: Apache-2.0
"""The releases of Nova that the oracle can run, the oldest first, each by the last tag of its series and its commit.

Zed is Debian 12's python3-nova. The others come from a checkout of openstack/nova: see tree().
"""

import os
import pathlib
import subprocess
import tarfile

_COMMITS = {
    "antelope": ("27.5.1", "945aabc79a68a9e0e47091d208215ae8f0e31556"),
    "bobcat": ("28.3.1", "4864f8c381385a61263dd7c9c933f52080906305"),
    "caracal": ("29.4.0", "41ae5b7f70481ad1a63eb1cbdba1e890be850ec5"),
    "dalmatian": ("30.3.0", "de7c57e76b5ae09679c66eebb54f8715622d7d98"),
    "epoxy": ("31.3.1", "e2ebb330dfc7336a995d455861b52066e270f8ca"),
    "flamingo": ("32.2.1", "0e969c5246e3f99b48ed99b58438fc11891b1caa"),
    "gazpacho": ("33.0.2", "32bd8471f86fa33555dc9890b8730d83296da7b0"),
    # Not published yet: its development as of 21 August 2026.
    "hibiscus": ("34.0.0-dev", "00a030403f672b975364c855b7d25b40ef83e757"),
}
NAMES = ["zed", *_COMMITS]


def name():
    """The release that runs."""
    return os.environ.get("NOVA_RELEASE", "zed")


def has(since):
    """Whether the release that runs is that one or a later one."""
    return at_least(name(), since)


def later_traits(release):
    """The traits of os-traits that Nova looks up by a computed name and that Debian 12 does not have."""
    return ["COMPUTE_NET_VIF_MODEL_IGB"] if at_least(release, "epoxy") else []  # os-traits 3.2


def models_of_intel():
    """The models of encrypted memory that are Intel's. The commit of Hibiscus above has none yet, the release has one."""
    from nova.objects import fields
    models = getattr(fields, "MemEncryptionModel", None)
    return [] if models is None else [model for model in models.ALL if model.startswith("intel")]


def at_least(release, since):
    return NAMES.index(release) >= NAMES.index(since)


def of_major(major):
    """The release with this first number in its versions. None: no such release."""
    numbers = {tag.split(".")[0]: release for release, (tag, _) in _COMMITS.items()}
    return {"26": "zed", **numbers}.get(major)


def tree(checkout, name, below):
    """The folder with the release's own package nova, written below `below` unless it is there.

    `checkout` is a git repository of openstack/nova, bare or not. A tag that names another commit than the one above is
    an error, as is a missing commit.
    """
    tag, commit = _COMMITS[name]
    if not tag.endswith("-dev"):
        found = _git(checkout, "rev-parse", tag + "^{commit}").decode().strip()
        if found != commit:
            raise ValueError(f"{checkout}: expected tag {tag} at {commit}, found {found}")
    folder = pathlib.Path(below) / f"nova-{tag}"
    done = folder / ".commit"
    if not done.exists() or done.read_text() != commit:
        folder.mkdir(parents=True, exist_ok=True)
        archive = folder / ".tar"
        archive.write_bytes(_git(checkout, "archive", commit, "nova"))
        with tarfile.open(archive) as files:
            files.extractall(folder)
        archive.unlink()
        done.write_text(commit)
    return folder


def _git(checkout, *command):
    done = subprocess.run(["git", "-C", str(checkout), *command], capture_output=True, check=False)
    if done.returncode != 0:
        raise ValueError(f"{checkout}: git {' '.join(command)}: {done.stderr.decode().strip()}")
    return done.stdout
