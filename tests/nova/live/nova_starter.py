# SPDX-License-Identifier: Apache-2.0
"""Starts Debian's nova-compute and nova-scheduler from a process that has loaded Nova's modules already.

A scenario needs three hosts and a scheduler that have just been started; loading Python's modules would take most of its
time. Argument: a named pipe. Each line that comes there is a start: {"program", "arguments", "environment", "log", "pid"}.
"""

import configparser
import json
import os
import random
import signal
import sys
from pathlib import Path

from nova.cmd import compute, scheduler  # first, because these set up eventlet
from nova import virt
import nova.compute.manager
import nova.network.neutron  # noqa: F401
import nova.scheduler.manager  # noqa: F401
import nova.virt.fake  # noqa: F401
from oslo_service import periodic_task
import pymysql  # noqa: F401

PROGRAMS = {"nova-compute": compute.main, "nova-scheduler": scheduler.main}


def begin_of(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]


def set_rounds(arguments: list[str]) -> None:
    """Nova settles as it loads its module which tasks a nova-compute has, and when each is first due. This settles both again, for a
    service that begins now with these configuration files."""
    options = configparser.RawConfigParser(strict=False)
    options.read(word for word in arguments if word.endswith(".conf"))
    manager = nova.compute.manager.ComputeManager
    if options.getint("DEFAULT", "update_resources_interval", fallback=0) < 0:
        manager._periodic_tasks = [each for each in manager._periodic_tasks if each[0] != "update_available_resource"]
    for _, task in manager._periodic_tasks:
        if task._periodic_last_run is not None:
            task._periodic_last_run = periodic_task.now()


def become(start: dict) -> None:
    """This process is the service from here on."""
    os.setsid()
    log = os.open(start["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    os.dup2(log, 1)
    os.dup2(log, 2)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    random.seed()
    set_rounds(start["arguments"])
    os.environ.update(start["environment"])
    part = Path(start["pid"] + ".part")
    part.write_text(f"{os.getpid()} {begin_of(os.getpid())}")
    part.rename(start["pid"])
    sys.argv = [start["program"], *start["arguments"]]
    sys.exit(PROGRAMS[start["program"]]())


def main() -> None:
    # Nova looks for drivers of hypervisors below nova.virt alone.
    virt.__path__.append(str(Path(__file__).resolve().parent))
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    pipe = os.open(sys.argv[1], os.O_RDWR)
    rest = b""
    while True:
        *lines, rest = (rest + os.read(pipe, 65536)).split(b"\n")
        for line in lines:
            if os.fork() == 0:
                os.close(pipe)
                become(json.loads(line))


if __name__ == "__main__":
    main()
