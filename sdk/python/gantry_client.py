# SPDX-License-Identifier: Apache-2.0
"""Client of the Gantry scheduler service: one file, the standard library alone, Python 3.8 or later.

    from gantry_client import Client, NoValidHost

    client = Client()                       # $GANTRY_URL, else unix:///run/gantry/gantry.sock
    try:
        destinations = client.select_destinations({"flavor": {"vcpus": 2, "memory_mb": 2048, "root_gb": 20}})
    except NoValidHost as refusal:
        print(refusal.reason, refusal.details["steps"])

Each method of sdk/methods.md is a method of Client, its arguments keywords: client.list_hosts(topic="compute").
A Client is used by one thread at a time. SchedulerQueryClient has the face of Nova's class of that name.
"""

import http.client
import json
import os
import random
import select
import socket
import ssl
import stat
import sys
import time
import urllib.parse
import uuid

__all__ = [
    "AlreadyExists", "BadRequest", "Client", "Conflict", "DeadlineExceeded", "GantryError", "NotFound", "NoValidHost",
    "PermissionDenied", "ProtocolError", "ResourceExhausted", "SchedulerQueryClient", "ServerError", "Unauthenticated",
    "Unavailable", "Unreachable", "Unsupported",
]

DEFAULT_TARGET = "unix:///run/gantry/gantry.sock"

# The members of a list's item that are its id, the marker of the next page.
_LIST_IDS = {
    "list_aggregates": ("id",),
    "list_casts": ("id",),
    "list_claims": ("consumer", "topic", "host", "node", "id"),
    "list_drivers": ("id",),
    "list_groups": ("uuid",),
    "list_hosts": ("host", "hypervisor_hostname"),
    "list_instances": ("uuid",),
    "list_services": ("topic", "host"),
    "list_tokens": ("id",),
}
_PAGE_ITEMS = 1000
_PAGE_BYTES = 1 << 20


def _id_of(item, members):
    names = [str(item.get(member) or "") for member in members]
    while len(names) > 1 and not names[-1]:
        names.pop()
    return "/".join(name.replace("%", "%25").replace("/", "%2F") for name in names)


class GantryError(Exception):
    """A call that failed. code is the name that sdk/methods.md gives it; details is a dict."""

    code = "internal"

    def __init__(self, message, details=None, code=None, request_id=None, status=0, attempts=0):
        super().__init__(message)
        self.message = message
        self.details = details or {}
        self.code = code or self.code
        self.request_id = request_id
        self.status = status
        self.attempts = attempts


class NoValidHost(GantryError):
    """Nothing fits. reason says why; details["steps"] how many hosts each step left."""

    code = "no_valid_host"

    @property
    def reason(self):
        return self.details.get("reason") or self.message


class BadRequest(GantryError):
    code = "invalid_argument"


class PermissionDenied(GantryError):
    code = "permission_denied"


class Unauthenticated(GantryError):
    """The daemon wants a token, or another one."""

    code = "unauthenticated"


class NotFound(GantryError):
    code = "not_found"


class Unsupported(GantryError):
    code = "unsupported"


class Conflict(GantryError):
    code = "failed_precondition"


class AlreadyExists(Conflict):
    code = "already_exists"


class ResourceExhausted(GantryError):
    code = "resource_exhausted"


class Unavailable(GantryError):
    """Not now; the same call may work later."""

    code = "unavailable"


class Unreachable(Unavailable):
    """No daemon answered. sent: the call was sent, and may have taken effect."""

    code = "unreachable"
    sent = False


class DeadlineExceeded(GantryError):
    code = "deadline_exceeded"


class ServerError(GantryError):
    code = "internal"


class ProtocolError(GantryError):
    """What answers is not Gantry."""

    code = "protocol"


_CLASSES = {
    kind.code: kind
    for kind in (NoValidHost, BadRequest, PermissionDenied, NotFound, Unsupported, Conflict, AlreadyExists,
                 ResourceExhausted, Unauthenticated, Unavailable, DeadlineExceeded, ServerError)
}


