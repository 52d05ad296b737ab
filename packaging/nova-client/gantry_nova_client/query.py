# SPDX-License-Identifier: Apache-2.0
"""Nova's SchedulerQueryClient, with select_destinations answered by Gantry over its own socket.

Options, in nova.conf of the conductors:

    [gantry]
    url = unix:///run/gantry/gantry.sock     # or https://host:port; without it nothing differs from Nova
    token_file = /etc/nova/gantry.token      # for https: a token of the role service
    ca_file = /etc/nova/gantry-ca.pem        # who has signed Gantry's certificate; not set: the system's authorities
    loss_wait = 10                           # seconds that a Gantry lost within a request is waited for

What Gantry does not take goes over RPC, as without this client. All casts stay on RPC: they are for all schedulers.
"""

import collections
import json
import os
import time
import uuid

import nova.conf
from nova import exception, rpc
from nova.objects import base
from oslo_config import cfg
from oslo_log import log as logging

try:
    from . import gantry_client
except ImportError:  # in the repository, where the SDK has it
    import gantry_client

CONF = nova.conf.CONF
LOG = logging.getLogger(__name__)
OPTIONS = [
    cfg.StrOpt("url", help="Where Gantry is asked: unix:///path or https://host:port. Not set: over RPC."),
    cfg.StrOpt("token_file", help="The file with the token for https."),
    cfg.StrOpt("ca_file", help="The authorities that may have signed Gantry's certificate."),
    cfg.FloatOpt("loss_wait", default=10, min=0, help="Seconds that a Gantry lost within a request is waited for."),
]
CONF.register_opts(OPTIONS, group="gantry")

ANSWER_WAIT = 20  # seconds of one ask; Gantry says within them that it still works on the request
HANG_WAIT = 10  # seconds more, after which Gantry hangs
CONNECT_WAIT = 2
PAUSE = 0.1
# A Gantry whose machine does not even refuse is not tried again for so long, in seconds.
ABSENCE = 10
MOST_IDLE = 64
KEPT_FROM_THE_CONTEXT = ("auth_token", "service_catalog")


class NotTaken(Exception):
    """Gantry has nothing of the request, so another scheduler may be asked."""


class Lost(Exception):
    """Gantry may have claimed for the request, and does not answer any more."""


class Connections:
    """Kept connections to Gantry, one for each request under way. Any threads, native or green."""

    def __init__(self):
        self._idle = collections.deque()
        self._process = os.getpid()

    def take(self):
        if self._process != os.getpid():  # a worker must not speak on its parent's
            self.__init__()
        try:
            return self._idle.pop()
        except IndexError:
            return gantry_client.Client(
                CONF.gantry.url, token_file=CONF.gantry.token_file, ca_file=CONF.gantry.ca_file, repeats=False,
                connect_timeout=CONNECT_WAIT)

    def give(self, client):
        if len(self._idle) < MOST_IDLE:
            self._idle.append(client)
        else:
            client.close()


class Asking:
    """One request, asked until there is an answer or none can be hoped for."""

    def __init__(self, connections, context, args):
        self._connections = connections
        self._context = context
        self._unique_id = uuid.uuid4().hex
        self._args = {**args, "unique_id": self._unique_id, "wait_ms": ANSWER_WAIT * 1000,
                      "patience_ms": int(CONF.long_rpc_timeout * 1000)}
        self._lost_at = None

    def answer(self):
        """{"result", "failure"} as the RPC would have it. Raises NotTaken or Lost."""
        end = time.monotonic() + CONF.long_rpc_timeout
        while True:
            asked_at = time.monotonic()
            try:
                return self._ask()
            except gantry_client.GantryError as fault:
                self._judge(fault, asked_at)
                if time.monotonic() > end:
                    raise Lost("no answer within long_rpc_timeout, %s s" % CONF.long_rpc_timeout) from fault

    def _ask(self):
        client = self._connections.take()
        reply = client.call_with("nova_select_destinations", self._args, timeout=ANSWER_WAIT + HANG_WAIT,
                                 context=self._context, request_id=self._context.get("request_id"))
        self._connections.give(client)  # one that has failed is not used again
        return reply

    def _judge(self, fault, asked_at):
        is_sent = getattr(fault, "sent", False) or (fault.code == "deadline_exceeded" and not fault.status)
        if fault.code == "deadline_exceeded" and fault.status:
            self._lost_at = None  # it works on the request
        elif is_sent:
            self._lost_at = self._lost_at or time.monotonic()
            if fault.code == "deadline_exceeded":
                self._lost_at = asked_at
        elif self._lost_at is None:
            raise NotTaken(str(fault)) from fault
        if self._lost_at is None:
            return
        if time.monotonic() - self._lost_at > CONF.gantry.loss_wait:
            raise Lost(str(fault)) from fault
        time.sleep(PAUSE)


