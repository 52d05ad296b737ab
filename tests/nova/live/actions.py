# SPDX-License-Identifier: Apache-2.0
"""What happens to the schedulers and to the parts around them, and when: the same from the same seed."""

import random
from dataclasses import dataclass

PARTS = ("broker", "database", "placement")
EACH_PART_ONCE_IN = 40  # actions
KILL, RESTART, HOLD_UP, HAND_OVER, TAKE_BACK = "kill", "restart", "pause", "hand over", "take back"
TO_ANY = (KILL, RESTART, HOLD_UP)


@dataclass(frozen=True)
class Action:
    what: str
    scheduler: int = 0  # which of them
    wait: float = 0.0  # seconds of boots before it
    lasting: float = 0.0  # seconds of a pause
    part: str = ""  # what restarts after it


def plan(seed: int, count: int, schedulers: list[str], kinds: tuple[str, ...] = TO_ANY) -> list[Action]:
    """`count` actions on random ones of the schedulers, which the names of their kinds stand for. A Gantry beside a
    nova-scheduler also hands the work over to it, and takes the work back some actions later."""
    dice = random.Random(f"chaos {seed}")
    moments = dice.sample(range(max(count, len(PARTS))), len(PARTS) * max(1, count // EACH_PART_ONCE_IN))
    parts = dict(zip(moments, PARTS * len(moments)))
    changing = schedulers.index("gantry") if set(schedulers) == {"gantry", "nova"} and kinds == TO_ANY else None
    is_handed_over = False
    actions = []
    for number in range(count):
        what, scheduler = dice.choice(kinds), dice.randrange(len(schedulers))
        if changing is not None and dice.random() < (0.5 if is_handed_over else 0.25):
            what, scheduler = TAKE_BACK if is_handed_over else HAND_OVER, changing
            is_handed_over = not is_handed_over
        actions.append(Action(what, scheduler, dice.uniform(1, 6), dice.uniform(2, 20) if what == HOLD_UP else 0.0, parts.get(number, "")))
    return actions


def in_words(actions: list[Action]) -> str:
    """How often each happened."""
    counts = [(name, sum(action.what == what for action in actions)) for what, name in (
        (KILL, "kills"), (RESTART, "restarts"), (HOLD_UP, "pauses of the process"), (HAND_OVER, "nova pause"), (TAKE_BACK, "nova resume"))]
    restarts = [f"{part} restarted {sum(action.part == part for action in actions)} times" for part in PARTS]
    return f"{len(actions)} actions: " + ", ".join([f"{count} {name}" for name, count in counts if count] + restarts)
