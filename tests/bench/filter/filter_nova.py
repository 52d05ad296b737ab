#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What Nova's own filters and weighers take to order hosts, in process, no database: beside bench_filter.

    filter_nova.py INPUT OUTPUT

The first line of INPUT is a JSON object: filters, weighers, times, spec (a RequestSpec as it travels); each further line
a host. To OUTPUT goes one: seconds (of processor time, the least of `times` runs) and order (the hosts' line numbers, best first).
"""

import json
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "parity"))

from nova import objects  # noqa: E402
from oracle import nova_objects, nova_runtime  # noqa: E402


def read_hosts(lines):
    states, down = [], set()
    for line in lines:
        description = json.loads(line)
        up = description.pop("up")
        states.append(nova_objects.host_state(description))
        if not up:
            down.add(description["host"])
    return states, down


class ServiceGroup:
    """Who is up, at the price of one look."""

    def __init__(self, down):
        self.down = down

    def service_is_up(self, service):
        return service["host"] not in self.down


def main():
    with open(sys.argv[1], encoding="utf-8") as lines:
        asked = json.loads(lines.readline())
        states, down = read_hosts(lines)
    nova_runtime.configure({})
    nova_runtime.SERVICE_GROUP = ServiceGroup(down)
    manager = nova_runtime.make_host_manager(asked["filters"], asked["weighers"])
    spec = objects.RequestSpec.obj_from_primitive(asked["spec"])
    least = None
    for _ in range(asked["times"]):
        begin = time.process_time()
        passed = list(manager.get_filtered_hosts(list(states), spec, 0))
        weighed = manager.get_weighed_hosts(passed, spec)
        taken = time.process_time() - begin
        least = taken if least is None else min(least, taken)
    numbers = {id(state): number for number, state in enumerate(states)}
    with open(sys.argv[2], "w", encoding="utf-8") as answer:
        json.dump({"seconds": least, "order": [numbers[id(host.obj)] for host in weighed]}, answer)


main()
