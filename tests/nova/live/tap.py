# SPDX-License-Identifier: Apache-2.0
"""Reads along what is on the wire, also over restarts of the broker."""

import socket
import threading
import time

import amqp

from broker import Broker
from wire import Wire

KEYS = ("publish.nova", "publish.", "deliver.*", "deliver.compute.*")


class Tap:
    def __init__(self, broker: Broker):
        self._broker = broker
        self._wire = Wire()
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> "Tap":
        self._thread = threading.Thread(target=self._read, args=(self._connect(),), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_) -> None:
        self._ended.set()
        if self._thread:
            self._thread.join(10)

    def _connect(self) -> amqp.Connection:
        connection = self._broker.connect()
        channel = connection.channel()
        queue = channel.queue_declare("", exclusive=True, auto_delete=True).queue
        for key in KEYS:
            channel.queue_bind(queue, "amq.rabbitmq.trace", key)
        channel.basic_consume(queue, no_ack=True, callback=self._take)
        return connection

    def _read(self, connection: amqp.Connection | None) -> None:
        while not self._ended.is_set():
            try:
                if connection is None:
                    connection = self._connect()
                connection.drain_events(timeout=0.2)
            except (socket.timeout, TimeoutError):
                continue
            except (OSError, amqp.AMQPError):
                connection = None
                time.sleep(0.02)  # the broker is away; nobody's message shall be there before the tap
        if connection is not None:
            connection.close()

    def _take(self, message: amqp.Message) -> None:
        with self._lock:
            self._wire.take(message.delivery_info["routing_key"], message.headers, message.body, time.time())

    def calls(self) -> list[dict]:
        with self._lock:
            return self._wire.calls()

    def read(self, question):
        """What the question, a function of the wire, finds."""
        with self._lock:
            return question(self._wire)
