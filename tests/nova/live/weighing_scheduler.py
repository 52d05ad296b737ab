# SPDX-License-Identifier: Apache-2.0
"""Debian's nova-scheduler, which writes the weights of each choice into the file that NOVA_LIVE_WEIGHTS names.

A line for each time that hosts are weighed: {"instance", "weights": [[host, weight], ...]}, the best first.
"""

import json
import os
import sys

from nova.cmd.scheduler import main
from nova.scheduler import host_manager

weigh = host_manager.HostManager.get_weighed_hosts
weights = open(os.environ["NOVA_LIVE_WEIGHTS"], "a", buffering=1)


def weigh_and_write(self, hosts, spec_obj):
    weighed = weigh(self, hosts, spec_obj)
    line = {"instance": spec_obj.instance_uuid, "weights": [[each.obj.host, each.weight] for each in weighed]}
    weights.write(json.dumps(line) + "\n")
    return weighed


host_manager.HostManager.get_weighed_hosts = weigh_and_write
sys.exit(main())
