#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Calls a scheduler with oslo.messaging's own client, as a conductor does, and looks at the answers. Or serves beside
the scheduler, as another one would.

    oslo_client.py call URL     exit status 0: every answer is the expected one; 77: oslo.messaging is not installed
    oslo_client.py serve URL    exit status 0: the queues could be declared and used; 1: they could not
"""

import logging
import sys
import types

try:
    import oslo_messaging
    from oslo_config import cfg
except ImportError:
    sys.exit(77)


def nova_exceptions():
    """Nova's own, or a module that builds them in the same way."""
    try:
        import nova.exception

        return nova.exception
    except ImportError:
        pass

    class NovaException(Exception):
        def __init__(self, message=None, **kwargs):
            self.kwargs = kwargs
            super().__init__(message)

    module = types.ModuleType("nova.exception")
    module.NovaException = NovaException
    for name in ("NoValidHost", "InvalidInput"):
        setattr(module, name, type(name, (NovaException,), {"__module__": "nova.exception"}))
    sys.modules["nova"] = types.ModuleType("nova")
    sys.modules["nova.exception"] = module
    return module


def failure_of(call):
    try:
        answer = call()
    except Exception as error:  # the kind is what the caller looks at
        return error
    raise AssertionError(f"expected a failure, found {answer!r}")


class Complaints(logging.Handler):
    """Keeps what oslo.messaging complains about."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.lines = []

    def emit(self, record):
        self.lines.append(record.getMessage())


def serve(transport):
    complaints = Complaints()
    logging.getLogger("oslo.messaging").addHandler(complaints)
    logging.getLogger("oslo_messaging").addHandler(complaints)
    target = oslo_messaging.Target(topic="scheduler", server="host1")
    server = oslo_messaging.get_rpc_server(transport, target, [object()], executor="threading")
    server.start()
    server.stop()
    server.wait()
    assert not [line for line in complaints.lines if "eventlet" not in line], complaints.lines


def main():
    logging.basicConfig(level=logging.WARNING)
    oslo_messaging.set_transport_defaults("nova")
    conf = cfg.CONF  # the one that has the options of oslo_metrics
    conf([])
    transport = oslo_messaging.get_rpc_transport(conf, url=sys.argv[2], allowed_remote_exmods=["nova.exception"])
    if sys.argv[1] == "serve":
        serve(transport)
    else:
        call(transport)
    transport.cleanup()


def call(transport):
    exceptions = nova_exceptions()
    client = oslo_messaging.RPCClient(transport, oslo_messaging.Target(topic="scheduler", version="4.0"), timeout=30)
    context = {"request_id": "req-1", "user_id": "u"}

    args = {"spec_obj": {"a": [1, 2.5, None, "ä€😀"]}, "instance_uuids": ["u1"], "return_objects": True}
    for version in ("4.0", "4.5"):
        assert client.prepare(version=version).call(context, "select_destinations", **args) == args
    directed = client.prepare(server="host1", version="4.5")
    assert directed.call(context, "select_destinations", spec_obj="x" * 1_000_000) == {"spec_obj": "x" * 1_000_000}

    base = oslo_messaging.RPCClient(
        transport, oslo_messaging.Target(topic="scheduler", namespace="baseapi", version="1.1"), timeout=30
    )
    assert base.call(context, "ping", arg="x") == {"service": "scheduler", "arg": "x"}
    assert base.call(context, "get_backdoor_port") is None
    ping = client.prepare(version="1.0")
    assert ping.call(context, "oslo_rpc_server_ping") == "pong"

    error = failure_of(lambda: client.call(context, "select_destinations", fail="There are not enough hosts available."))
    assert isinstance(error, exceptions.NoValidHost), repr(error)
    words = "No valid host was found. There are not enough hosts available."
    assert str(error).strip() == words and error.args == (words,), repr(error)
    assert error.kwargs == {"reason": "There are not enough hosts available.", "code": 500}, error.kwargs

    error = failure_of(lambda: client.call(context, "nope"))
    assert isinstance(error, oslo_messaging.RemoteError) and error.exc_type == "NoSuchMethod", repr(error)
    base.target.version = "1.0"
    error = failure_of(lambda: base.prepare(version="1.0", namespace=None).call(context, "select_destinations"))
    assert isinstance(error, oslo_messaging.RemoteError) and error.exc_type == "UnsupportedVersion", repr(error)

    # Longer than the monitor time: only heartbeats keep the caller waiting.
    monitored = client.prepare(version="4.5", timeout=60, call_monitor_timeout=3)
    assert monitored.call(context, "select_destinations", hold=8) == "held"

    client.prepare(fanout=True, version="4.2").cast(context, "sync_instance_info", host_name="h", instance_uuids=[])
    assert client.call(context, "select_destinations", last=True) == {"last": True}


if __name__ == "__main__":
    main()
