# SPDX-License-Identifier: Apache-2.0
"""What was kept of two plays of a scenario, compared."""

import json
import re

from home import Home
from observation import differences, with_equal_hosts
from scenario import Scenario


UUID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")


def without_ids(value):
    """The same with one word for each UUID: texts for users name servers by their ids, which differ from play to play."""
    return json.loads(UUID.sub("UUID", json.dumps(value)))


def compare(scenario: Scenario, first: dict, second: dict) -> list[str]:
    for observed in (first, second):
        if "failed" in observed:
            return [f"could not be played: {observed['failed']}"]
    chosen = [{part: observed[part] for part in scenario.compares} for observed in (first, second)]
    return differences(*(with_equal_hosts(without_ids(part), scenario.equal) for part in chosen))


def result_of(home: Home, scenario: Scenario, scheduler: str) -> dict | None:
    try:
        return json.loads(home.file("results", scenario.name, f"{scheduler}.json").read_text())
    except OSError:
        return None