# A request that brings the daemon down would otherwise hold it down, restart after restart.
_MOST_LOST_ANSWERS = 4


class _Absent(OSError):
    """The connect failed; nothing was sent."""


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path, timeout):
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


def _parse_target(text):
    """("unix", path), ("tcp", host, port) or ("tls", host, port)."""
    if text.startswith("unix:///"):
        return ("unix", text[len("unix://"):])
    if text.startswith(("/", ".")):
        return ("unix", text)
    if text.startswith(("http://", "https://")):
        parts = urllib.parse.urlsplit(text)
        if parts.hostname and parts.port and parts.path in ("", "/") and not parts.query:
            return ("tls" if parts.scheme == "https" else "tcp", parts.hostname, parts.port)
    raise BadRequest("target %r: expected a path, unix:///path, http://host:port or https://host:port" % text)


def _find_token(token, token_file):
    token = token or (not token_file and os.environ.get("GANTRY_TOKEN")) or None
    token_file = token_file or os.environ.get("GANTRY_TOKEN_FILE")
    if token is None and token_file:
        try:
            with open(token_file, encoding="ascii") as file:
                mode = os.fstat(file.fileno()).st_mode
                if stat.S_ISREG(mode) and mode & 0o007:
                    raise BadRequest("token file %r: expected that others may not read it, found mode %04o; run: chmod o= %s"
                                     % (token_file, stat.S_IMODE(mode), token_file))
                token = file.read().rstrip("\r\n")
        except (OSError, UnicodeDecodeError) as fault:
            raise BadRequest("token file %r: cannot be read: %s" % (token_file, fault)) from None
    if token is not None and (not token or any(not 0x20 < ord(each) < 0x7f for each in token)):
        raise BadRequest("token: expected printable ASCII without spaces, as gantry token create prints it")
    return token


def _is_private(target):
    # A name may begin like an address: 127.evil.example is anybody's.
    is_loopback = target[1].startswith("127.") and not target[1].strip("0123456789.")
    return target[0] != "tcp" or target[1] in ("localhost", "::1") or is_loopback


