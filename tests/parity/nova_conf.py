#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads random nova.conf files with Nova's own oslo.config and with `gantry config import-nova`, and compares.

    nova_conf.py GANTRY [--cases 300] [--seed N]

Needs python3-nova (Zed). Each case is one to three files of the scheduler's options, with blanks, quotes, lists, lines
that go on, repeated keys and references. Where Nova refuses a value, or takes an empty number for none, Gantry has to
refuse the files; otherwise each option that they set has to have Nova's value. Exit status 1: a case differs; its files
are kept.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import nova.conf.compute
import nova.conf.scheduler
from oslo_config import cfg

# Options whose values Gantry translates or judges more strictly, and one that it has no use for.
LEFT_OUT = {"available_filters", "enabled_filters", "weight_classes", "weight_setting", "track_instance_changes"}
SPACES = ["", " ", "  ", "\t"]


def scheduler_options():
    listed = nova.conf.scheduler.list_opts()
    for group, options in listed.items():
        for option in options:
            name = str(group.name if hasattr(group, "name") else group)
            if option.name not in LEFT_OUT and (name != "scheduler" or option.name == "max_attempts"):
                yield name, option
    packing = "packing_host_numa_cells_allocation_strategy"
    yield "compute", next(o for o in nova.conf.compute.compute_group_opts if o.name == packing)


def configuration(files):
    conf = cfg.ConfigOpts()
    for group, option in scheduler_options():
        conf.register_opt(option, group=group)
    # What the random files refer to.
    conf.register_opts([cfg.StrOpt(name) for name in ("one", "two")])
    conf([], default_config_files=[str(f) for f in files], default_config_dirs=[])
    return conf


def random_value(rng, option):
    if rng.random() < 0.02:
        return rng.choice(["", "x", "1.5", "-1", "0", "yes", "nan", "a,b", "1 # one", "0x1", "None", "'", '"'])
    if rng.random() < 0.02:
        return rng.choice(["$one", "${one}", "$DEFAULT.one", "$one$two", "$$one", "\\$one", "$one.", "$ one", "$9"])
    if isinstance(option, cfg.BoolOpt):
        return rng.choice(["true", "False", "YES", "no", "1", "0", "on", "oFF"])
    if isinstance(option, cfg.IntOpt):
        return rng.choice(["1", "7", "+3", "1_000", "007", "50", "-0"])
    if isinstance(option, cfg.FloatOpt):
        return rng.choice(["1", "-2.5", "1e3", "+.5", "5.", "0", "1_0.5", "-0.0", "0.1"])
    if isinstance(option, cfg.ListOpt):
        return rng.choice(["a", "a,b", "a, b ,c", "a,b,", "[a,b]", "'a',\"b\"", "a,\n  b,\n\tc", " , a", "a;b", "\u00e4,b"])
    if option.name == "image_properties_default_architecture":
        return rng.choice(["x86_64", "aarch64", "s390x"])
    return rng.choice(["os", "a b", "a=b", "#x", ";", "a:b", "'quoted'", '"q"', "'half", "\u00e4\u00f6", "a\n  b # c"])


def random_file(rng, options):
    lines = ["[DEFAULT]", "one = " + rng.choice(["1", "2.5", "true", "az"]), "two=" + rng.choice(["3", "$one", "no"])]
    for _ in range(rng.randint(0, 12)):
        group, option = rng.choice(options)
        lines.append("[%s]" % rng.choice([group, group, group.upper(), group.title()]))
        for _ in range(rng.choice([1, 1, 1, 2])):
            lines.append(
                option.name + rng.choice(SPACES) + rng.choice("==:") + rng.choice(SPACES) + random_value(rng, option)
            )
        lines.append(rng.choice(["", "# comment", "; comment", "   ", "unknown = 1"]))
    return "\n".join(lines) + "\n"


def nova_reads(files, options):
    """Option -> value of those that a file sets; None: Nova refuses one, or has an empty number."""
    try:
        conf = configuration(files)
        values = {}
        for group, option in options:
            value = conf[group][option.name]
            location = conf.get_location(option.name, group)
            if location is None or location.location != cfg.Locations.user:
                continue
            if value is None or (isinstance(value, float) and value in (float("inf"), -float("inf"))) or value != value:
                return None
            values[(group, option.name)] = value
        return values
    except (cfg.Error, ValueError):
        return None


def gantry_reads(gantry, files):
    ran = subprocess.run([gantry, "config", "import-nova", "--compatibility", "zed", "-o", "json", *map(str, files)],
                         capture_output=True)
    if ran.returncode == 78:
        return None
    if ran.returncode != 0:
        raise SystemExit("exit status %d: %s" % (ran.returncode, ran.stderr.decode()))
    answer = json.loads(ran.stdout)
    return {(c["from"]["section"], c["from"]["option"]): c["value"] for c in answer["carried"] if c["from"]}


def difference(by_nova, by_gantry):
    if by_nova is None or by_gantry is None:
        return None if by_nova is by_gantry else "Nova: %s, Gantry: %s" % (by_nova, by_gantry)
    for name in sorted(by_nova.keys() | by_gantry.keys()):
        ours, theirs = by_gantry.get(name), by_nova.get(name)
        if ours != theirs or type(ours) is not type(theirs):
            return "[%s] %s: Nova %r, Gantry %r" % (*name, theirs, ours)
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gantry")
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    options = list(scheduler_options())
    refused = 0
    directory = pathlib.Path(tempfile.mkdtemp(prefix="gantry-nova-conf-"))
    for case in range(arguments.cases):
        files = [directory / ("%d.conf" % number) for number in range(rng.randint(1, 3))]
        for file in files:
            file.write_text(random_file(rng, options))
        by_nova = nova_reads(files, options)
        fault = difference(by_nova, gantry_reads(arguments.gantry, files))
        if fault:
            print("case %d of seed %d, files %s: %s" % (case, arguments.seed, " ".join(map(str, files)), fault))
            return 1
        refused += by_nova is None
    for file in directory.iterdir():
        file.unlink()
    directory.rmdir()
    print("%d cases agree, %d of them refused by both; seed %d" % (arguments.cases, refused, arguments.seed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
