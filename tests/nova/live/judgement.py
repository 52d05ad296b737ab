# SPDX-License-Identifier: Apache-2.0
"""Whether the answer of a second scheduler to a request is as good as nova-scheduler's, and how long answers took."""

import statistics


def judge(first: dict, second: dict, weights: dict[str, list[dict[str, float]]]) -> tuple[str, str]:
    """What the second answer is beside the first, and a sentence if it is not as good.

    `weights` are those that the first scheduler saw, for each instance in the order in which it weighed: the last time of the
    last instance is for the alternates if there are several instances.
    """
    if "failure" in first or "failure" in second:
        if first.get("failure") == second.get("failure"):
            return "same refusal", ""
        return "differed", f"{first.get('failure') or first['hosts']} and {second.get('failure') or second['hosts']}"
    for instance, chosen, other in zip(first["instances"], first["hosts"], second["hosts"]):
        if chosen[0] == other[0]:
            continue
        seen = weights.get(instance, [{}])[0]
        if other[0] not in seen:
            return "differed", f"{other[0]} instead of {chosen[0]}, and has not passed the filters"
        if not _equal(seen[chosen[0]], seen[other[0]]):
            return "differed", f"{other[0]} of weight {seen[other[0]]} instead of {chosen[0]} of weight {seen[chosen[0]]}"
        return "equal weight", ""  # what follows rests on another choice
    if [choices[1:] for choices in first["hosts"]] == [choices[1:] for choices in second["hosts"]]:
        return "same", ""
    last = weights.get(first["instances"][-1], [{}])[-1]
    for chosen, other in zip(first["hosts"], second["hosts"]):
        if len(chosen) != len(other) or any(host not in last for host in other[1:]) or not all(
            _equal(last[one], last[two]) for one, two in zip(chosen[1:], other[1:])
        ):
            return "same but the alternates", f"alternates {other[1:]} instead of {chosen[1:]}"
    return "same, alternates of equal weight", ""


def times(answers: list[dict], scheduler: str) -> list[str]:
    """The medians of the requests for one instance that found a host, if the answers have times."""
    timed = [answer for answer in answers if "put" in answer]
    if not timed:
        return []
    whole, ping, put = (1000 * statistics.median(answer[part] for answer in timed) for part in ("seconds", "ping", "put"))
    return [f"{scheduler}: p50 {whole:.1f} ms of {len(timed)} requests for one instance; an RPC that is answered at once {ping:.1f} ms, "
            f"the bare claim {put:.1f} ms: {whole / (ping + put):.2f} times both together"]


def _equal(one: float, two: float) -> bool:
    return abs(one - two) <= 1e-9 * max(1.0, abs(one), abs(two))
