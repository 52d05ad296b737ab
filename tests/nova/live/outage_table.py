# SPDX-License-Identifier: Apache-2.0
"""What became of boots around outages of the broker, as a table and a verdict."""

from dataclasses import dataclass


@dataclass
class Outcome:
    """What became of the boots around one outage."""

    boots: int
    errors: int
    lost: int  # neither ACTIVE nor in ERROR after two minutes
    unanswered: int  # requests of conductors that no scheduler has answered; other services lose boots as well
    seconds: float  # until the scheduler took requests again, counted from the broker's return


def table(lengths: tuple[int, ...], outcomes: dict[str, list[Outcome]]) -> list[str]:
    names = list(outcomes)
    lines = ["| broker away | " + " | ".join(f"{name}: boots | in ERROR | lost | unanswered | back after" for name in names) + " |",
             "|---|" + "---|" * 5 * len(names)]
    for place, length in enumerate(lengths):
        cells = [f"{each.boots} | {each.errors} | {each.lost} | {each.unanswered} | {each.seconds:.1f} s" for each in (outcomes[name][place] for name in names)]
        lines.append(f"| {length} s | " + " | ".join(cells) + " |")
    return lines


def verdict(outcomes: dict[str, list[Outcome]]) -> int:
    """0 if no more requests to Gantry than to nova-scheduler had no answer."""
    unanswered = {name: sum(each.unanswered for each in of_one) for name, of_one in outcomes.items()}
    print(", ".join(f"{name}: {count} requests of {sum(each.boots for each in outcomes[name])} boots unanswered"
                    for name, count in unanswered.items()))
    return 1 if unanswered.get("gantry", 0) > unanswered.get("nova", 0) else 0
