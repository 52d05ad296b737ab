# SPDX-License-Identifier: Apache-2.0
"""nova-live --suite: another Debian release, in a chroot that nova-live makes, with that release's OpenStack.

nova-live runs again within it. Gantry is the build of this machine: its programs are seen there at the same path, and the
libraries that this machine has for them are brought along. The network is the machine's, so that one control plane can be up.
"""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from processes import StartFailed, say

REPOSITORY = Path(__file__).resolve().parents[3]
HOME = "/var/lib/gantry-nova-live"  # in the chroot
LIBRARIES = "/opt/gantry-libraries"  # in the chroot
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# The release's own ones do: they are newer than those that a program was linked with.
OF_THE_RELEASE = ("ld-linux", "libc.so", "libm.so", "libdl.so", "librt.so", "libpthread.so", "libresolv.so", "libstdc++.so", "libgcc_s.so")


def directory_of(suite: str, given: str | None) -> Path:
    return Path(given or Path(tempfile.gettempdir()) / f"gantry-nova-live-{suite}").absolute()


def _command(*words: object) -> str:
    done = subprocess.run([str(word) for word in words], env={"PATH": PATH, "DEBIAN_FRONTEND": "noninteractive"},
                          text=True, capture_output=True)
    if done.returncode != 0:
        raise StartFailed(f"{words[0]} failed with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def _make(root: Path, suite: str) -> None:
    if (root / "usr/bin/python3").exists():
        return
    if shutil.which("debootstrap", path=PATH) is None:
        _command("apt-get", "update", "-qq")
        _command("apt-get", "install", "-y", "-qq", "--no-install-recommends", "debootstrap")
    say(f"makes Debian {suite} in {root}")
    shutil.rmtree(root, ignore_errors=True)
    mirror = _command("apt-get", "indextargets", "--format", "$(REPO_URI)").splitlines()[0]
    _command("debootstrap", "--variant=minbase", "--include=ca-certificates,python3", suite, root, mirror)


def _prepare(root: Path) -> None:
    """What may have changed on the machine since the chroot was made."""
    for name in ("resolv.conf", "hosts"):
        shutil.copy(f"/etc/{name}", root / "etc" / name)
    shutil.copytree("/etc/apt/apt.conf.d", root / "etc/apt/apt.conf.d", dirs_exist_ok=True)
    policy = root / "usr/sbin/policy-rc.d"
    policy.write_text("#!/bin/sh\nexit 101\n")  # packages start nothing
    policy.chmod(0o755)
    (root / "etc/dpkg/dpkg.cfg.d/unsafe-io").write_text("force-unsafe-io\n")
    for name, command in (("proc", ("-t", "proc", "proc")), ("run", ("-t", "tmpfs", "tmpfs")), ("dev", ("--rbind", "/dev")),
                          (str(REPOSITORY)[1:], ("--bind", REPOSITORY))):
        place = root / name
        place.mkdir(parents=True, exist_ok=True)
        if not os.path.ismount(place):
            _command("mount", *command, place)
            if name == "dev":
                _command("mount", "--make-rslave", place)


def _release(root: Path) -> None:
    """Undoes the mounts, the last one first."""
    for name in (str(REPOSITORY)[1:], "dev", "run", "proc"):
        if os.path.ismount(root / name):
            subprocess.run(["umount", "-R", str(root / name)], env={"PATH": PATH}, check=False)


def libraries_of(listing: str) -> list[str]:
    """The paths in what ldd prints, without the release's own ones."""
    paths = [line.split("=>", 1)[1].split()[0] for line in listing.splitlines() if "=> /" in line]
    return [path for path in paths if not Path(path).name.startswith(OF_THE_RELEASE)]


def _bring_libraries(root: Path, programs: Path) -> None:
    place = root / LIBRARIES[1:]
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    drivers = programs.parent / "lib" / "gantry" / "drivers"
    for file in (*sorted(programs.glob("gantry*")), *sorted(drivers.glob("*.so"))):
        for path in libraries_of(_command("ldd", file)):
            if not (place / Path(path).name).exists():
                shutil.copy(path, place)


def run(suite: str, directory: str | None, root: str | None, programs: Path, arguments: list[str]) -> int:
    """Runs nova-live with the arguments in the suite's chroot, by default DIRECTORY/root. Returns its exit status."""
    if os.geteuid() != 0:
        raise SystemExit("nova-live: needs root: it makes a chroot")
    place = Path(root).absolute() if root else directory_of(suite, directory) / "root"
    place.mkdir(parents=True, exist_ok=True)
    _make(place, suite)
    _prepare(place)
    _bring_libraries(place, programs)
    status = subprocess.run(
        ["chroot", str(place), "/usr/bin/env", "-i", f"PATH={PATH}", "HOME=/root", "LANG=C.UTF-8", f"GANTRY_NOVA_LIVE={HOME}",
         f"GANTRY_NOVA_LIVE_LIBRARIES={LIBRARIES}", "/usr/bin/python3", "-B", str(REPOSITORY / "packaging" / "nova-live"),
         "--programs", str(programs), *arguments], check=False).returncode
    if arguments[:1] == ["down"]:
        _release(place)
    return status
