#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Calls a scheduler as a conductor does that has packaging/nova-client: nova_client.py NOVA_CONF DIRECTORY...

The directories hold the package and the SDK's client. Lines in and out are those of conductor.py, with Nova's objects in
between. Exit status 77: python3-nova is not installed.
"""

import json
import logging
import os
import sys
import threading

os.environ["OS_NOVA_DISABLE_EVENTLET_PATCHING"] = "1"
sys.path[:0] = sys.argv[2:]

import gantry_nova_client  # noqa: E402

gantry_nova_client.install()

try:
    from nova import config, context, objects
    from nova.objects import base
    from nova.scheduler.client import query
except ImportError:
    sys.exit(77)

output = threading.Lock()


def say(line):
    with output:
        print(json.dumps(line), flush=True)


def failure_of(error):
    kind = type(error)
    name = kind.__name__[: -len("_Remote")] if kind.__name__.endswith("_Remote") else kind.__name__
    module = kind.__module__.removesuffix("_Remote")
    return {"class": name, "module": module, "message": error.args[0] if error.args else str(error)}


def call(client, request):
    args = request["args"]
    serializer = base.NovaObjectSerializer()
    ctxt = context.RequestContext.from_dict(request["context"])
    spec = serializer.deserialize_entity(ctxt, args["spec_obj"])
    try:
        selections = client.select_destinations(
            ctxt, spec, args["instance_uuids"], return_objects=True, return_alternates=True)
        assert all(isinstance(each, objects.Selection) for choices in selections for each in choices)
        answer = {"result": serializer.serialize_entity(ctxt, selections)}
    except Exception as error:  # the kind is what the test looks at
        answer = {"failure": failure_of(error)}
    say({"id": request["id"], **answer})


def main():
    logging.basicConfig(level=logging.CRITICAL)
    objects.register_all()
    config.parse_args(["conductor", "--config-file", sys.argv[1]])
    client = query.SchedulerQueryClient()
    print("ready", flush=True)
    for line in sys.stdin:
        threading.Thread(target=call, args=(client, json.loads(line)), daemon=True).start()


if __name__ == "__main__":
    main()
