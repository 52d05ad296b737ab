#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the functions by which witness.c tells each field that a host hands out.

    fields.py FROZEN > fields.h    FROZEN: the FIELD lines of a minor, sdk/abi/frozen/1_0.c

A function tells what a field says and leaves out what the ABI leaves open: addresses, sizes, reserved fields,
unnamed bits, the order of hints and extra specs, the number of columns, the minor of the host.
"""
import re
import sys

FIELD = re.compile(r"FIELD\((\w+), (\w+), \d+,\s*(.+?)\);", re.S)
# The structs that a host fills in, in an order in which each comes after those that it needs.
TOLD = ("aggregate", "view", "context", "group", "request", "method_call", "location", "host", "option")
# What differs between two hosts, or is told by hand.
LEFT_OUT = {("view", "generation"), ("view", "columns"), ("view", "column_count"), ("view", "column_stride"),
            ("view", "aggregate_stride"), ("request", "hint_stride"), ("request", "extra_specs"),
            ("request", "image_properties"), ("request", "hints"), ("request", "hint_count"),
            ("host", "abi_minor"), ("host", "version"),
            ("context", "json"), ("request", "original"), ("request", "spec"), ("request", "filter_properties"),
            ("host", "name"), ("location", "row"), ("context", "request_id")}
PLAIN = {"uint32_t": "say(driver, \"%s.{name} %lu\", at, (unsigned long)it->{name});",
         "int32_t": "say(driver, \"%s.{name} %ld\", at, (long)it->{name});",
         "double": "say(driver, \"%s.{name} %.17g\", at, it->{name});",
         "gantry_string": "say(driver, \"%s.{name} '%.*s'\", at, SHOWN(it->{name}));",
         "gantry_strings": "tell_strings(driver, at, \"{name}\", it->{name});",
         "gantry_pairs": "tell_pairs(driver, at, \"{name}\", it->{name});",
         "const uint64_t*": "tell_bitmap(driver, at, \"{name}\", it->{name}, rows);"}
PLAIN.update({kind: PLAIN["uint32_t"] for kind in ("uint16_t", "uint64_t")}, int64_t=PLAIN["int32_t"])
SPECIAL = {("request", "present"): "say(driver, \"%s.present %lu\", at, (unsigned long)(it->present & 63));",
           ("view", "aggregates"): "tell_aggregates(driver, it);",
           ("group", "member_rows"): "tell_rows(driver, at, \"member_rows\", it->member_rows, it->member_row_count);",
           ("request", "retry_hosts"): "tell_pairs(driver, at, \"retry_hosts\", "
                                       "(gantry_pairs){it->retry_hosts, it->retry_host_count});"}


def line(owner, name, kind):
    if name.startswith("reserved"):
        return None
    if name == "struct_size":
        return f'say(driver, "%s.struct_size %s", at, it->struct_size >= sizeof *it ? "holds all" : "too small");'
    if (owner, name) in LEFT_OUT:
        return None
    if (owner, name) in SPECIAL:
        return SPECIAL[owner, name]
    if kind in PLAIN:
        return PLAIN[kind].replace("{name}", name)
    if "(*)" in kind:
        return f'say(driver, "%s.{name} %s", at, it->{name} != NULL ? "is there" : "is missing");'
    pointed = re.fullmatch(r"const gantry_(\w+)\*", kind)
    if pointed is None:
        raise SystemExit(f"gantry_{owner}.{name}: expected a type that fields.py knows, found {kind}")
    return (f'if (it->{name} == NULL) say(driver, "%s.{name} none", at);\n'
            f'  else tell_{pointed[1]}(driver, "{name}", it->{name}, rows);')


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    with open(sys.argv[1], encoding="utf-8") as file:
        fields = FIELD.findall(file.read())
    print("/* SPDX-License-Identifier: Apache-2.0\n *\n * Tells each field of each struct that a host hands out."
          " Written by fields.py. */")
    for told in TOLD:
        print(f"\nUNUSED static void tell_{told}(const gantry_driver* driver, const char* at, const gantry_{told}* it, "
              "uint32_t rows) {\n  (void)rows;")
        for owner, name, kind in fields:
            written = line(told, name, " ".join(kind.split())) if owner == f"gantry_{told}" else None
            if written:
                print(f"  {written}")
        print("}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