class Client:
    """The methods of the service. timeout: seconds that a call may take, repeats included. context: a dict sent with
    each call. absent_wait: seconds that a daemon which has not answered this client yet is waited for. token, or the
    file that holds it: else $GANTRY_TOKEN or $GANTRY_TOKEN_FILE. ca_file: who may have signed a https daemon's
    certificate; else $GANTRY_CA_FILE, or the system's authorities. repeats: False: a call that fails is not sent again.
    connect_timeout: seconds for the connection alone; None: as long as the call may take."""

    def __init__(self, target=None, timeout=30, context=None, absent_wait=2.0, token=None, token_file=None,
                 ca_file=None, repeats=True, connect_timeout=None):
        text = target or os.environ.get("GANTRY_URL") or DEFAULT_TARGET
        self._target = _parse_target(text)
        self._find_token = lambda: _find_token(token, token_file)
        self._token = self._find_token()
        if self._token is not None and not _is_private(self._target):
            raise BadRequest("the token would cross the network for everybody to read at %s: use https://" % text)
        self._ca_file = ca_file or os.environ.get("GANTRY_CA_FILE")
        self._where = text if "://" in text else "unix://" + text
        self._timeout = timeout
        self._context = context
        self._absent_wait = absent_wait
        self._repeats = repeats
        self._connect_timeout = timeout if connect_timeout is None else connect_timeout
        self._connection = None
        self._has_connected = False

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda **args: self.call(name, **args)

    def close(self):
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def call(self, method, **args):
        """Calls any method of sdk/methods.md and returns its result."""
        return self.call_with(method, args)

    def call_with(self, method, args, timeout=None, context=None, request_id=None, idempotency_key=None):
        """call, with what one call may want of its own. A list without limit is fetched page by page, and is whole."""
        if method in _LIST_IDS and args.get("limit") is None:
            return self._all(method, args, timeout, context, request_id)
        return self._call_with(method, args, timeout, context, request_id, idempotency_key)

    def _all(self, method, args, timeout, context, request_id):
        items, args = [], dict(args, limit=_PAGE_ITEMS)
        while True:
            page = self._call_with(method, args, timeout, context, request_id, None)
            if not isinstance(page, list):
                return page
            items += page
            # A page of many bytes ends before its limit.
            if not page or (len(page) < _PAGE_ITEMS and len(json.dumps(page)) < _PAGE_BYTES):
                return items
            args["marker"] = _id_of(page[-1], _LIST_IDS[method])

    def _call_with(self, method, args, timeout, context, request_id, idempotency_key):
        """A refused token is read from its file again, once."""
        try:
            return self._call_once(method, args, timeout, context, request_id, idempotency_key)
        except Unauthenticated:
            before = self._token
            self._token = self._find_token()
            if self._token == before:
                raise
            return self._call_once(method, args, timeout, context, request_id, idempotency_key)

    def _call_once(self, method, args, timeout, context, request_id, idempotency_key):
        timeout = self._timeout if timeout is None else timeout
        deadline = time.monotonic() + timeout
        body = {"args": args}
        if context is not None or self._context is not None:
            body["context"] = self._context if context is None else context
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "gantry-client-python",
            "X-Request-Id": request_id or "req-%s" % uuid.uuid4(),
            "Idempotency-Key": idempotency_key or str(uuid.uuid4()),
        }
        if self._token is not None:
            headers["Authorization"] = "Bearer " + self._token
        try:
            payload = json.dumps(body, allow_nan=False).encode()
        except (TypeError, ValueError) as fault:
            raise BadRequest("args of %s: expected what JSON can carry: %s" % (method, fault)) from None
        path = "/v1/" + urllib.parse.quote(method, safe="")
        return self._repeat(path, payload, headers, deadline, timeout)

    # The common ones, with the order of arguments that callers expect.

    def select_destinations(self, request_spec, filter_properties=None, **more):
        return self.call("select_destinations", request_spec=request_spec, filter_properties=filter_properties or {},
                         **more)

    def schedule_run_instance(self, request_spec, filter_properties=None, **more):
        return self.call("schedule_run_instance", request_spec=request_spec,
                         filter_properties=filter_properties or {}, **more)

    def schedule(self, topic, schedule_method, **kwargs):
        return self.call("schedule", topic=topic, schedule_method=schedule_method, kwargs=kwargs)

    def update_resource_stats(self, name, stats, **more):
        return self.call("update_resource_stats", name=list(name) if isinstance(name, tuple) else name, stats=stats,
                         **more)

    def update_service_capabilities(self, service_name, host, capabilities):
        return self.call("update_service_capabilities", service_name=service_name, host=host,
                         capabilities=capabilities)

    def service_register(self, topic, host, binary):
        return self.call("service_register", topic=topic, host=host, binary=binary)

    def report_state(self, topic, host):
        return self.call("report_state", topic=topic, host=host)

    def hosts_up(self, topic):
        return self.call("hosts_up", topic=topic)

    def group_hosts(self, group):
        return self.call("group_hosts", group=group)

    def receive_casts(self, topic, host, wait_ms=0, limit=16):
        args = {"topic": topic, "host": host, "wait_ms": wait_ms, "limit": limit}
        return self.call_with("receive_casts", args, timeout=self._timeout + wait_ms / 1000.0)

    def acknowledge_cast(self, id):
        return self.call("acknowledge_cast", id=id)

    def _is_stale(self):
        """Whether the daemon has closed the kept connection: nothing else can be read between two calls."""
        try:
            return bool(select.select([self._connection.sock], [], [], 0)[0])
        except (OSError, ValueError):  # the number of the descriptor is beyond what select takes
            return False

    def _connect(self, timeout):
        if self._connection is not None and self._is_stale():
            self.close()
        if self._connection is None:
            if self._target[0] == "unix":
                connection = _UnixConnection(self._target[1], timeout)
            elif self._target[0] == "tls":
                try:
                    trust = ssl.create_default_context(cafile=self._ca_file)
                except OSError as fault:
                    raise BadRequest("the authorities in %r cannot be read: %s" % (self._ca_file, fault)) from None
                connection = http.client.HTTPSConnection(self._target[1], self._target[2], timeout=timeout,
                                                         context=trust)
            else:
                connection = http.client.HTTPConnection(self._target[1], self._target[2], timeout=timeout)
            try:
                connection.connect()
            except ssl.SSLError as fault:
                connection.close()
                raise Unreachable("%s is not trusted (%s): name its certificate's authority with ca_file or "
                                  "GANTRY_CA_FILE, and the host as its certificate does"
                                  % (self._where, getattr(fault, "verify_message", None) or fault.reason)) from None
            except OSError as fault:
                connection.close()
                raise _Absent(fault.errno, fault.strerror or str(fault)) from fault
            self._connection = connection
            self._has_connected = True

    def _exchange(self, path, payload, headers, deadline):
        left = max(0.001, deadline - time.monotonic())
        self._connect(min(left, self._connect_timeout))
        self._connection.sock.settimeout(left)
        headers["X-Timeout-Ms"] = str(max(1, int(left * 1000)))
        try:
            self._connection.request("POST", path, payload, headers)
        except ConnectionError:
            pass  # a daemon that refuses a request may say why and stop reading before it has the whole of it
        answer = self._connection.getresponse()
        body = answer.read()
        if not body and answer.getheader("Content-Length") is None:
            raise http.client.RemoteDisconnected("the connection ended within the answer's headers")
        if answer.will_close:
            self.close()
        return answer.status, body

    def _repeat(self, path, payload, headers, deadline, timeout):
        started = time.monotonic()
        attempt = 0
        lost = 0
        failure = None
        while True:
            attempt += 1
            reused = self._connection is not None
            until = deadline if self._repeats else 0
            try:
                status, body = self._exchange(path, payload, headers, deadline)
                failure = self._failure_of(status, body, headers["X-Request-Id"])
                if failure is None:
                    return json.loads(body)["result"]
                if type(failure) is not Unavailable:
                    failure.attempts = attempt
                    raise failure
            except _Absent as fault:
                failure = self._absent(fault)
                if not self._has_connected:
                    until = min(until, started + self._absent_wait)
                if isinstance(fault.__cause__, PermissionError):
                    until = 0
            except socket.timeout:
                self.close()
                before = "" if failure is None else "; the try before: %s" % failure
                raise DeadlineExceeded(
                    "no answer from %s within %g s; the call may still take effect: repeat it with the same "
                    "idempotency key, or allow more time%s" % (self._where, timeout, before),
                    request_id=headers["X-Request-Id"], attempts=attempt) from None
            except (http.client.RemoteDisconnected, http.client.IncompleteRead, ConnectionError) as fault:
                self.close()
                lost += 1
                failure = Unreachable("the connection to %s was lost before the answer came (%s); the call may have "
                                      "taken effect" % (self._where, fault))
                failure.sent = True
                if lost == _MOST_LOST_ANSWERS:
                    until = 0
                elif reused and self._repeats:
                    continue
            except (http.client.HTTPException, ValueError) as fault:
                self.close()
                raise ProtocolError("what answers at %s does not speak as Gantry does (%s: %s): check the address, "
                                    "target or GANTRY_URL" % (self._where, type(fault).__name__, fault),
                                    attempts=attempt) from None
            pause = min(1.0, 0.02 * 2 ** min(attempt - 1, 6)) * random.uniform(0.5, 1.0)
            if time.monotonic() + pause >= until:
                failure.attempts = attempt
                failure.request_id = failure.request_id or headers["X-Request-Id"]
                raise failure
            time.sleep(pause)

    def _absent(self, fault):
        if isinstance(fault.__cause__, PermissionError):
            return Unreachable("%s cannot be opened (%s): its group may call, so join that group, or name another "
                               "target or set GANTRY_URL" % (self._where, fault.strerror))
        return Unreachable("no daemon answers at %s (%s): is gantryd running? Name another target or set GANTRY_URL"
                           % (self._where, fault.strerror))

    def _failure_of(self, status, body, request_id):
        """None: the body holds a result."""
        whole = json.loads(body)
        if status == 200 and isinstance(whole, dict) and "result" in whole:
            return None
        error = whole.get("error") if isinstance(whole, dict) else None
        if not isinstance(error, dict) or "code" not in error:
            raise ValueError("status %d without result or error" % status)
        kind = _CLASSES.get(error["code"], ServerError)
        return kind(error.get("message", ""), error.get("details"), error["code"],
                    error.get("request_id", request_id), status)