def _plain_context(context):
    values = {name: value for name, value in context.to_dict().items() if name not in KEPT_FROM_THE_CONTEXT}
    return gantry_client._plain(values)


def _raise(failure):
    """The exception that an RPC would have raised."""
    from oslo_messaging._drivers import common

    raise common.deserialize_remote_exception(json.dumps(failure), rpc.get_allowed_exmods())


def _holders(context, instance_uuids):
    """The instances that hold allocations in placement."""
    from nova.scheduler.client import report

    make = getattr(report, "report_client_singleton", report.SchedulerReportClient)
    client = make()
    return [each for each in instance_uuids or [] if client.get_allocs_for_consumer(context, each)["allocations"]]


def replace_in(module):
    """Puts the class in the place of Nova's in nova.scheduler.client.query."""
    module.SchedulerQueryClient = _replacement(module.SchedulerQueryClient)


def _replacement(theirs):
    class SchedulerQueryClient(theirs):
        __doc__ = theirs.__doc__

        def __init__(self):
            super().__init__()
            self._connections = Connections()
            self._serializer = base.NovaObjectSerializer()
            self._absent_until = 0
            self._is_away = False

        def select_destinations(self, context, spec_obj, instance_uuids, return_objects=False,
                                return_alternates=False):
            asked_at = time.monotonic()
            if CONF.gantry.url and asked_at >= self._absent_until:
                try:
                    return self._ask_gantry(context, spec_obj, instance_uuids, return_objects, return_alternates)
                except NotTaken as fault:
                    self._note_absence(fault, asked_at)
                except Lost as fault:
                    self._check_loss(context, instance_uuids, fault)
            return super().select_destinations(context, spec_obj, instance_uuids, return_objects, return_alternates)

        def _ask_gantry(self, context, spec_obj, instance_uuids, return_objects, return_alternates):
            args = {
                "spec_obj": gantry_client._plain(self._serializer.serialize_entity(context, spec_obj)),
                "instance_uuids": instance_uuids,
                "return_objects": return_objects,
                "return_alternates": return_alternates,
            }
            reply = Asking(self._connections, _plain_context(context), args).answer()
            if self._is_away:
                LOG.info("Gantry answers at %s again", CONF.gantry.url)
                self._is_away = False
            if reply["failure"]:
                _raise(reply["failure"])
            return self._serializer.deserialize_entity(context, reply["result"])

        def _note_absence(self, fault, asked_at):
            if time.monotonic() - asked_at > CONNECT_WAIT / 2:
                self._absent_until = time.monotonic() + ABSENCE
            if not self._is_away:
                LOG.warning("Gantry does not take requests, which go over RPC until it does: %s", fault)
                self._is_away = True

        def _check_loss(self, context, instance_uuids, fault):
            """A second scheduler would add its claim to one that Gantry has made for the same instance."""
            LOG.warning("Gantry was lost within a request: %s", fault)
            holders = _holders(context, instance_uuids)
            if holders:
                raise exception.NovaException(
                    "Gantry was lost within the request, and %s holds allocations, perhaps from it: %s"
                    % (", ".join(holders), fault))

    return SchedulerQueryClient
