# SPDX-License-Identifier: Apache-2.0
"""The message broker."""

import amqp

from home import PORTS, SECRET, Home
from processes import Process, await_condition, run


class Broker:
    def __init__(self, home: Home):
        self.home = home
        self._environment = {
            "RABBITMQ_NODENAME": "nova-live@localhost",
            "RABBITMQ_CONFIG_FILE": str(home.file("etc", "rabbitmq.conf")),
            "RABBITMQ_ADVANCED_CONFIG_FILE": str(home.file("etc", "advanced.config")),
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

    def control(self, *command: str) -> str:
        return run(self.home, "setup.log", "/usr/lib/rabbitmq/bin/rabbitmqctl", "-q", *command, environment=self._environment)

    def set_up(self) -> None:
        """A place of its own for the second cell."""
        self.control("add_vhost", "cell2")
        self.control("set_permissions", "-p", "cell2", "nova", ".*", ".*", ".*")

    def add_user(self, name: str) -> None:
        """One who may do all that nova may. The tap tells users apart."""
        if name not in self.control("list_users").split():
            self.control("add_user", name, SECRET)
        self.control("set_permissions", name, ".*", ".*", ".*")

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