# ------------------------------------------------------------------------------------------------ Nova's face

# What is the user's own secret, or large and of no use to a scheduler.
_KEPT_FROM_THE_CONTEXT = ("auth_token", "service_catalog", "_user", "user_auth_plugin")


def _plain(thing):
    """Nova objects, contexts, dates and sets as what JSON can carry."""
    if hasattr(thing, "obj_to_primitive"):
        return thing.obj_to_primitive()
    if isinstance(thing, dict):
        return {str(key): _plain(value) for key, value in thing.items()}
    if isinstance(thing, (list, tuple, set, frozenset)):
        return [_plain(value) for value in thing]
    if thing is None or isinstance(thing, (str, int, float, bool)):
        return thing
    if hasattr(thing, "isoformat"):
        return thing.isoformat()
    return str(thing)


def _plain_context(context):
    if context is None:
        return None
    values = context if isinstance(context, dict) else context.to_dict()
    return {key: _plain(value) for key, value in values.items() if key not in _KEPT_FROM_THE_CONTEXT}


def _nova(module, name):
    """A name of Nova's, if the program that uses this has loaded that module."""
    return getattr(sys.modules.get(module), name, None)


def _selections(result):
    """Nova's own Selection objects where Nova is there; else as they came."""
    base = _nova("nova.objects.base", "NovaObject")
    if isinstance(result, list):
        return [_selections(item) for item in result]
    if base is not None and isinstance(result, dict) and "nova_object.name" in result:
        return base.obj_from_primitive(result)
    return result


