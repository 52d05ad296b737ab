# SPDX-License-Identifier: Apache-2.0
"""The message broker, and a tap on the requests to the scheduler and their answers."""

import json
import socket
import threading

import amqp

from home import PORTS, SECRET, Home
from processes import Process, await_condition, run


class Broker:
    def __init__(self, home: Home):
        self.home = home
        self._environment = {
            "RABBITMQ_NODENAME": "nova-live@localhost",
            "RABBITMQ_CONFIG_FILE": str(home.file("etc", "rabbitmq.conf")),
            "RABBITMQ_CONF_ENV_FILE": "/dev/null",
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(home.file("etc", "enabled_plugins")),
            "RABBITMQ_MNESIA_BASE": str(home.file("state", "rabbitmq")),
            "RABBITMQ_LOG_BASE": str(home.file("log", "rabbitmq")),
            "RABBITMQ_DIST_PORT": str(PORTS["erlang"]),
            "ERL_EPMD_PORT": str(PORTS["port-mapper"]),
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "+S 2:2 -kernel inet_dist_use_interface {127,0,0,1}",
            "HOME": str(home.file("state")),
            "RUNNING_UNDER_SYSTEMD": "true",
        }
        self.port_mapper = Process(home, "epmd", ["/usr/bin/epmd", "-address", "127.0.0.1", "-port", str(PORTS["port-mapper"])])
        self.process = Process(home, "rabbitmq", ["/usr/lib/rabbitmq/bin/rabbitmq-server"], self._environment)

    def start(self) -> None:
        if self.process.pid() is not None:
            return
        self.port_mapper.start()
        self.process.start()
        await_condition("RabbitMQ answers", self._answers, process=self.process)
        self.control("trace_on")  # copies of all messages, for the tap

    def control(self, *command: str) -> str:
        return run(self.home, "setup.log", "/usr/lib/rabbitmq/bin/rabbitmqctl", "-q", *command, environment=self._environment)

    def set_up(self) -> None:
        """A place of its own for the second cell."""
        self.control("add_vhost", "cell2")
        self.control("set_permissions", "-p", "cell2", "nova", ".*", ".*", ".*")

    def stop(self) -> None:
        self.process.stop()
        self.port_mapper.stop()

    def _answers(self) -> bool:
        try:
            self.connect().close()
            return True
        except (OSError, amqp.AMQPError):
            return False

    def connect(self, vhost: str = "/") -> amqp.Connection:
        connection = amqp.Connection(
            f"127.0.0.1:{PORTS['broker']}", userid="nova", password=SECRET, virtual_host=vhost, connect_timeout=5, heartbeat=0
        )
        connection.connect()
        return connection

    def consumers(self, queue: str, vhost: str = "/") -> int:
        """How many consume the queue; 0 if it is not there."""
        with self.connect(vhost) as connection:
            try:
                return connection.channel().queue_declare(queue, passive=True).consumer_count
            except amqp.NotFound:
                return 0

    def purge(self, queue: str, vhost: str = "/") -> None:
        with self.connect(vhost) as connection:
            try:
                connection.channel().queue_purge(queue)
            except amqp.NotFound:
                pass


class Tap:
    """Reads along: each call of select_destinations with its answer, as both were on the wire."""

    def __init__(self, broker: Broker):
        self._broker = broker
        self._calls: dict[str, dict] = {}
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> "Tap":
        connection = self._broker.connect()
        channel = connection.channel()
        queue = channel.queue_declare("", exclusive=True, auto_delete=True).queue
        for key in ("publish.nova", "publish."):
            channel.queue_bind(queue, "amq.rabbitmq.trace", key)
        channel.basic_consume(queue, no_ack=True, callback=self._take)
        self._thread = threading.Thread(target=self._read, args=(connection,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_) -> None:
        self._ended.set()
        if self._thread:
            self._thread.join(10)

    def _read(self, connection: amqp.Connection) -> None:
        while not self._ended.is_set():
            try:
                connection.drain_events(timeout=0.2)
            except (socket.timeout, TimeoutError):
                continue
            except (OSError, amqp.AMQPError):
                return
        connection.close()

    def _take(self, message: amqp.Message) -> None:
        try:
            inner = json.loads(json.loads(message.body)["oslo.message"])
        except (ValueError, KeyError, TypeError):
            return
        identity = inner.get("_msg_id")
        with self._lock:
            if inner.get("method") == "select_destinations" and identity:
                self._calls[identity] = {"request": inner["args"], "reply": None}
            elif identity in self._calls and inner.get("ending") and "result" in inner:
                self._calls[identity]["reply"] = {"result": inner["result"], "failure": inner.get("failure")}

    def calls(self) -> list[dict]:
        """In the order in which they were sent."""
        with self._lock:
            return list(self._calls.values())
