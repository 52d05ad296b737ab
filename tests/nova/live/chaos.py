# SPDX-License-Identifier: Apache-2.0
"""A loop of boots while schedulers are killed, restarted and held up, and broker, database and placement restart."""

import socket
import time
from dataclasses import dataclass, field
from pathlib import Path

import actions
from actions import Action
from boots import PATIENCE, Client
from counting import BY_ABSENCE, BY_BROKER, BY_KILLS, BY_NOVA, BY_NOVA_SCHEDULER, COUNTED, Counting, count
from handover import Handover
from home import DELAYED, PORTS
from processes import Process, StartFailed, await_condition, say
from schedulers import Scheduler, of_hosts
from stack import Stack
from tap import Tap

CLIENTS = 3
# After a restart of the broker, hosts are silent for up to a minute, as they wait for answers that were lost.
OPTIONS = {"DEFAULT": {"service_down_time": 600}}
# The cell as a template: a scheduler finds the cell's database where its own configuration has the deployment's.
CELL_TEMPLATE = "{scheme}://{username}:{password}@{hostname}:{port}/%s?{query}"


@dataclass
class Plan:
    schedulers: list[str]  # kinds: gantry, nova
    actions: int
    kinds: tuple[str, ...] = actions.TO_ANY
    seed: int = 1
    delay: int = 0  # milliseconds between the schedulers and broker, database and placement, in each direction


@dataclass
class Chaos:
    """One run."""

    stack: Stack
    schedulers: list[Scheduler]
    tap: Tap
    absences: list[tuple[float, float]] = field(default_factory=list)  # of the broker
    kills: dict[str, list[float]] = field(default_factory=dict)  # when, of each scheduler
    changes: dict[str, list[float]] = field(default_factory=dict)  # "nova pause" and "nova resume": seconds
    troubles: list[str] = field(default_factory=list)

    def do(self, action: Action) -> None:
        scheduler = self.schedulers[action.scheduler]
        if action.what == actions.KILL:
            self.kills.setdefault(scheduler.host, []).append(time.time())
            scheduler.kill()
            scheduler.await_end()
            scheduler.start()
        elif action.what == actions.RESTART:
            scheduler.stop()
            scheduler.await_end()
            scheduler.start()
        elif action.what == actions.HOLD_UP:
            scheduler.hold_up(action.lasting)
        else:
            self._change_hands(scheduler, action.what)
        if action.part:
            self._restart(action.part)

    def _change_hands(self, gantry: Scheduler, what: str) -> None:
        nova = next(each for each in self.schedulers if each is not gantry)
        before, name = (gantry, "nova pause") if what == actions.HAND_OVER else (nova, "nova resume")
        with Handover(self.stack.broker, self.tap, before.host) as handover:
            self._command(gantry, name)
        if handover.unheard or handover.seconds is None:
            self.troubles.append(f"{name}: {handover.unheard} pings unheard, " + (
                f"the last one taken by {before.host}" if handover.seconds is None else "the rest as it should be"))
        if handover.seconds is not None:
            self.changes.setdefault(name, []).append(handover.seconds)
            say(f"{name}: {before.host} got its last request {handover.seconds:.2f} s after the command")

    def _command(self, gantry: Scheduler, name: str) -> None:
        done = gantry.command(*name.split()[1:])
        if done.returncode != 0:
            self.troubles.append(f"gantry {name} ended with {done.returncode}: {done.stderr}")

    def _restart(self, part: str) -> None:
        say(f"restarts the {part}")
        if part == "broker":
            began = time.time()
            self.stack.broker.process.stop()
            self.stack.broker.start()
            self.absences.append((began, time.time()))
            for scheduler in self.schedulers:
                scheduler.await_ready()
        elif part == "database":
            self.stack.database.process.stop()
            self.stack.database.start()
        else:
            self.stack.placement.stop()
            self.stack.placement.start()


