# SPDX-License-Identifier: Apache-2.0
"""Plays scenarios with one scheduler after the other from the same dump, and compares what came of them."""

import json
import time
import traceback

import configuration
from observation import observe, summary
from processes import StartFailed, say
from results import compare, result_of
from scenario import Scenario
from schedulers import Scheduler
from stack import Stack
from tap import Tap
from world import World


def play(stack: Stack, scenario: Scenario, scheduler: Scheduler) -> dict:
    """What came of the scenario; {"failed": why} if it could not be played to its end."""
    began = time.monotonic()
    stack.use(scenario.dump)
    for host, shape in scenario.shapes.items():
        configuration.write_host(stack.home, host, shape)
    configuration.write_policies(stack.home, scenario.policies)
    scheduler.configure(scenario.options)
    notes: dict = {}
    try:
        scheduler.process.start()
        stack.start_hosts()
        scheduler.await_ready()
        with Tap(stack.broker) as tap:
            world = World(stack, scheduler)
            notes = world.notes
            scenario.play(world)
            time.sleep(0.3)  # the last answer may still be on its way to the tap
            observed = {**observe(stack.database, tap.calls(), notes), "remarks": world.remarks}
    except StartFailed as failure:
        observed = {"failed": str(failure)}
    except Exception as error:
        observed = {"failed": f"{type(error).__name__}: {error}", "where": traceback.format_exc(), "notes": notes}
    finally:
        scheduler.stop()
    observed["seconds"] = round(time.monotonic() - began, 1)
    # The files that this run has written are kept until the scenario is played with this scheduler again.
    folder = stack.home.file("results", scenario.name)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{scheduler.name}.json").write_text(json.dumps(observed, indent=1, sort_keys=True))
    for process in (scheduler.process, stack.conductor):
        if process.log.exists():
            (folder / f"{scheduler.name}.{process.log.name}").write_bytes(process.log.read_bytes()[-2_000_000:])
    scheduler.process.log.unlink(missing_ok=True)
    return observed


def run(stack: Stack, scenarios: list[Scenario], schedulers: list[Scheduler]) -> int:
    """Returns how many scenarios differed or could not be played."""
    bad = 0
    for number, scenario in enumerate(scenarios, 1):
        for scheduler in schedulers:
            observed = play(stack, scenario, scheduler)
            text = f"could not be played: {observed['failed']}" if "failed" in observed else summary(observed)
            say(f"{number}/{len(scenarios)} {scenario.name} with {scheduler.name}, {observed['seconds']:.0f} s: {text[:300]}")
            bad += "failed" in observed
        pair = [result_of(stack.home, scenario, scheduler.name) for scheduler in schedulers]
        if len(schedulers) == 2:
            lines = compare(scenario, *pair)
            bad += bool(lines) and not any("failed" in observed for observed in pair)
            if not lines:
                say(f"{number}/{len(scenarios)} {scenario.name}: the same")
            for line in lines[:20]:
                say(f"  DIFFERS {line[:600]}")
    if bad:
        say(f"{bad} went wrong; logs and results are in {stack.home.file('log')} and {stack.home.file('results')}")
    return bad