class SchedulerQueryClient:
    """In place of nova.scheduler.client.query.SchedulerQueryClient: the same methods, answered by Gantry.

    Raises nova.exception.NoValidHost where Nova is loaded, this module's NoValidHost elsewhere."""

    def __init__(self, client=None, target=None, timeout=60):
        self._client = client or Client(target, timeout)

    def select_destinations(self, context, spec_obj, instance_uuids, return_objects=False, return_alternates=False):
        args = {
            "spec_obj": _plain(spec_obj),
            "instance_uuids": _plain(instance_uuids),
            "return_objects": return_objects,
            "return_alternates": return_alternates,
        }
        try:
            result = self._call("select_destinations", args, context)
        except NoValidHost as refusal:
            theirs = _nova("nova.exception", "NoValidHost")
            if theirs is None:
                raise
            raise theirs(reason=refusal.reason) from refusal
        return _selections(result) if return_objects else result

    def update_aggregates(self, context, aggregates):
        self._call("update_aggregates", {"aggregates": _plain(aggregates)}, context)

    def delete_aggregate(self, context, aggregate):
        known = aggregate.get("id") if isinstance(aggregate, dict) else aggregate.id
        try:
            self._call("delete_aggregate", {"aggregate": known, "force": True}, context)
        except NotFound:
            pass

    def update_instance_info(self, context, host_name, instance_info):
        self._call("update_instance_info", {"host_name": host_name, "instance_info": _plain(instance_info)}, context)

    def delete_instance_info(self, context, host_name, instance_uuid):
        self._call("delete_instance_info", {"host_name": host_name, "instance_uuid": instance_uuid}, context)

    def sync_instance_info(self, context, host_name, instance_uuids):
        self._call("sync_instance_info", {"host_name": host_name, "instance_uuids": _plain(instance_uuids)}, context)

    def update_resource_stats(self, context, name, stats):
        self._call("update_resource_stats", {"name": _plain(name), "stats": _plain(stats)}, context)

    def _call(self, method, args, context):
        plain = _plain_context(context)
        request_id = (plain or {}).get("request_id")
        return self._client.call_with(method, args, context=plain, request_id=request_id)
