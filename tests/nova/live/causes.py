# SPDX-License-Identifier: Apache-2.0
"""Why a server failed by another's doing, as the wire and the logs of Nova's other services say."""

from collections.abc import Iterable
from pathlib import Path

from wire import Message

SIGNS = (" ERROR ", "Failed to ", "Unable to delete allocation")
CALLERS_PATIENCE = 60  # [DEFAULT] rpc_response_timeout of a conductor that hears no heartbeat
AT_ONCE = 2  # seconds in which a service may not yet have acknowledged what it got
OF_THE_SCHEDULER = "Failed to schedule instances"  # the conductor has no answer, or NoValidHost


def failure_in_nova(logs: Iterable[Path], names: set[str]) -> str:
    """The first line about a failure that has one of the names: the server's id, or the id of its request. "": none has, or the
    failure is the scheduler's."""
    first = ""
    for log in logs:
        if not log.exists():
            continue
        with log.open(errors="replace") as lines:
            for line in lines:
                if not any(name in line for name in names) or not any(sign in line for sign in SIGNS):
                    continue
                if OF_THE_SCHEDULER in line:
                    return ""
                first = first or f"{log.name}: {line.strip()}"
    return first


def loss_at_broker(messages: list[Message], absences: list[tuple[float, float]]) -> str:
    """How the broker lost the last message about a server, or the answer to it. `absences`: from the end of the broker until it
    was there again. "": it did not."""
    if not messages:
        return ""
    last = messages[-1]
    if not last.queues:
        return f"{last.method} was dropped: there was no queue"
    ended_since = any(last.sent <= back for _, back in absences)
    if not last.taken:
        return f"{last.method} was in the queue when the broker ended" if ended_since else ""
    if not last.call:
        ended_soon = any(begin - AT_ONCE <= last.taken[-1][0] <= back for begin, back in absences)
        return f"the broker ended as it handed {last.method} to a service of Nova, and nothing followed" if ended_soon else ""
    if last.call["reply"] and last.call["heard_at"] is None and ended_since:
        return f"{last.call['answered_by']} had answered, and the broker ended with the answer"
    return ""


def gave_up_without_broker(messages: list[Message], absences: list[tuple[float, float]]) -> str:
    """Says so if the caller had no answer when its patience ended, and the broker was away at that moment."""
    if not messages or not messages[-1].call:
        return ""
    gives_up_at, heard_at = messages[-1].sent + CALLERS_PATIENCE, messages[-1].call["heard_at"]
    is_heard = heard_at is not None and heard_at <= gives_up_at
    was_away = any(begin <= gives_up_at <= back for begin, back in absences)
    return f"the caller gave up after {CALLERS_PATIENCE} s, while the broker was away" if was_away and not is_heard else ""


def killed_twice(messages: list[Message], kills: dict[str, list[float]]) -> str:
    """Says so if a Gantry refused to take a request up a third time, and was killed twice since it took the request."""
    calls = [message for message in messages if message.call]
    if not calls or not calls[-1].taken or not (calls[-1].call["reply"] or {}).get("failure"):
        return ""
    call, (taken, taker) = calls[-1].call, calls[-1].taken[0]
    count = sum(taken <= kill <= call["answered_at"] for kill in kills.get(taker, []))
    is_its_word = call["answered_by"] == taker and "while it worked on this request; it is not tried again" in call["reply"]["failure"]
    return f"{taker} was killed {count} times after it took the request" if is_its_word and count >= 2 else ""


def loss_at_nova_scheduler(messages: list[Message]) -> str:
    """What a nova-scheduler did with the last request about a server. "": it did not have the request, or it named a host."""
    calls = [message for message in messages if message.call]
    if not calls or not calls[-1].taken or not calls[-1].taken[-1][1].startswith("nova-"):
        return ""
    call, taker = calls[-1].call, calls[-1].taken[-1][1]
    if call["reply"] is None:
        return f"{taker} took the request and never answered"
    return f"{taker} answered with {str(call['reply']['failure'])[:200]}" if call["reply"]["failure"] else ""
