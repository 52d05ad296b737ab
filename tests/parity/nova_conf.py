#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads random nova.conf files with Nova's own oslo.config and with `gantry config import-nova`, and compares.

    nova_conf.py GANTRY [--cases 300] [--seed N] [--release zed]

Needs python3-nova, of the release that is named. Each case is one to three files of the scheduler's options, in half of
the cases as a directory, with blanks of ASCII and Unicode, quotes, lists, lines that go on, repeated keys, references,
byte order marks, other line ends and other encodings, misspelt sections and keys, and the names that Pike dropped.
Where Nova refuses the files, Gantry has to; otherwise each option that they set has to have Nova's value, and an option
that Nova reads as none, or does not read, must not be carried over. Exit status 1: a case differs; its files are kept. 77: there is no Nova of that release.

Known to differ, and left out or taken into account: numbers beyond 64 bits and infinite ones, which Gantry refuses;
max_attempts beyond 101, which Gantry takes as 101; digits
of other scripts than Latin, which Gantry refuses; a reference to a number or a truth within a text, where Nova has the
value as Python writes it ("7" for 007), and Gantry the text of the file; a NUL; $state_path, which has the value of the distributions' packages.
"""

import argparse
import json
import logging
import pathlib
import random
import subprocess
import sys
import tempfile

try:
    import nova.conf.compute
    import nova.conf.netconf
    import nova.conf.paths
    import nova.conf.scheduler
    from nova.version import version_string
    from oslo_config import cfg
except ImportError as problem:
    print("expected python3-nova: %s" % problem, file=sys.stderr)
    sys.exit(77)

# Options whose values Gantry translates or judges more strictly, and one that it has no use for.
LEFT_OUT = {"available_filters", "enabled_filters", "weight_classes", "weight_setting", "track_instance_changes"}
SPACES = ["", "", " ", "  ", "\t", "\u00a0", "\u3000", "\x0b", " \u2003"]
# Alternates of a request in Gantry are at most a hundred.
MOST_ATTEMPTS = 101
OLDER = ["scheduler_max_attempts", "scheduler_host_subset_size", "ram_weight_multiplier", "max_io_ops_per_host",
         "isolated_hosts", "scheduler_default_filters", "io_ops_weight_multiplier", "max_instances_per_host"]
ODD_SECTIONS = ["default", " {0} ", "{0}s", "{0}-", "[{0}]", "{0}.x", "scheduler_filter", "filter-scheduler", "\u00a0{0}"]


def scheduler_options():
    listed = nova.conf.scheduler.list_opts()
    for group, options in listed.items():
        for option in options:
            name = str(group.name if hasattr(group, "name") else group)
            if option.name not in LEFT_OUT and (name != "scheduler" or option.name == "max_attempts"):
                yield name, option
    packing = "packing_host_numa_cells_allocation_strategy"
    yield "compute", next(o for o in nova.conf.compute.compute_group_opts if o.name == packing)


def configuration(files, directory):
    conf = cfg.ConfigOpts()
    for group, option in scheduler_options():
        conf.register_opt(option, group=group)
    # What the random files refer to.
    conf.register_opts([cfg.StrOpt(name) for name in ("one", "two")])
    conf.register_opts(nova.conf.paths.ALL_OPTS)
    conf.register_opts(nova.conf.netconf.netconf_opts)
    arguments = ["--config-dir", str(directory)] if directory else []
    conf(arguments, default_config_files=[] if directory else [str(f) for f in files], default_config_dirs=[])
    return conf


def random_value(rng, option):
    if rng.random() < 0.015:
        return rng.choice(["", "", "x", "1.5", "-1", "0", "yes", "nan", "a,b", "1 # one", "0x1", "None", "'", '"', '" "',
                           "1000", "1e-400", "1__0", "_1", "+-1", "--1", "1 2", "1\n", "''", "' 1 '", "1;", "e1"])
    if rng.random() < 0.02:
        return rng.choice(["$one", "${one}", "$DEFAULT.one", "$one$two", "$$one", "\\$one", "$one.", "$ one", "$9", "${one",
                           "$my_ip", "$host", "${pybasedir}x", "$my_block_storage_ip", "$nothing", "$\\$one", "\\\\$one",
                           "$ONE", "$one-$two"])
    if isinstance(option, (cfg.IntOpt, cfg.FloatOpt)) and rng.random() < 0.02:
        return rng.choice(["${filter_scheduler.host_subset_size}", "${scheduler.max_attempts}", "$max_attempts"])
    if isinstance(option, cfg.BoolOpt):
        return rng.choice(["true", "False", "YES", "no", "1", "0", "on", "oFF", "'true'", "TRUE"])
    if isinstance(option, cfg.IntOpt):
        return rng.choice(["1", "7", "+3", "1_000", "007", "50", "-0", "'9'", '"5"', "101", "102"])
    if isinstance(option, cfg.FloatOpt):
        return rng.choice(["1", "-2.5", "1e3", "+.5", "5.", "0", "1_0.5", "-0.0", "0.1", "1E2", "'1.5'", "1e+2", "00.5"])
    if isinstance(option, cfg.ListOpt):
        return rng.choice(["a", "a,b", "a, b ,c", "a,b,", "[a,b]", "'a',\"b\"", "a,\n  b,\n\tc", " , a", "a;b", "\u00e4,b",
                           "a,\u00a0b", "'a,b'", ",", ",,a,,", "a , ,", "a\n  # b", "a=1,b=2", "a,\n\u00a0b=1"])
    if option.name == "image_properties_default_architecture":
        return rng.choice(["x86_64", "aarch64", "s390x"])
    return rng.choice(["os", "a b", "a=b", "#x", ";", "a:b", "'quoted'", '"q"', "'half", "\u00e4\u00f6", "a\n  b # c",
                       "\u00a0os\u00a0", "a\tb", "'a' 'b'", "\"'", "a\\b", "%(one)s", "{one}", "\ufeff"])


def random_section(rng, group):
    if rng.random() < 0.06:
        return rng.choice(ODD_SECTIONS).format(group)
    return rng.choice([group, group, group, group.upper(), group.title()])


def random_file(rng, options):
    lines = ["[DEFAULT]", "one = " + rng.choice(["1", "2.5", "true", "az"]), "two=" + rng.choice(["3", "$one", "no"])]
    for _ in range(rng.randint(0, 12)):
        group, option = rng.choice(options)
        lines.append("[%s]" % random_section(rng, group))
        for _ in range(rng.choice([1, 1, 1, 2])):
            name = option.name
            if rng.random() < 0.03:
                name = rng.choice([name.upper(), name.replace("_", "-"), name + "s", name[1:], name.replace("_", " ")])
            lines.append(name + rng.choice(SPACES) + rng.choice("==:") + rng.choice(SPACES) + random_value(rng, option)
                         + rng.choice(SPACES))
        lines.append(rng.choice(["", "# comment", "; comment", "   ", "unknown = 1", "\u00a0", "#", "\t"]))
        if rng.random() < 0.08:
            lines += ["[DEFAULT]", rng.choice(OLDER) + " = " + rng.choice(["1,5", "", "9", "$nothing", "a"])]
        if rng.random() < 0.01:
            lines.append(rng.choice(["[", "[]", "]", "= 1", ": 1", "word", "  indented", "[x", "[x] # y", "[a]b]", "\ufeff"]))
    text = "\n".join(lines) + rng.choice(["\n", "", "\n\n"])
    if rng.random() < 0.1:
        text = text.replace("\n", rng.choice(["\r\n", "\r"]))
    if rng.random() < 0.01:
        text = "\ufeff" + text
    return text.encode(rng.choice(["latin-1", "utf-16"]), "replace") if rng.random() < 0.01 else text.encode()


def nova_reads(files, directory, options):
    """Option -> value of those that a file sets and that are not none; None: Nova refuses the files."""
    try:
        conf = configuration(files, directory)
        values = {}
        for group, option in options:
            value = conf[group][option.name]
            location = conf.get_location(option.name, group)
            if location is None or location.location != cfg.Locations.user or value is None:
                continue
            if isinstance(value, float) and value in (float("inf"), -float("inf")) or value != value:
                return None
            values[(group, option.name)] = min(value, MOST_ATTEMPTS) if option.name == "max_attempts" else value
        return values
    except (cfg.Error, ValueError, RecursionError):
        return None


def gantry_reads(gantry, release, named):
    ran = subprocess.run([gantry, "config", "import-nova", "--compatibility", release, "-o", "json", *map(str, named)],
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
    parser.add_argument("--release", default="zed")
    arguments = parser.parse_args()
    if arguments.release == "zed" and not version_string().startswith("26."):
        print("expected Nova 26, found %s" % version_string(), file=sys.stderr)
        return 77
    logging.disable()  # of names that are deprecated
    rng = random.Random(arguments.seed)
    options = list(scheduler_options())
    refused = 0
    directory = pathlib.Path(tempfile.mkdtemp(prefix="gantry-nova-conf-"))
    for case in range(arguments.cases):
        for file in directory.iterdir():
            file.unlink()
        files = [directory / ("%d.conf" % number) for number in range(rng.randint(1, 3))]
        for file in files:
            file.write_bytes(random_file(rng, options))
        is_directory = rng.random() < 0.5
        by_nova = nova_reads(files, directory if is_directory else None, options)
        named = [directory] if is_directory else files
        fault = difference(by_nova, gantry_reads(arguments.gantry, arguments.release, named))
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
