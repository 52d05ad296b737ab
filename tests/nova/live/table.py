# SPDX-License-Identifier: Apache-2.0
"""The table of what has been played."""

import release
from home import Home
from observation import summary
from results import compare, result_of
from scenario import Scenario

WIDTH = 60
NOT_HERE = "not in this release"
TITLES = {"gantry": "Gantry", "nova-again": "nova-scheduler again"}


def row(scenario: Scenario, nova: dict | None, gantry: dict | None) -> tuple[str, str, str, str]:
    def cell(observed):
        if not scenario.is_of(release.major()):
            return NOT_HERE
        if observed is None:
            return "not run"
        if "failed" in observed:
            return "could not be played"
        text = summary(observed)
        return text if len(text) <= WIDTH else text[: WIDTH - 3] + "..."

    if nova is None or gantry is None or not scenario.is_of(release.major()):
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
    absent = sum(parts[1] == NOT_HERE for parts in rows)
    printed.append(f"{len(rows)} scenarios: {same.count('yes')} the same, {same.count('NO')} different, {same.count('-') - absent} not run"
                   + (f", {absent} {NOT_HERE}." if absent else "."))
    return printed
