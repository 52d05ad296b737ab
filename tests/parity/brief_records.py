#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Makes records short enough to keep: standard input to standard output, JSON lines.

    brief_records.py [LONGEST]

Leaves out what `replay` does not read, and then each line of more than LONGEST bytes (6000 unless given). Questions for
placement keep their RequestSpec in both forms.
"""

import json
import sys

UNREAD = ("id", "origin", "replay", "schema", "compute_node_wire")
IN_BOTH_FORMS = ("request_filter", "resource_request", "resources_from_request_spec")


def brief(value):
    if isinstance(value, dict):
        return {key: brief(item) for key, item in value.items() if key != "numa_topology_wire"}
    if isinstance(value, list):
        return [brief(item) for item in value]
    return value


def main():
    longest = int(sys.argv[1]) if len(sys.argv) > 1 else 6000
    for line in sys.stdin:
        record = json.loads(line)
        unread = UNREAD if record["kind"] in IN_BOTH_FORMS else UNREAD + ("spec_wire",)
        text = json.dumps({key: brief(item) for key, item in record.items() if key not in unread},
                          separators=(",", ":"))
        if len(text) <= longest:
            print(text)


if __name__ == "__main__":
    main()
