# SPDX-License-Identifier: Apache-2.0
"""A scenario: what users and operators do to a fresh fleet of three hosts. All of it is done once with each scheduler."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass, field

MODULES = ("placing", "groups", "aggregates", "resources", "moving", "fleet", "cells")


@dataclass(frozen=True)
class Scenario:
    name: str
    what: str
    play: Callable
    options: dict = field(default_factory=dict)  # of nova.conf as the scheduler reads it: section, option, value
    policies: dict = field(default_factory=dict)  # rules of Nova's API beside its own
    shapes: dict = field(default_factory=dict)  # host: what it has beside its size
    dump: str = "one"  # one cell with all hosts, or "two": c2 in a cell of its own
    equal: tuple = ()  # sets of hosts, or of providers, of equal weight: any of a set is as right as the others
    before: int = 0  # Nova's first version without what the scenario shows; 0: every version has it
    compares: tuple = ("servers", "allocations", "selections", "migrations", "notes")

    def is_of(self, version: int) -> bool:
        return not self.before or version < self.before


ALL: dict[str, Scenario] = {}


def scenario(name: str, **more):
    """Enters the function below as a scenario; its first comment line says what it shows."""

    def enter(play):
        assert name not in ALL, name
        ALL[name] = Scenario(name, (play.__doc__ or "").strip(), play, **more)
        return play

    return enter


def load() -> dict[str, Scenario]:
    for module in MODULES:
        importlib.import_module(f"scenarios.{module}")
    return ALL


def filters(*names: str) -> dict:
    """The option that adds these filters to those of the deployment."""
    from configuration import FILTERS

    return {"filter_scheduler": {"enabled_filters": ",".join((FILTERS, *names))}}
