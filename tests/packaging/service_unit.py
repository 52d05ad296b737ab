# SPDX-License-Identifier: Apache-2.0
"""What gantryd.service says, and a process that becomes what systemd makes of gantryd, as far as a container allows."""

import ctypes
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys

USER = 64123  # the gantry of the namespace


class Unit:
    """The settings of the unit, the last of each name. SystemCallFilter= is left to systemd."""

    def __init__(self, path):
        lines = [line for line in path.read_text().splitlines() if re.match(r"\w+=", line)]
        self.settings = dict(line.split("=", 1) for line in lines)

    def get(self, name):
        return self.settings.get(name, "")

    def directories(self):
        """Path -> mode of the directories that systemd makes for the service."""
        made = {}
        for kind, base in (("Runtime", "/run"), ("State", "/var/lib"), ("Logs", "/var/log")):
            if name := self.get(f"{kind}Directory"):
                made[f"{base}/{name}"] = int(self.get(f"{kind}DirectoryMode") or "0755", 8)
        return made

    def prevented(self):
        return {int(word) for word in self.get("RestartPreventExitStatus").split()}


def mount(*words):
    subprocess.run(["mount", *map(str, words)], check=True)


def prctl(*arguments):
    library = ctypes.CDLL(None, use_errno=True)
    return library.prctl(*(ctypes.c_ulong(argument) for argument in arguments), *[ctypes.c_ulong(0)] * 3) == 0


def enter_unit(unit, scratch, programs, drivers):
    """Makes this process, in a mount namespace of its own, what systemd makes of it before it runs gantryd."""
    for base in {str(pathlib.Path(path).parent) for path in unit.directories()}:
        mount("-t", "tmpfs", "-o", "mode=0755", "tmpfs", base)
    pathlib.Path("/run/installed").mkdir()
    for file in [*pathlib.Path(drivers).glob("*.so"), pathlib.Path(programs) / "gantryd"]:
        shutil.copy(file, "/run/installed")
    # As gantry.sysusers makes them.
    for name, more in (("passwd", f"gantry:x:{USER}:{USER}::/var/lib/gantry:/usr/sbin/nologin\n"),
                       ("group", f"gantry:x:{USER}:\n")):
        (scratch / name).write_text(pathlib.Path("/etc", name).read_text() + more)
        mount("--bind", scratch / name, f"/etc/{name}")
    for path, mode in unit.directories().items():
        kept = scratch / path.replace("/", "-")
        kept.mkdir(exist_ok=True)
        kept.chmod(mode)
        os.chown(kept, USER, USER)
        pathlib.Path(path).mkdir()
        mount("--bind", kept, path)
    if unit.get("ProtectSystem") == "strict":
        keep = {*unit.directories()}
        for line in pathlib.Path("/proc/self/mounts").read_text().splitlines():
            target = line.split()[1]
            if target not in keep and not target.startswith(("/proc", "/sys", "/dev")):
                subprocess.run(["mount", "-o", "remount,bind,ro", target], check=False, stderr=subprocess.DEVNULL)
    most = int(unit.get("LimitNOFILE"))
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, hard),) * 2 if hard != -1 else (most, most))
    os.umask(int(unit.get("UMask"), 8))
    os.setgroups([])
    os.setgid(USER)
    os.setuid(USER)
    if unit.get("NoNewPrivileges") == "yes":
        prctl(38, 1)  # PR_SET_NO_NEW_PRIVS
    if unit.get("MemoryDenyWriteExecute") == "yes" and not prctl(65, 1):  # PR_SET_MDWE, Linux 6.3
        print("this kernel has no PR_SET_MDWE: goes on without", file=sys.stderr)


def run_in_unit(scratch, words, arguments):
    """This file again, in a mount namespace of its own, as gantryd. `arguments`: PROGRAMS DRIVERS UNITS."""
    return subprocess.Popen(["unshare", "--mount", "--propagation", "private", sys.executable, "-B", __file__,
                             *arguments, str(scratch), *words],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def has_namespaces():
    if os.geteuid() != 0:
        return False
    tried = subprocess.run(["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/run"], check=False,
                           capture_output=True)
    return tried.returncode == 0


if __name__ == "__main__":
    programs, drivers, units, scratch = sys.argv[1:5]
    enter_unit(Unit(pathlib.Path(units) / "gantryd.service"), pathlib.Path(scratch), programs, drivers)
    os.execv("/run/installed/gantryd", ["gantryd", *sys.argv[5:]])
