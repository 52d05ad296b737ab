# SPDX-License-Identifier: Apache-2.0
"""The commands of packaging/nova-live."""

import argparse
import fcntl
import os
import signal
import sys
from pathlib import Path

import packages
import release
import scenario
import suite
from home import Home
from processes import StartFailed


BENCH_HOSTS = (100, 1000, 10000)
BENCH_ROWS = ("requests", "direct", "ten", "asking", "clients", "several", "memory", "ready")
CHOICES = {"nova": ("nova",), "gantry": ("gantry",), "both": ("nova", "gantry"), "self": ("nova", "nova-again")}


def kinds(text: str) -> list[str]:
    """Schedulers to run at once."""
    names = text.split(",")
    if unknown := [name for name in names if name not in ("nova", "gantry")]:
        raise argparse.ArgumentTypeError(f"expected gantry or nova, found '{unknown[0]}'")
    return names


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="nova-live",
        description="Brings up a whole OpenStack control plane (Debian 12, root, loopback, fixed ports) with three fake hosts "
        "and does the same with nova-scheduler and with Gantry.",
    )
    top.add_argument("--directory", help="where everything lives (default: GANTRY_NOVA_LIVE, or gantry-nova-live in the temporary folder)")
    top.add_argument("--programs", help="the directory of gantryd (default: build/release/bin)")
    top.add_argument("--suite", help="another Debian release, such as trixie: its OpenStack in a chroot, by default root in the directory")
    top.add_argument("--root", help="with --suite: the chroot")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, text: str, schedulers: bool = True) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=text, description=text)
        if schedulers:
            added.add_argument("--scheduler", choices=CHOICES, default="both",
                               help="self: nova-scheduler twice, which shows what the scenarios themselves are worth")
            mirrored(added)
        return added

    def mirrored(added: argparse.ArgumentParser) -> None:
        added.add_argument("--mirror", action="store_true",
                           help="Gantry computes the candidates from placement's database instead of asking placement")

    command("up", "installs the packages and starts everything; with --scheduler nova or gantry also hosts and that scheduler").set_defaults(
        scheduler=None)
    command("down", "stops everything", schedulers=False)
    command("list", "names the scenarios", schedulers=False)
    run = command("run", "plays scenarios, all unless some are named, with each scheduler from the same dump, and compares")
    run.add_argument("scenarios", nargs="*", metavar="SCENARIO", help="a name, or a part of names")
    specs = command("specs", "random requests on unlike hosts: the same host, or one of equal weight?")
    specs.add_argument("--count", type=int, default=1000)
    specs.add_argument("--hosts", type=int, default=1000)
    specs.add_argument("--seed", type=int, default=1)
    chaos = command("chaos", "a loop of boots while schedulers are killed, restarted and held up, and the broker, the database and placement restart",
                    schedulers=False)
    chaos.add_argument("--schedulers", type=kinds, default="gantry", metavar="KIND,...",
                       help="gantry or nova, several at once by commas, such as gantry,gantry; with gantry,nova the work is also handed over "
                       "with `gantry nova pause` and taken back")
    number = chaos.add_mutually_exclusive_group()
    number.add_argument("--actions", type=int, default=20, metavar="N", help="kills, orderly restarts and pauses of a process, at random")
    number.add_argument("--kills", type=int, metavar="N", help="kills alone")
    chaos.add_argument("--delay", type=int, default=0, metavar="MS",
                       help="milliseconds that the network between schedulers and broker, database and placement takes in each direction")
    chaos.add_argument("--seed", type=int, default=1)
    mirrored(chaos)
    outages = command("outages", "boots while the broker is away for some seconds, with each scheduler: does Gantry lose more of them?")
    outages.add_argument("--seconds", type=int, nargs="+", metavar="N", help="how long the broker is away, one time each (default: 1 2 4 8 15 30)")
    shadow = command("shadow", "a loop of boots that nova-scheduler serves, with Gantry in its shadow: do they agree?", schedulers=False)
    shadow.add_argument("--count", type=int, default=1000)
    shadow.add_argument("--users", type=int, default=6, help="how many boot at one time")
    shadow.add_argument("--seed", type=int, default=1)
    mirrored(shadow)
    bench = command("bench", "times and memory of both schedulers on the same databases, in turns; packaging/bench --nova", schedulers=False)
    bench.add_argument("--directory", default=argparse.SUPPRESS, help="as before the command")
    bench.add_argument("--programs", default=argparse.SUPPRESS, help="as before the command")
    bench.add_argument("--hosts", type=int, nargs="+", default=BENCH_HOSTS, choices=BENCH_HOSTS, help="the sizes of the fleets")
    bench.add_argument("--rows", nargs="+", default=BENCH_ROWS, choices=BENCH_ROWS, help="what is measured")
    command("table", "prints the table of the scenarios that have been played", schedulers=False)
    return top


