# SPDX-License-Identifier: Apache-2.0
"""What the broker's copies of messages tell: calls of the scheduler, what a boot was handed on with, and who took it."""

import json
import re
from dataclasses import dataclass, field

# By these a boot goes from the API to a conductor, to a scheduler and to a host.
STEPS = ("schedule_and_build_instances", "select_destinations", "build_and_run_instance")
PROBE = "probe"  # what a ping of the harness begins with
_SERVER = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


@dataclass
class Message:
    """One message on its way to a queue. Times are those of time.time()."""

    method: str
    sent: float
    queues: list[str]  # where the broker put it; empty: it had no queue for it, and dropped it
    servers: frozenset[str]
    request_id: str = ""  # of the user's request, as logs name it
    taken: list[tuple[float, str]] = field(default_factory=list)  # when, and by which user of the broker
    call: dict | None = None


class Wire:
    def __init__(self):
        self.messages: dict[str, Message] = {}  # by the id that oslo.messaging gives to each
        self.probes: dict[str, Message] = {}
        self._calls: dict[str, Message] = {}  # by the id that answers name

    def take(self, where: str, headers: dict, body: bytes | str, now: float) -> None:
        """One copy: `where` is its routing key, `publish.EXCHANGE` or `deliver.QUEUE`."""
        text = body.decode(errors="replace") if isinstance(body, bytes) else body
        is_sent = where.startswith("publish.")
        if where == "publish." or where.startswith("deliver.reply_"):
            return self._take_answer(text, headers, is_sent, now)
        if not any(method in text for method in (*STEPS, "ping")):
            return
        try:
            inner = json.loads(json.loads(text)["oslo.message"])
        except (ValueError, KeyError, TypeError):
            return
        if inner.get("method") not in (*STEPS, "ping"):
            return
        known = self.probes if str(inner["args"].get("arg", "")).startswith(PROBE) else self.messages
        identity = str(inner.get("_unique_id"))
        if not is_sent:
            if identity in known:
                known[identity].taken.append((now, headers.get("user", "")))
            return
        message = Message(inner["method"], now, list(headers.get("routed_queues", [])), frozenset(_SERVER.findall(text)),
                          inner.get("_context_request_id") or "")
        known[identity] = message
        if inner["method"] == "select_destinations" and inner.get("_msg_id"):
            message.call = {"request": inner["args"], "reply": None, "answered_by": "", "heard_at": None}
            self._calls[inner["_msg_id"]] = message

    def _take_answer(self, text: str, headers: dict, is_sent: bool, now: float) -> None:
        if '\\"result\\"' not in text:
            return
        try:
            inner = json.loads(json.loads(text)["oslo.message"])
        except (ValueError, KeyError, TypeError):
            return
        message = self._calls.get(inner.get("_msg_id"))
        if message is None or not inner.get("ending") or "result" not in inner:
            return
        if not is_sent:
            message.call["heard_at"] = message.call["heard_at"] or now
            return
        message.call["reply"] = {"result": inner["result"], "failure": inner.get("failure")}
        message.call["answered_by"] = headers.get("user", "")
        message.call["answered_at"] = now

    def of(self, server: str) -> list[Message]:
        """In the order in which they were sent."""
        return [message for message in self.messages.values() if server in message.servers]

    def calls(self) -> list[dict]:
        """Each call of select_destinations with its answer, in the order in which they were sent."""
        return [message.call for message in self._calls.values()]
