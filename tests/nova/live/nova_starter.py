# SPDX-License-Identifier: Apache-2.0
"""Starts Debian's nova-compute and nova-scheduler from a process that has loaded Nova's modules already.

A scenario needs three hosts and a scheduler that have just been started; loading Python's modules would take most of its
time. Argument: a named pipe. Each line that comes there is a start: {"program", "arguments", "environment", "log", "pid"}.
"""

import json
import os
import random
import signal
import sys
from pathlib import Path

from nova.cmd import compute, scheduler  # first, because these set up eventlet
from nova import virt
from nova.conf import CONF
from oslo_service import periodic_task

# Nova takes the interval as it loads the module, here before a host has its nova.conf, which says the same.
CONF.set_default("update_resources_interval", -1)

import nova.compute.manager  # noqa: E402
import nova.network.neutron  # noqa: E402, F401
import nova.scheduler.manager  # noqa: E402, F401
import nova.virt.fake  # noqa: E402, F401
import pymysql  # noqa: E402, F401

PROGRAMS = {"nova-compute": compute.main, "nova-scheduler": scheduler.main}


def begin_of(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]


def become(start: dict) -> None:
    """This process is the service from here on."""
    os.setsid()
    log = os.open(start["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    os.dup2(log, 1)
    os.dup2(log, 2)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    random.seed()
    for _, task in nova.compute.manager.ComputeManager._periodic_tasks:
        if task._periodic_last_run is not None:
            task._periodic_last_run = periodic_task.now()  # a first round is due so long after the loading of the modules
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