def chosen(everything: dict[str, scenario.Scenario], names: list[str]) -> list[scenario.Scenario]:
    """Those with the names, or else with a name that has one of them in it."""
    found: dict[str, scenario.Scenario] = {}
    for name in names:
        matching = [name] if name in everything else [full for full in everything if name in full]
        if not matching:
            raise SystemExit(f"nova-live: no scenario has '{name}' in its name; nova-live list names them")
        found.update((full, everything[full]) for full in matching)
    return list(found.values()) if names else list(everything.values())


def without_options(arguments: list[str], names: tuple[str, ...]) -> list[str]:
    """The arguments without those options and their values."""
    kept: list[str] = []
    skips = False
    for argument in arguments:
        is_named = argument in names
        if not (skips or is_named or argument.startswith(tuple(f"{name}=" for name in names))):
            kept.append(argument)
        skips = is_named
    return kept


def main(arguments: list[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    if options.suite:
        inner = without_options(sys.argv[1:] if arguments is None else arguments, ("--suite", "--root", "--directory", "--programs"))
        try:
            return suite.run(options.suite, options.directory, options.root, programs_of(options), inner)
        except StartFailed as failure:
            print(f"nova-live: {failure}", file=sys.stderr)
            return 1
    home = Home(options.directory)
    if options.command == "list":
        for each in scenario.load().values():
            print(f"{each.name:34} {each.what}")
        return 0
    if options.command == "table":
        import table

        print("\n".join(table.lines(home, list(scenario.load().values()))))
        return 0
    if os.geteuid() != 0:
        raise SystemExit("nova-live: needs root: it installs packages and starts servers")
    home.make()
    # Somebody may have started it in the background, where a shell has SIGINT ignored.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    try:
        with home.file("lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise SystemExit(f"nova-live: another one is at work in {home.path}") from None
            return _with_stack(home, options)
    except StartFailed as failure:
        print(f"nova-live: {failure}\nnova-live: logs are in {home.file('log')}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("nova-live: stopped; `nova-live down` ends the services", file=sys.stderr)
        return 130


def programs_of(options: argparse.Namespace) -> Path:
    return Path(options.programs or Path(__file__).resolve().parents[3] / "build" / "release" / "bin").absolute()


def _with_stack(home: Home, options: argparse.Namespace) -> int:
    if options.command != "down":
        packages.install()
    # These need what has been installed.
    from schedulers import KINDS, GantryScheduler, left_running
    from stack import Stack

    GantryScheduler.programs = programs_of(options)
    GantryScheduler.mirrors = getattr(options, "mirror", False)

    stack = Stack(home)
    schedulers = {name: kind(home, stack.broker) for name, kind in KINDS.items()}
    if options.command == "down":
        for each in left_running(home, stack.broker):
            each.stop()
        stack.down()
        return 0
    if options.command == "bench":
        import bench

        return bench.run(stack, options.hosts, options.rows)
    stack.up()
    for each in left_running(home, stack.broker):
        each.stop()
    if options.command == "shadow":
        import shadow

        return shadow.run(stack, schedulers["nova"], options.count, options.users, options.seed)
    if options.command == "chaos":
        import actions
        import chaos

        kills = options.kills is not None
        return chaos.run(stack, chaos.Plan(options.schedulers, options.kills if kills else options.actions,
                                           (actions.KILL,) if kills else actions.TO_ANY, options.seed, options.delay))
    wanted = [schedulers[name] for name in CHOICES.get(options.scheduler, ())]
    if options.command == "up":
        for each in wanted[:1]:
            stack.let_hosts_have_rounds()
            stack.start_hosts()
            each.configure({})
            each.start()
        return 0
    if options.command == "outages":
        import outages

        return outages.run(stack, wanted, tuple(options.seconds or outages.LENGTHS))
    if options.command == "run":
        import runner
        import table

        scenarios = chosen(scenario.load(), options.scenarios)
        bad = runner.run(stack, [each for each in scenarios if each.is_of(release.major())], wanted)
        print("\n".join(table.lines(home, scenarios, "nova-again" if options.scheduler == "self" else "gantry")))
        return 1 if bad else 0
    if options.command == "specs":
        import specs

        return specs.run(stack, wanted, options.count, options.hosts, options.seed)
    return 0
