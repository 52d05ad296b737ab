# SPDX-License-Identifier: Apache-2.0
"""sdk/python/gantry_client.py against the real HTTP server: client_python_test.py SERVER_PROGRAM MODULE_DIRECTORY"""

import ast
import inspect
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import types
import unittest
from unittest import mock

SERVER = sys.argv.pop(1)
sys.path.insert(0, sys.argv.pop(1))

import gantry_client  # noqa: E402


class Server:
    def __init__(self, path):
        self.process = subprocess.Popen([SERVER, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.process.stdout.readline() == b"ready\n"

    def stop(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


class WithServer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.path = os.path.join(cls.directory.name, "gantry.sock")
        cls.server = Server(cls.path)

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()
        cls.directory.cleanup()

    def setUp(self):
        self.client = gantry_client.Client(self.path, timeout=10)
        self.addCleanup(self.client.close)


class Network(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.server = subprocess.Popen([SERVER, os.path.join(cls.directory.name, "s"), "tls", cls.directory.name],
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        cls.url, cls.authority = cls.server.stdout.readline().decode().split()[1:]

    @classmethod
    def tearDownClass(cls):
        cls.server.stdin.close()
        cls.server.wait()
        cls.server.stdout.close()
        cls.directory.cleanup()

    def client(self, **options):
        client = gantry_client.Client(self.url, timeout=10, **options)
        self.addCleanup(client.close)
        return client

    def test_speaks_tls_and_brings_its_token(self):
        client = self.client(token="admin", ca_file=self.authority)
        self.assertEqual(client.schedule("volume", "m")["args"]["topic"], "volume")
        self.assertEqual(client.schedule("volume", "m")["args"]["topic"], "volume")

    def test_says_that_a_token_is_wanted_or_not_enough(self):
        with self.assertRaises(gantry_client.Unauthenticated):
            self.client(ca_file=self.authority).status()
        with self.assertRaises(gantry_client.PermissionDenied):
            self.client(token="good", ca_file=self.authority).schedule("volume", "m")

    def test_takes_token_and_authority_from_the_environment(self):
        path = os.path.join(self.directory.name, "token")
        with open(path, "w") as file:
            file.write("admin\n")
        os.chmod(path, 0o600)
        with mock.patch.dict(os.environ, {"GANTRY_TOKEN_FILE": path, "GANTRY_CA_FILE": self.authority}):
            self.assertEqual(self.client().schedule("volume", "m")["args"]["topic"], "volume")

    def test_refuses_a_certificate_that_nobody_it_trusts_has_signed(self):
        with self.assertRaisesRegex(gantry_client.Unreachable, "is not trusted"):
            self.client(token="admin").status()

    def test_refuses_a_token_file_that_others_may_read(self):
        path = os.path.join(self.directory.name, "open")
        with open(path, "w") as file:
            file.write("admin\n")
        os.chmod(path, 0o644)
        with self.assertRaisesRegex(gantry_client.BadRequest, "others may not read it, found mode 0644; run: chmod o= "):
            self.client(token_file=path, ca_file=self.authority).status()

    def test_sends_no_token_in_clear_to_a_name_that_begins_like_a_loopback_address(self):
        with self.assertRaisesRegex(gantry_client.BadRequest, "https"):
            gantry_client.Client("http://127.evil.example:1", token="admin")

    def test_reads_its_token_file_again_when_the_token_is_refused(self):
        path = os.path.join(self.directory.name, "rotated")
        with open(path, "w") as file:
            file.write("revoked\n")
        os.chmod(path, 0o600)
        client = self.client(token_file=path, ca_file=self.authority)
        with self.assertRaises(gantry_client.Unauthenticated):
            client.status()
        with open(path, "w") as file:
            file.write("admin\n")
        client.status()

    def test_keeps_its_token_from_a_plain_network(self):
        with self.assertRaisesRegex(gantry_client.BadRequest, "use https"):
            gantry_client.Client("http://192.0.2.1:80", token="admin")


class Calls(WithServer):
    def test_carries_arguments_and_context(self):
        client = gantry_client.Client("unix://" + self.path, context={"user_id": "u"})
        self.addCleanup(client.close)
        echo = client.call("schedule", topic="volume", number=2 ** 60, text="žluťoučký")
        self.assertEqual(echo["args"], {"topic": "volume", "number": 2 ** 60, "text": "žluťoučký"})
        self.assertEqual(echo["context"], {"user_id": "u"})
        self.assertEqual(echo["peer"], "unix uid=%d pid=%d" % (os.getuid(), os.getpid()))

    def test_offers_each_method_by_name(self):
        self.assertEqual(self.client.list_hosts(topic="compute")["method"], "list_hosts")
        self.assertEqual(self.client.hosts_up("compute")["args"], {"topic": "compute"})
        self.assertEqual(self.client.group_hosts("g")["args"], {"group": "g"})
        self.assertEqual(self.client.report_state("compute", "h")["args"], {"topic": "compute", "host": "h"})
        self.assertEqual(self.client.schedule("volume", "create", size=3)["args"],
                         {"topic": "volume", "schedule_method": "create", "kwargs": {"size": 3}})
        self.assertEqual(self.client.update_resource_stats(("h", "n"), {"vcpus": 4})["args"]["name"], ["h", "n"])
        self.assertEqual(self.client.receive_casts("compute", "h", wait_ms=5)["args"]["wait_ms"], 5)

    def test_finds_its_target_in_the_environment(self):
        with mock.patch.dict(os.environ, {"GANTRY_URL": self.path}):
            with gantry_client.Client() as client:
                self.assertEqual(client.status()["method"], "status")

    def test_sends_a_request_id_and_an_idempotency_key(self):
        echo = self.client.status()
        self.assertRegex(echo["request_id"], "^req-[0-9a-f-]{36}$")
        self.assertRegex(echo["idempotency_key"], "^[0-9a-f-]{36}$")

    def test_refuses_a_target_of_unknown_form(self):
        for target in ("https://host", "host:80", "http://host", "ftp://x"):
            with self.assertRaises(gantry_client.BadRequest):
                gantry_client.Client(target)

    def test_refuses_what_json_cannot_carry(self):
        with self.assertRaises(gantry_client.BadRequest):
            self.client.call("schedule", number=float("nan"))
        with self.assertRaises(gantry_client.BadRequest):
            self.client.call("schedule", thing=object())


class Failures(WithServer):
    def fails(self, code, **more):
        with self.assertRaises(gantry_client.GantryError) as caught:
            self.client.call("schedule", fake=dict(error=code, **more))
        return caught.exception

    def test_raises_a_class_for_each_code(self):
        classes = {
            "invalid_argument": gantry_client.BadRequest, "not_found": gantry_client.NotFound,
            "permission_denied": gantry_client.PermissionDenied, "unsupported": gantry_client.Unsupported,
            "already_exists": gantry_client.AlreadyExists, "failed_precondition": gantry_client.Conflict,
            "resource_exhausted": gantry_client.ResourceExhausted, "internal": gantry_client.ServerError,
            "deadline_exceeded": gantry_client.DeadlineExceeded, "invalid_configuration": gantry_client.ServerError,
        }
        for code, kind in classes.items():
            failure = self.fails(code, message="because", details={"a": 1})
            self.assertIs(type(failure), kind)
            self.assertEqual((failure.code, failure.message, failure.details), (code, "because", {"a": 1}))
            self.assertRegex(failure.request_id, "^req-")

    def test_no_valid_host_has_its_reason_and_details(self):
        failure = self.fails("no_valid_host", message="No valid host was found. full",
                             details={"reason": "full", "steps": []})
        self.assertIsInstance(failure, gantry_client.NoValidHost)
        self.assertEqual(failure.reason, "full")
        self.assertEqual(failure.details["steps"], [])

    def test_an_unknown_method_is_unsupported(self):
        with self.assertRaisesRegex(gantry_client.Unsupported, "did you mean list_hosts"):
            self.client.list_host()

    def test_repeats_what_is_unavailable_with_the_same_key(self):
        echo = self.client.call("schedule", fake={"unavailable": 2})
        self.assertEqual(echo["method"], "schedule")

    def test_gives_up_on_what_stays_unavailable(self):
        given_up = (gantry_client.Unavailable, gantry_client.DeadlineExceeded)
        with self.assertRaisesRegex(given_up, "not now") as caught:
            self.client.call_with("schedule", {"fake": {"unavailable": 1000}}, timeout=0.3)
        self.assertNotIsInstance(caught.exception, gantry_client.Unreachable)
        self.assertGreater(caught.exception.attempts, 1)

    def test_is_told_of_a_body_that_is_too_large(self):
        with self.assertRaisesRegex(gantry_client.BadRequest, "max_body_bytes"):
            self.client.call("schedule", text="x" * (9 << 20))

    def test_ends_at_its_deadline(self):
        with self.assertRaisesRegex(gantry_client.DeadlineExceeded, "within 0.2 s"):
            self.client.call_with("schedule", {"fake": {"delay_ms": 2000}}, timeout=0.2)
        self.assertEqual(self.client.status()["method"], "status")

    def test_names_the_refusal_before_a_try_that_took_too_long(self):
        with self.assertRaisesRegex(gantry_client.DeadlineExceeded, "the try before: .*not now"):
            self.client.call_with("schedule", {"fake": {"unavailable": 1, "hold": True}}, timeout=2)


class PagedClient(gantry_client.Client):
    """A client of a daemon with so many hosts, which answers in pages of which each has so many items at most."""

    def __init__(self, count, longest_page, text=""):
        super().__init__("unix:///nowhere")
        self.hosts = [{"host": "h%05d" % at, "hypervisor_hostname": "n/1", "text": text} for at in range(count)]
        self.longest_page = longest_page
        self.asked = []

    def _call_with(self, method, args, *more):
        self.asked.append(dict(args))
        begin = 0
        if "marker" in args:
            ids = [host["host"] + "/n%2F1" for host in self.hosts]
            begin = ids.index(args["marker"]) + 1
        return self.hosts[begin:begin + min(args["limit"], self.longest_page)]


class Lists(unittest.TestCase):
    def test_are_whole_where_no_limit_is_given(self):
        client = PagedClient(2500, 10000)
        self.assertEqual(client.list_hosts(topic="compute"), client.hosts)
        self.assertEqual([asked["limit"] for asked in client.asked], [1000] * 3)

    def test_go_on_after_a_page_that_many_bytes_have_ended(self):
        client = PagedClient(20, 9, "x" * 1000000)
        self.assertEqual(len(client.list_hosts()), 20)

    def test_have_the_items_that_a_limit_asks_for(self):
        client = PagedClient(2500, 10000)
        self.assertEqual(len(client.list_hosts(limit=7)), 7)
        self.assertEqual(len(client.asked), 1)


class WithoutServer(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.path = os.path.join(self.directory.name, "gantry.sock")

    def test_says_what_to_do_if_no_daemon_answers(self):
        client = gantry_client.Client(self.path, absent_wait=0.1)
        with self.assertRaisesRegex(gantry_client.Unreachable, r"no daemon answers at unix://.*\(No such file or "
                                                               r"directory\): is gantryd running\?.*GANTRY_URL"):
            client.status()

    def test_waits_for_a_daemon_that_restarts(self):
        server = Server(self.path)
        client = gantry_client.Client(self.path)
        client.status()
        server.stop()
        started = []
        starter = threading.Timer(0.3, lambda: started.append(Server(self.path)))
        starter.start()
        self.assertEqual(client.status()["method"], "status")
        starter.join()
        client.close()
        started[0].stop()

    def peer(self, behave):
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(self.path)
        listener.listen()

        def serve():
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                with connection:
                    self.take_request(connection)
                    behave(connection)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        self.addCleanup(thread.join, 5)
        self.addCleanup(listener.close)
        self.addCleanup(listener.shutdown, socket.SHUT_RDWR)

    @staticmethod
    def take_request(connection):
        received = b""
        while b"\r\n\r\n" not in received:
            received += connection.recv(65536)
        head, _, body = received.partition(b"\r\n\r\n")
        length = int(re.search(rb"(?i)content-length: *(\d+)", head).group(1))
        while len(body) < length:
            body += connection.recv(65536)

    def test_tells_what_is_not_gantry(self):
        self.peer(lambda connection: connection.sendall(b"SSH-2.0-OpenSSH_9.2\r\n"))
        with self.assertRaises(gantry_client.ProtocolError):
            gantry_client.Client(self.path).status()

    def test_tells_a_web_server_of_another_kind(self):
        self.peer(lambda connection: connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n<ht>"))
        with self.assertRaises(gantry_client.ProtocolError):
            gantry_client.Client(self.path).status()

    def test_repeats_a_call_whose_connection_is_lost(self):
        answers = [b"", b"HTTP/1.1 200 OK\r\nContent-Le", b'HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n{"result":7}']
        self.peer(lambda connection: connection.sendall(answers.pop(0)))
        self.assertEqual(gantry_client.Client(self.path).status(), 7)

    def test_gives_up_after_three_repeats_if_the_connection_is_always_lost(self):
        self.peer(lambda connection: None)
        with self.assertRaisesRegex(gantry_client.Unreachable, "was lost before the answer came") as raised:
            gantry_client.Client(self.path, timeout=60).status()
        self.assertEqual(raised.exception.attempts, 4)


class NovaContext:
    def to_dict(self):
        return {"user_id": "u", "auth_token": "secret", "service_catalog": [],
                "request_id": "req-0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"}


class NovaSpec:
    def obj_to_primitive(self):
        return {"nova_object.name": "RequestSpec", "nova_object.data": {"num_instances": 1}}


class FakeSelection:
    @classmethod
    def obj_from_primitive(cls, primitive):
        selection = cls()
        selection.host = primitive["nova_object.data"]["service_host"]
        return selection


class NovasFace(WithServer):
    def setUp(self):
        super().setUp()
        self.query = gantry_client.SchedulerQueryClient(self.client)

    def test_takes_novas_objects(self):
        echo = self.query.select_destinations(NovaContext(), NovaSpec(), ["i1"], return_alternates=True)
        self.assertEqual(echo["args"], {"spec_obj": NovaSpec().obj_to_primitive(), "instance_uuids": ["i1"],
                                        "return_objects": False, "return_alternates": True})
        self.assertEqual(echo["context"]["user_id"], "u")
        self.assertEqual(echo["request_id"], "req-0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0")

    def test_keeps_tokens_to_itself(self):
        echo = self.query.select_destinations(NovaContext(), NovaSpec(), None)
        self.assertNotIn("auth_token", echo["context"])
        self.assertNotIn("service_catalog", echo["context"])

    def test_takes_dictionaries(self):
        echo = self.query.select_destinations({"user_id": "u"}, {"num_instances": 2}, ["a", "b"])
        self.assertEqual(echo["args"]["spec_obj"], {"num_instances": 2})

    def test_gives_novas_selections_where_nova_is_loaded(self):
        chosen = [[{"nova_object.name": "Selection", "nova_object.data": {"service_host": "h1"}}]]
        spec = {"fake": {"result": chosen}}
        self.assertEqual(self.query.select_destinations({}, spec, None, return_objects=True), chosen)
        base = types.ModuleType("nova.objects.base")
        base.NovaObject = FakeSelection
        with mock.patch.dict(sys.modules, {"nova.objects.base": base}):
            found = self.query.select_destinations({}, spec, None, return_objects=True)
        self.assertEqual(found[0][0].host, "h1")

    def test_sends_the_updates_of_novas_computes_and_api(self):
        sent = []
        self.query._call = lambda method, args, context: sent.append((method, args))
        self.query.update_aggregates({}, [{"id": 1}])
        self.query.delete_aggregate({}, {"id": 1})
        self.query.update_instance_info({}, "h1", NovaSpec())
        self.query.delete_instance_info({}, "h1", "i1")
        self.query.sync_instance_info({}, "h1", ["i1"])
        self.assertEqual(sent, [
            ("update_aggregates", {"aggregates": [{"id": 1}]}),
            ("delete_aggregate", {"aggregate": 1, "force": True}),
            ("update_instance_info", {"host_name": "h1", "instance_info": NovaSpec().obj_to_primitive()}),
            ("delete_instance_info", {"host_name": "h1", "instance_uuid": "i1"}),
            ("sync_instance_info", {"host_name": "h1", "instance_uuids": ["i1"]}),
        ])

    def test_takes_the_deletion_of_an_aggregate_that_is_gone(self):
        def absent(method, args, context):
            raise gantry_client.NotFound("no aggregate '1'")
        self.query._call = absent
        self.query.delete_aggregate({}, {"id": 1})

    def test_has_each_method_of_novas_class_with_its_arguments(self):
        path = pathlib.Path("/usr/lib/python3/dist-packages/nova/scheduler/client/query.py")
        if not path.is_file():
            self.skipTest("python3-nova is not installed")
        novas = next(each for each in ast.parse(path.read_text()).body if isinstance(each, ast.ClassDef))
        for theirs in (each for each in novas.body if isinstance(each, ast.FunctionDef) and each.name[0] != "_"):
            ours = inspect.getfullargspec(getattr(gantry_client.SchedulerQueryClient, theirs.name))
            self.assertEqual(ours.args, [argument.arg for argument in theirs.args.args], theirs.name)
            self.assertEqual(len(ours.defaults or ()), len(theirs.args.defaults), theirs.name)

    def test_raises_novas_exception_where_nova_is_loaded(self):
        spec = {"fake": {"error": "no_valid_host", "details": {"reason": "full"}}}
        with self.assertRaises(gantry_client.NoValidHost):
            self.query.select_destinations({}, spec, None)

        class TheirNoValidHost(Exception):
            def __init__(self, reason):
                super().__init__(reason)

        module = types.ModuleType("nova.exception")
        module.NoValidHost = TheirNoValidHost
        with mock.patch.dict(sys.modules, {"nova.exception": module}):
            with self.assertRaisesRegex(TheirNoValidHost, "full"):
                self.query.select_destinations({}, spec, None)

    def test_reports_stats_of_a_host_and_node(self):
        self.assertIsNone(self.query.update_resource_stats(NovaContext(), ("h", "n"), {"vcpus": 1}))


if __name__ == "__main__":
    unittest.main()
