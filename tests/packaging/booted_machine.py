# SPDX-License-Identifier: Apache-2.0
"""A machine of its own that systemd has booted: the files of this one, in namespaces of its own, with what a build installs.

What is written there is in memory alone, and gone with the machine. Its processes see neither the others of this machine nor
its network, and its kernel's settings are read-only.
"""

import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

from scratch_daemon import until

COMPONENTS = ["daemon", "client", "Unspecified"]  # the last has the drivers
# What a machine needs none of, and what would change settings that all machines of the kernel share.
DROPPED = ["sys_boot", "sys_module", "sys_rawio", "sys_time", "syslog", "wake_alarm", "mac_admin", "mac_override"]
MASKED = ["systemd-sysctl.service", "systemd-udevd.service", "systemd-udev-trigger.service", "systemd-modules-load.service",
          "systemd-binfmt.service", "systemd-firstboot.service", "systemd-journal-flush.service", "systemd-update-utmp.service",
          "systemd-pcrphase-sysinit.service", "sys-kernel-debug.mount", "sys-kernel-tracing.mount", "sys-kernel-config.mount",
          "sys-fs-fuse-connections.mount", "dev-hugepages.mount", "dev-mqueue.mount", "proc-sys-fs-binfmt_misc.automount",
          "getty.target", "systemd-ask-password-console.path", "systemd-ask-password-wall.path"]
TARGET = "[Unit]\nDescription=A machine for tests\nAllowIsolate=yes\nRequires=sysinit.target\nAfter=sysinit.target\nWants=dbus.socket\n"


class CannotBoot(Exception):
    """Why there can be no such machine here."""


def shared_hierarchy():
    """Where the second version of the control groups is mounted, and the group of this process in it."""
    mounts = [line.split() for line in pathlib.Path("/proc/self/mounts").read_text().splitlines()]
    found = next((words[1] for words in mounts if words[2] == "cgroup2"), None)
    own = next((line[3:] for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines() if line.startswith("0::")), None)
    if not found or not own:
        raise CannotBoot("no file system cgroup2 is mounted")
    return pathlib.Path(found) / own.strip("/")


def mount(*words):
    subprocess.run(["mount", *map(str, words)], check=True)


def lay_out(base, source):
    """Makes the file system of the machine, in a mount namespace of its own. Returns its root."""
    root = base / "root"
    root.mkdir()
    mount("--make-rprivate", "/")
    mount("-t", "tmpfs", "-o", "mode=0755", "tmpfs", base / "layers")
    for name in ("upper", "work"):
        (base / "layers" / name).mkdir()
    mount("-t", "overlay", "-o", f"lowerdir=/,upperdir={base}/layers/upper,workdir={base}/layers/work", "overlay", root)
    for kind, where, options in (("proc", "proc", "nosuid,nodev,noexec"), ("sysfs", "sys", "ro,nosuid,nodev,noexec"),
                                 ("cgroup2", "sys/fs/cgroup", "nosuid,nodev,noexec"), ("tmpfs", "dev", "mode=0755"),
                                 ("tmpfs", "run", "mode=0755"), ("tmpfs", "tmp", "mode=1777"), ("tmpfs", "var/log", "mode=0755")):
        mount("-t", kind, "-o", options, kind, root / where)
    mount("--bind", root / "proc/sys", root / "proc/sys")
    mount("-o", "remount,bind,ro", root / "proc/sys")
    for device in ("null", "zero", "full", "random", "urandom", "tty"):
        (root / "dev" / device).touch()
        mount("--bind", f"/dev/{device}", root / "dev" / device)
    (root / "dev/pts").mkdir()
    mount("-t", "devpts", "-o", "newinstance,ptmxmode=0666,mode=0620", "devpts", root / "dev/pts")
    (root / "dev/ptmx").symlink_to("pts/ptmx")
    (root / "dev/console").touch()
    mount("--bind", "/dev/null", root / "dev/console")
    install(root, source)
    return root


def install(root, source):
    """What a deployer has installed and not started: no configuration, no state. A restart comes sooner than on a real machine.
    `source`: a build, or a repository of packages, which apt then finds in /repository."""
    for old in ("etc/gantry", "var/lib/gantry", "usr/local/lib/systemd"):
        shutil.rmtree(root / old, ignore_errors=True)
    if (source / "dists").exists():
        shutil.copytree(source, root / "repository")
    else:
        for component in COMPONENTS:
            subprocess.run(["cmake", "--install", str(source), "--component", component], check=True, stdout=subprocess.DEVNULL,
                           env=dict(os.environ, DESTDIR=str(root)))
    units = root / "etc/systemd/system"
    for link in units.glob("*.wants"):
        shutil.rmtree(link)
    for unit in MASKED:
        (units / unit).unlink(missing_ok=True)
        (units / unit).symlink_to("/dev/null")
    (root / "etc/fstab").write_text("")
    (units / "machine.target").write_text(TARGET)
    (root / "etc/hostname").write_text("machine\n")
    drop_ins = units / "gantryd.service.d"
    drop_ins.mkdir()
    (drop_ins / "quick.conf").write_text("[Service]\nRestartSec=100ms\n")
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if hard != resource.RLIM_INFINITY and not may_raise_limits():
        (drop_ins / "limit.conf").write_text(f"[Service]\nLimitNOFILE={hard}\n")
    subprocess.run(["systemd-sysusers", f"--root={root}"], check=True)


