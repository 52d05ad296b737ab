# SPDX-License-Identifier: Apache-2.0
"""What became of boots around outages of the broker, as a table and a verdict."""

from dataclasses import dataclass


@dataclass
class Outcome:
    """What became of the boots around one outage."""

    boots: int
    errors: int
    lost: int  # neither ACTIVE nor in ERROR after five minutes
    seconds: float  # until the scheduler took requests again, counted from the broker's return

    @property
    def failed(self) -> int:
        return self.errors + self.lost


def table(lengths: tuple[int, ...], outcomes: dict[str, list[Outcome]]) -> list[str]:
    names = list(outcomes)
    lines = ["| broker away | " + " | ".join(f"{name}: boots | in ERROR | lost | back after" for name in names) + " |",
             "|---|" + "---|" * 4 * len(names)]
    for place, length in enumerate(lengths):
        cells = [f"{each.boots} | {each.errors} | {each.lost} | {each.seconds:.1f} s" for each in (outcomes[name][place] for name in names)]
        lines.append(f"| {length} s | " + " | ".join(cells) + " |")
    return lines


def verdict(outcomes: dict[str, list[Outcome]]) -> int:
    failed = {name: sum(each.failed for each in of_one) for name, of_one in outcomes.items()}
    print(", ".join(f"{name}: {count} of {sum(each.boots for each in outcomes[name])} boots failed" for name, count in failed.items()))
    return 1 if failed.get("gantry", 0) > failed.get("nova", 0) else 0
