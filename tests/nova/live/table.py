# SPDX-License-Identifier: Apache-2.0
"""The table of what has been played."""

from home import Home
from observation import summary
from results import compare, result_of
from scenario import Scenario

WIDTH = 60
TITLES = {"gantry": "Gantry", "nova-again": "nova-scheduler again"}


def row(scenario: Scenario, nova: dict | None, gantry: dict | None) -> tuple[str, str, str, str]:
    def cell(observed):
        if observed is None:
            return "not run"
        if "failed" in observed:
            return "could not be played"
        text = summary(observed)
        return text if len(text) <= WIDTH else text[: WIDTH - 3] + "..."

    if nova is None or gantry is None:
        same = "-"
    else:
        same = "NO" if compare(scenario, nova, gantry) else "yes"
    return scenario.name, cell(nova), cell(gantry), same


def lines(home: Home, scenarios: list[Scenario], second: str = "gantry") -> list[str]:
    rows = [row(scenario, *(result_of(home, scenario, name) for name in ("nova", second))) for scenario in scenarios]
    printed = [f"| scenario | nova-scheduler | {TITLES[second]} | same |", "|---|---|---|---|"]
    printed += [f"| {' | '.join(part.replace('|', '/') for part in parts)} |" for parts in rows]
    same = [parts[3] for parts in rows]
    printed.append("")
    printed.append(f"{len(rows)} scenarios: {same.count('yes')} the same, {same.count('NO')} different, {same.count('-')} not run.")
    return printed
