# SPDX-License-Identifier: Apache-2.0
"""Random queries of JsonFilter: nested, with variables that exist or not, of like and unlike types, or no query."""

import json

_VARIABLES = ["$free_ram_mb", "$vcpus_total", "$num_instances", "$host", "$nodename", "$host_ip", "$hypervisor_version",
              "$cpu_info", "$cpu_allocation_ratio", "$stats.gpus", "$stats.nested.a", "$stats.nested.a.b",
              "$stats.level",
              "$stats.missing", "$limits.vcpu", "$service.disabled", "$service.host", "$missing", "$missing.x",
              "$supported_instances", "$stats.tags", "$", "$free_disk_mb", "$stats.fast", "$stats", "$updated"]
_FAILING = ["$host.x", "$free_ram_mb.x", "$supported_instances.x", "$cpu_info.arch", "$.x"]
_VALUES = [0, 1, 4, 8, 512, 65536, -1, 2.0, 4.0, 0.5, "host1", "Host1", "2", "True", "", True, False, None, "yes",
           "ssd",
           ["="], {"a": 1}, {}, [], 1e3, 12345678901234567890]
_COMPARE = ["=", "<", ">", "<=", ">=", "in"]
_NUMERIC = ["$free_ram_mb", "$vcpus_total", "$vcpus_used", "$num_instances", "$num_io_ops", "$free_disk_mb",
            "$cpu_allocation_ratio", "$total_usable_ram_mb", "$failed_builds", 0, 1, 4, 8, 512, 65536, 0.5, 16, -1,
            True]


def query(dice):
    """The values of the hint `query`, mostly one text."""
    kind = dice.random()
    if kind < 0.03:
        return [dice.one(["", "[]", "{}", "null", "0", "5", '"x"', "not json", "[", "true", '{"=": 1}', "[[]]", "[5]",
                          '["x", 1]',
                          "[null]", '["$host"]', '[["="], 1]', '["not"]', '["and"]', '["or"]', '["="]', '["in", 1]',
                          "NaN"])]
    if kind < 0.035:
        return ["[]", "[]"]
    return [json.dumps(_tree(dice, dice.one([0, 1, 1, 2, 2, 3])), ensure_ascii=dice.chance(0.5))]


def _tree(dice, depth):
    if depth > 0 and dice.chance(0.8):
        count = dice.one([0, 1, 2, 2, 2, 3]) if dice.chance(0.3) else 2
        children = [_tree(dice, depth - 1) if dice.chance(0.9) else _argument(dice, False) for _ in range(count)]
        return [dice.one(["and", "or", "not", "and", "or"])] + children
    if dice.chance(0.55):
        count = 2 if dice.chance(0.8) else dice.randint(0, 4)
        return [dice.one(_COMPARE)] + [dice.one(_NUMERIC) for _ in range(count)]
    if dice.chance(0.01):
        return [dice.one(["==", "xor", "NOT", "!=", ""])] + [1, 2]
    mixed = dice.chance(0.15)
    operator = dice.one(_COMPARE if mixed else ["=", "in", "=", "in", "not"])
    return [operator] + [_argument(dice, mixed) for _ in range(dice.one([1, 2, 2, 2, 3]))]


def _argument(dice, mixed):
    if mixed and dice.chance(0.05):
        return dice.one(_FAILING)
    return dice.one(_VARIABLES) if dice.chance(0.5) else dice.one(_VALUES)
