# SPDX-License-Identifier: Apache-2.0
"""Clients of a gantryd that is restarted: one asks in a closed loop on a kept connection, with a short pause between an answer and
the next request, another at a fixed rate with a new connection for each request. They note what was refused, answered wrongly, and
how long each answer took."""

import json
import random
import socket
import threading
import time
import uuid


def request(method, args, request_id, key=None):
    body = json.dumps({"args": args}).encode()
    head = (f"POST /v1/{method} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nX-Request-Id: {request_id}\r\n"
            f"Content-Length: {len(body)}\r\n")
    if key:
        head += f"Idempotency-Key: {key}\r\n"
    return head.encode() + b"\r\n" + body


class Broken(Exception):
    """The connection ended before the answer."""


class Connection:
    def __init__(self, address):
        self.address = address
        self.socket = None

    def close(self):
        if self.socket:
            self.socket.close()
        self.socket = None

    def ask(self, data):
        """(status, headers, body)"""
        try:
            if self.socket is None:
                family = socket.AF_UNIX if isinstance(self.address, str) else socket.AF_INET
                self.socket = socket.socket(family)
                self.socket.settimeout(30)
                self.socket.connect(self.address)
            self.socket.sendall(data)
            return self._answer()
        except OSError as fault:
            self.close()
            raise Broken(str(fault)) from fault

    def _answer(self):
        received = b""
        while True:
            head, mark, rest = received.partition(b"\r\n\r\n")
            if mark:
                length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
                if len(rest) >= length:
                    return int(head.split(b" ", 2)[1]), head.decode(), rest
            more = self.socket.recv(1 << 16)
            if not more:
                raise ConnectionResetError("closed without an answer")
            received += more


class Client(threading.Thread):
    """Sends a request again, with the same idempotency key, until it is answered."""

    def __init__(self, address, seed, rate=None, pause=0.0005):
        super().__init__(daemon=True)
        self.pause = pause  # seconds, of a closed loop
        self.connection = Connection(address)
        self.random = random.Random(seed)
        self.rate = rate  # requests a second, each with a new connection; None: a closed loop
        self.ends = False
        self.answers = []  # (when it was sent, seconds until the answer)
        self.refused = []  # (when, why)
        self.broken = []   # (when, why), of each attempt
        self.sent_again = 0  # requests of which an attempt was broken
        self.wrong = []
        self.claimed = {}  # instance: host, as answered

    def run(self):
        due = time.monotonic()
        while not self.ends:
            if self.rate:
                due += 1 / self.rate
                time.sleep(max(0, due - time.monotonic()))
                self.connection.close()
            else:
                time.sleep(self.pause)
            self.step(due if self.rate else time.monotonic())

    def step(self, began):
        instance = str(uuid.UUID(int=self.random.getrandbits(128), version=4))
        claims = self.random.random() < 0.1
        args = {"request_spec": {"num_instances": 1, "project_id": "demo",
                                 "flavor": {"name": "any", "vcpus": 1, "memory_mb": 64, "root_gb": 1}}}
        if claims:
            args["instance_uuids"] = [instance]
        request_id = f"req-{instance}"
        data = request("select_destinations", args, request_id, key=instance if claims else None)
        is_again = False
        while not self.ends:
            try:
                status, head, body = self.connection.ask(data)
            except Broken as fault:
                self.broken.append((time.monotonic(), str(fault)))
                self.sent_again += not is_again
                is_again = True
                time.sleep(0.005)
                continue
            self.answers.append((began, time.monotonic() - began))
            self.judge(status, head, body, request_id, instance if claims else None)
            return

    def judge(self, status, head, body, request_id, instance):
        if status != 200:
            self.refused.append((time.monotonic(), f"{status} {body[:200]!r}"))
            return
        hosts = [each["host"] for each in json.loads(body)["result"]]
        if request_id not in head or len(hosts) != 1:
            self.wrong.append(f"{request_id} was answered with {head!r} {body[:200]!r}")
        elif instance:
            self.claimed[instance] = hosts[0]
