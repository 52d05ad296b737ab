#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Calls a scheduler with oslo.messaging's own client, as a conductor does.

    conductor.py URL

Standard input has a request a line: {"id", "method", "version", "args", "context", "timeout", "monitor"}, and with
"cast": true a cast to all schedulers. Standard output has "ready" first, then a line for each call in the order of the
answers: {"id", "result"} or {"id", "failure": {"class", "module", "message"}}. Ends with its input. Exit status 77:
oslo.messaging is not installed.
"""

import json
import logging
import sys
import threading

try:
    import oslo_messaging
    from oslo_config import cfg
except ImportError:
    sys.exit(77)

output = threading.Lock()


def say(line):
    with output:
        print(line, flush=True)


def failure_of(error):
    if isinstance(error, oslo_messaging.RemoteError):
        return {"class": error.exc_type, "module": "", "message": str(error.value)}
    # The class of an error that was rebuilt is its own one with "_Remote" behind its name.
    kind = type(error)
    name = kind.__name__[: -len("_Remote")] if kind.__name__.endswith("_Remote") else kind.__name__
    return {"class": name, "module": kind.__module__, "message": error.args[0] if error.args else str(error)}


def call(client, request):
    context = request.get("context", {})
    if request.get("cast"):
        client.prepare(fanout=True, version=request["version"]).cast(context, request["method"], **request["args"])
        return say(json.dumps({"id": request["id"], "result": None}))
    prepared = client.prepare(
        version=request["version"], timeout=request["timeout"], call_monitor_timeout=request.get("monitor")
    )
    try:
        answer = {"result": prepared.call(context, request["method"], **request["args"])}
    except Exception as error:  # the kind is what the test looks at
        answer = {"failure": failure_of(error)}
    return say(json.dumps({"id": request["id"], **answer}))


def main():
    logging.basicConfig(level=logging.CRITICAL)
    oslo_messaging.set_transport_defaults("nova")
    conf = cfg.CONF  # the one that has the options of oslo_metrics
    conf([])
    transport = oslo_messaging.get_rpc_transport(conf, url=sys.argv[1], allowed_remote_exmods=["nova.exception"])
    client = oslo_messaging.RPCClient(transport, oslo_messaging.Target(topic="scheduler", version="4.0"))
    say("ready")
    for line in sys.stdin:
        threading.Thread(target=call, args=(client, json.loads(line)), daemon=True).start()


if __name__ == "__main__":
    main()