def run(stack: Stack, plan: Plan) -> int:
    """Returns 0 if nothing was lost, doubled, orphaned or over capacity, and nothing in ERROR without cause."""
    stack.use("one")
    proxy = _proxy(stack, plan.delay)
    schedulers = of_hosts(stack.home, stack.broker, plan.schedulers)
    names = ",".join(each.host for each in schedulers)
    for scheduler in schedulers:
        scheduler.configure(OPTIONS, {**PORTS, **DELAYED} if plan.delay else PORTS)
        scheduler.process.start()
    stack.let_hosts_have_rounds()
    stack.start_hosts()
    for scheduler in schedulers:
        scheduler.await_ready()
    image = next(each["id"] for each in stack.cloud.glance("GET", "/v2/images")["images"] if each["name"] == "plain")
    clients = [Client(stack, number, plan.seed, image) for number in range(CLIENTS)]
    todo = actions.plan(plan.seed, plan.actions, plan.schedulers, plan.kinds)
    began = time.monotonic()
    with Tap(stack.broker) as tap:
        chaos = Chaos(stack, schedulers, tap)
        done = _loop(chaos, clients, todo)
    for scheduler in schedulers:
        scheduler.stop()
    proxy.stop()
    states = {server: state for client in clients for server, state in client.states.items()}
    counting = tap.read(lambda wire: Counting(stack, wire, chaos.absences, chaos.kills))
    count(counting, states, PATIENCE)
    print(f"{names}, seed {plan.seed}" + (f", delay {plan.delay} ms" if plan.delay else "") + f": {actions.in_words(todo[:done])}; "
          f"{len(states)} boots in {(time.monotonic() - began) / 60:.0f} minutes, "
          f"{sum(each.refused for each in clients)} more that the API refused while something else was away")
    return _report(stack, chaos, counting)


def _loop(chaos: Chaos, clients: list[Client], todo: list[Action]) -> int:
    """Returns how many of the actions were done. A stop by hand ends the run and keeps what it has seen."""
    done = 0
    for client in clients:
        client.start()
    try:
        for action in todo:
            time.sleep(action.wait)
            chaos.do(action)
            done += 1
            boots = sum(len(each.states) for each in clients)
            say(f"{done} of {len(todo)}: {action.what} of {chaos.schedulers[action.scheduler].host}; {boots} boots so far")
        time.sleep(10)
    except KeyboardInterrupt:
        say("stopped; counts what has happened so far")
        for scheduler in chaos.schedulers:
            scheduler.process.start()  # the stop may have come between its end and its start
    except StartFailed as failure:
        chaos.troubles.append(str(failure))
    finally:
        for client in clients:
            client.ended.set()
        for client in clients:
            client.join(2 * PATIENCE)
        time.sleep(5)  # what was deleted last gives back what it held
    return done


def _report(stack: Stack, chaos: Chaos, counting: Counting) -> int:
    of_schedulers = {"gantry": BY_KILLS, "nova": BY_NOVA_SCHEDULER}
    for name in (*COUNTED, BY_NOVA, BY_BROKER, BY_ABSENCE, *(of_schedulers[kind] for kind in sorted({each.name for each in chaos.schedulers}))):
        print(f"{counting.counts[name]:6} {name}")
    for name, seconds in chaos.changes.items():
        print(f"{name}: {len(seconds)} times; the last request went to the one before within {max(seconds):.2f} s")
    for line in [*chaos.troubles, *counting.details]:
        say(line)
    bad = sum(counting.counts[name] for name in COUNTED) + len(chaos.troubles)
    if bad:
        say(f"logs are in {stack.home.file('log')}")
    return 1 if bad else 0


def _proxy(stack: Stack, delay: int) -> Process:
    """Between the schedulers and the services. Runs if there is a delay."""
    proxy = Process(stack.home, "delay-proxy", [
        "/usr/bin/python3", "-B", Path(__file__).with_name("delay_proxy.py"), delay,
        *(f"{port}:{PORTS[service]}" for service, port in DELAYED.items())])
    proxy.stop()
    if delay:
        for cell in ("nova_cell0", "nova"):
            stack.database.write("update nova_api.cell_mappings set database_connection = %s where database_connection like %s",
                                 CELL_TEMPLATE % cell, f"%/{cell}?%")
        proxy.start()
        await_condition("the proxy listens", lambda: _listens(DELAYED["database"]), process=proxy)
    return proxy


def _listens(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0
