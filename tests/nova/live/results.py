# SPDX-License-Identifier: Apache-2.0
"""What was kept of two plays of a scenario, compared."""

import json

from home import Home
from observation import differences, with_equal_hosts
from scenario import Scenario


def compare(scenario: Scenario, first: dict, second: dict) -> list[str]:
    for observed in (first, second):
        if "failed" in observed:
            return [f"could not be played: {observed['failed']}"]
    chosen = [{part: observed[part] for part in scenario.compares} for observed in (first, second)]
    return differences(*(with_equal_hosts(part, scenario.equal) for part in chosen))


def result_of(home: Home, scenario: Scenario, scheduler: str) -> dict | None:
    try:
        return json.loads(home.file("results", scenario.name, f"{scheduler}.json").read_text())
    except OSError:
        return None
