# SPDX-License-Identifier: Apache-2.0
"""Debian's packages of the control plane."""

import subprocess

from processes import StartFailed, say

PACKAGES = (
    "nova-api nova-conductor nova-scheduler nova-compute nova-compute-ironic placement-api keystone glance-api "
    "rabbitmq-server mariadb-server uwsgi-core uwsgi-plugin-python3 python3-pymysql python3-amqp"
).split()


def install() -> None:
    """Debian's packages. They start nothing: policy-rc.d is asked where there is a systemd, and there is none in a container."""
    state = subprocess.run(
        ["dpkg-query", "--show", "--showformat", "${Package} ${db:Status-Status}\n", *PACKAGES], text=True, capture_output=True
    ).stdout
    missing = [name for name in PACKAGES if f"{name} installed" not in state.splitlines()]
    if not missing:
        return
    say(f"installs {' '.join(missing)}")
    for command in (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing]):
        done = subprocess.run(command, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive"},
                              text=True, capture_output=True)
        if done.returncode != 0:
            raise StartFailed(f"{' '.join(command[:2])} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