def may_raise_limits():
    sys_resource = 24
    status = pathlib.Path("/proc/self/status").read_text()
    effective = next(line.split()[1] for line in status.splitlines() if line.startswith("CapEff:"))
    return bool(int(effective, 16) >> sys_resource & 1)


def become_init(base, source):
    """This process, the first of its namespace of processes, becomes the machine's systemd."""
    root = lay_out(base, source)
    os.chdir(root)
    subprocess.run(["pivot_root", ".", "mnt"], check=True)
    subprocess.run(["umount", "--lazy", "/mnt"], check=True)
    drop = ",".join(f"-{name}" for name in DROPPED)
    os.execvp("setpriv", ["setpriv", f"--bounding-set={drop}", "env", "-i", "container=test", "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
                          "/lib/systemd/systemd", "--system", "--unit=machine.target", "--log-target=journal", "--show-status=no"])


class BootedMachine:
    """Raises CannotBoot if the kernel or the user's rights do not allow it. `source`: a build, or a repository of packages."""

    def __init__(self, source):
        self.init = None
        self.base = None
        if os.geteuid() != 0:
            raise CannotBoot("only root may make namespaces")
        missing = [name for name in ("/lib/systemd/systemd", "/usr/bin/systemctl") if not pathlib.Path(name).exists()]
        if missing:
            raise CannotBoot(f"{missing[0]} is not installed")
        scratch = pathlib.Path.home() / ".cache" / "gantry-tests"
        scratch.mkdir(parents=True, exist_ok=True)
        self.base = pathlib.Path(tempfile.mkdtemp(dir=scratch))
        (self.base / "layers").mkdir()
        self.group = shared_hierarchy() / f"gantry-machine-{os.getpid()}"
        try:
            self.group.mkdir()
            self._boot(source)
        except BaseException:
            self.end()
            raise

    def _boot(self, source):
        words = self.base / "words"
        with open(words, "wb") as said:
            self.process = subprocess.Popen(
                ["unshare", "--mount", "--pid", "--fork", "--uts", "--ipc", "--cgroup", "--net", sys.executable, "-B", __file__,
                 str(self.base), str(source)], stdin=subprocess.DEVNULL, stdout=said, stderr=said,
                preexec_fn=lambda: (self.group / "cgroup.procs").write_text(str(os.getpid())))
        if not until(lambda: self._find_init() or self.process.poll() is not None, 30) or not self.init:
            raise CannotBoot("no namespaces, mounts or systemd in them: " + words.read_text().strip()[-400:])
        if not until(lambda: self.run("systemctl", "is-active", "machine.target").stdout.strip() == "active", 30):
            raise CannotBoot("systemd has not reached its target within 30 s: " +
                             self.run("systemctl", "list-jobs", "--no-pager").stdout[-400:])
        self.run("ip", "link", "set", "lo", "up")

    def _find_init(self):
        """systemd itself: before that the process is still another program, in the file system of before."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        try:
            found = [child for child in children.read_text().split()
                     if os.readlink(f"/proc/{child}/exe").endswith("/systemd")]
        except OSError:
            return False
        self.init = int(found[0]) if found else None
        return self.init is not None

    def run(self, *words, **more):
        """Runs words on the machine, as root."""
        return subprocess.run(["nsenter", "-t", str(self.init), "--mount", "--pid", "--uts", "--ipc", "--net", "--cgroup", "--root",
                               "--wd", "--", *map(str, words)], capture_output=True, text=True, check=False, **more)

    def path(self, name):
        """A file of the machine, for this side."""
        return pathlib.Path(f"/proc/{self.init}/root{name}")

    def shown(self, unit, *properties):
        """What systemctl show says of a unit."""
        found = self.run("systemctl", "show", unit, "--property=" + ",".join(properties)).stdout
        return dict(line.split("=", 1) for line in found.splitlines() if "=" in line)

    def journal(self, unit):
        return self.run("journalctl", "--no-pager", "-o", "cat", "-u", unit).stdout

    def end(self):
        if self.init:
            os.kill(self.init, signal.SIGKILL)  # and with it every process of its namespace
        if getattr(self, "process", None):
            self.process.wait(30)
        if self.base:
            until(lambda: not self._groups_left(), 10)
            shutil.rmtree(self.base, ignore_errors=True)

    def _groups_left(self):
        for directory in [*sorted(self.group.rglob("*"), reverse=True), self.group]:
            try:
                if directory.is_dir():
                    directory.rmdir()
            except OSError:
                pass
        return self.group.exists()


if __name__ == "__main__":
    become_init(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
