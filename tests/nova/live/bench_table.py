# SPDX-License-Identifier: Apache-2.0
"""What the benchmark has measured, as tables."""

import statistics
from dataclasses import dataclass

PARTS = ("facts", "candidates", "decision", "journal", "claim", "answer")


@dataclass
class Row:
    """A ratio of one run, and how it ought to be."""

    measure: str
    hosts: int
    value: float
    least: float | None = None
    most: float | None = None

    def target(self) -> str:
        if self.least is not None:
            return f"at least {self.least:g}"
        return "reported" if self.most is None else f"at most {self.most:g}"

    def verdict(self) -> str:
        if self.least is None and self.most is None:
            return "-"
        is_met = self.value >= self.least if self.least is not None else self.value <= self.most
        return "yes" if is_met else "no"


def median(times: list[float]) -> float:
    return statistics.median(times)


def waited(times: dict, what: str, in_steps: bool) -> float:
    """The median of "select" or "ping": of the calls, or until the answer was there if the caller looks for it in steps."""
    return median(times[f"{what} reply" if in_steps else what])


def floor(times: dict, in_steps: bool = False) -> float:
    """What no scheduler can be faster than: an RPC that is answered at once, and the claim."""
    return waited(times, "ping", in_steps) + median(times["claim"])


def merged(runs: list[dict]) -> dict:
    """The times of several turns as those of one."""
    result: dict = {}
    for run in runs:
        for name, times in run.items():
            result.setdefault(name, []).extend(times)
    return result


def parts_of(before: dict, after: dict) -> dict[str, float]:
    """The mean milliseconds of each part of the requests between two readings of the counters, by (name, label)."""
    name = "nova_request_microseconds"
    requests = after.get(("nova_calls", "select_destinations"), 0) - before.get(("nova_calls", "select_destinations"), 0)
    if requests == 0:
        return {}
    return {label: (value - before.get((counter, label), 0)) / requests / 1000
            for (counter, label), value in after.items() if counter == name}


def ratio_lines(rows: list[Row]) -> list[str]:
    lines = ["| measure | hosts | measured | target | met |", "|---|---|---|---|---|"]
    return lines + [f"| {row.measure} | {row.hosts:,} | {row.value:.2f} | {row.target()} | {row.verdict()} |" for row in rows]


def time_lines(times: dict[tuple[int, str], dict]) -> list[str]:
    """Times by hosts and scheduler."""
    lines = ["| hosts | scheduler | requests | p50 | p50 until the answer is there | RPC at once | RPC at once until the answer is there | bare claim "
             "| database's processor time |", "|---|---|---|---|---|---|---|---|---|"]
    for (hosts, name), of in times.items():
        figures = [f"{1000 * median(of[part]):.1f} ms" for part in ("select", "select reply", "ping", "ping reply", "claim")]
        database = 1000 * statistics.fmean(of["database"])
        lines.append(f"| {hosts:,} | {name} | {len(of['select'])} | {' | '.join(figures)} | {database:.1f} ms |")
    return lines


def part_lines(parts: dict[int, dict[str, float]]) -> list[str]:
    """Where the time of a request to Gantry goes, by hosts."""
    lines = [f"| hosts | {' | '.join(PARTS)} | other | whole |", "|---|" + "---|" * (len(PARTS) + 2)]
    for hosts, of in parts.items():
        whole = of.get("whole", 0.0)
        figures = [of.get(part, 0.0) for part in PARTS]
        figures += [whole - sum(figures), whole]
        lines.append(f"| {hosts:,} | {' | '.join(f'{figure:.2f}' for figure in figures)} |")
    return lines
