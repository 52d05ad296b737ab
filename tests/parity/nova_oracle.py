#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Random fleets and requests with what Nova decides about them, one JSON object a line.

    nova_oracle.py [--release NAME [--nova-source DIR]] [--seed S] [--cases N] [--kinds K,...] [--filters F,...] [--processes P]
    nova_oracle.py --recorded FILE [--each N]    judges recorded decisions of Zed anew; status 1: one differs
    nova_oracle.py --block SEED:NUMBER           one block again (with the same --kinds and --filters); the
                                                 "source" of a case is oracle:SEED:NUMBER:POSITION

The Nova is Debian's (python3-nova: 26.2.2, Zed, in Debian 12), or, with --nova-source, the release's own code from a git
checkout of openstack/nova with Debian 12's libraries. The lines have the form of recorded decisions. Equal options and seed give equal lines, whatever the number of
processes; the seed is written to standard error. --filters chooses the filters of filter, filter_pipeline, schedule.
Not generated, because Nova's own answer is no rule there: AggregateInstanceExtraSpecsFilter where the order of a set of
strings decides between passing and raising, several not-a-number weights, a host in several zones in whole schedules,
extra specs that compare the text of Nova's objects. Of releases after Zed: no request for a whole schedule names its
PCI providers.
"""

import argparse
import os
import pathlib
import secrets
import struct
import sys
import traceback

_LENGTH = struct.Struct("<QQ")


def fix_hash_order():
    """Starts this program again with a fixed order of sets of strings, unless the caller chose one."""
    if "PYTHONHASHSEED" not in os.environ:
        os.execve(sys.executable, [sys.executable] + sys.argv, os.environ | {"PYTHONHASHSEED": "0"})


def options():
    parser = argparse.ArgumentParser(description="Random decisions of Debian's Nova, as lines of JSON.")
    parser.add_argument("--release", default="zed", help="whose decisions (default zed)")
    parser.add_argument("--installed", action="store_true", help="prints which release is installed, and no more")
    parser.add_argument("--nova-source", help="a git checkout of openstack/nova, for a release that is not installed")
    parser.add_argument("--seed", type=int, help="which cases; random without it")
    parser.add_argument("--cases", type=int, default=1000, help="how many lines (default 1000)")
    parser.add_argument("--kinds", help="only these kinds, with commas between")
    parser.add_argument("--filters", help="only these filters, with commas between")
    parser.add_argument("--processes", type=int, default=2, help="how many processes make cases (default 2)")
    parser.add_argument("--block", help="SEED:NUMBER, one block of cases again")
    parser.add_argument("--recorded", help="a file of recorded decisions to judge anew")
    parser.add_argument("--each", type=int, default=1 << 60, help="with --recorded, at most so many of each sort")
    return parser.parse_args()


def chosen(text, known, what):
    names = sorted(known) if text is None else text.split(",")
    for name in names:
        if name not in known:
            sys.exit(f"nova_oracle: no {what} is called '{name}'; known: {', '.join(sorted(known))}")
    return names


def installed_release():
    """The release that is installed as a package."""
    from nova import version
    from oracle import releases
    return releases.of_major(version.version_string().split(".")[0])


def use_release(name, source):
    """Has the package nova be that release's, before anything imports it."""
    from oracle import releases
    if name not in releases.NAMES:
        sys.exit(f"nova_oracle: no release is called '{name}'; known: {', '.join(releases.NAMES)}")
    os.environ["NOVA_RELEASE"] = name
    if name == "zed":
        return
    if source is None:
        found = installed_release()
        if found != name:
            sys.exit(f"nova_oracle: --release {name} needs --nova-source, a git checkout of openstack/nova: {found} is installed")
        return
    from oracle import stand_ins
    below = pathlib.Path(__file__).parents[2] / "build" / "parity"
    try:
        sys.path.insert(0, str(releases.tree(source, name, below)))
    except ValueError as error:
        sys.exit(f"nova_oracle: {error}")
    stand_ins.import_before_nova(releases.at_least(name, "epoxy"), releases.later_traits(name))


def work(sink, seed, first, step, share, names):
    """Writes blocks first, first + step, ... to the pipe, each with its length and number of lines."""
    from oracle import blocks
    try:
        number = first
        while True:
            text, count = blocks.make_block(seed, number, share, names)
            sink.write(_LENGTH.pack(len(text), count))
            sink.write(text)
            sink.flush()
            number += step
    except BrokenPipeError:
        os._exit(0)
    except BaseException:
        print(f"nova_oracle: block {seed}:{number} failed", file=sys.stderr)
        traceback.print_exc()
        os._exit(1)


def start_workers(count, seed, share, names):
    sources = []
    for first in range(count):
        reading, writing = os.pipe()
        if os.fork() == 0:
            os.close(reading)
            for source in sources:
                source.close()
            work(os.fdopen(writing, "wb"), seed, first, count, share, names)
        os.close(writing)
        sources.append(os.fdopen(reading, "rb"))
    return sources


def write_cases(sources, wanted):
    """Copies the blocks in the order of their numbers until `wanted` lines are out; False if a worker failed."""
    number = 0
    while wanted > 0:
        source = sources[number % len(sources)]
        head = source.read(_LENGTH.size)
        if len(head) < _LENGTH.size:
            return False
        length, count = _LENGTH.unpack(head)
        text = source.read(length)
        if count > wanted:
            text = b"".join(line + b"\n" for line in text.split(b"\n")[:wanted])
        sys.stdout.buffer.write(text)
        wanted -= count
        number += 1
    sys.stdout.buffer.flush()
    return True


def main():
    fix_hash_order()
    given = options()
    if given.installed:
        print(installed_release())
        return
    use_release(given.release, given.nova_source)
    try:
        from oracle import blocks, cases, filter_scenes, recorded
    except ModuleNotFoundError as error:
        sys.exit(f"nova_oracle: {error}; Debian's python3-nova is needed: packaging/install-packages --parity")
    if given.recorded:
        sys.exit(0 if recorded.check(given.recorded, given.each, 3) else 1)
    share = blocks.share_of_kinds(chosen(given.kinds, cases.KINDS, "kind"))
    names = chosen(given.filters, filter_scenes.SCENES, "filter")
    if given.block:
        seed, number = map(int, given.block.split(":"))
        sys.stdout.buffer.write(blocks.make_block(seed, number, share, names)[0])
        return
    seed = secrets.randbelow(1 << 32) if given.seed is None else given.seed
    print(f"nova_oracle: seed {seed}", file=sys.stderr)
    try:
        done = write_cases(start_workers(max(1, given.processes), seed, share, names), given.cases)
    except BrokenPipeError:
        done = False
    sys.stderr.flush()
    os._exit(0 if done else 1)


if __name__ == "__main__":
    main()
