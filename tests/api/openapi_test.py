# SPDX-License-Identifier: Apache-2.0
"""The OpenAPI document held against a real gantryd: what it describes is sent, what comes back must be as it says.

    openapi_test.py PROGRAM_DIRECTORY DRIVER_DIRECTORY METHODS_MD
"""

import json
import re
import sys
import time
import unittest

from json_schema import Validator, resolve
from running_daemon import RunningDaemon

PROGRAMS, DRIVERS, METHODS_MD = sys.argv.pop(1), sys.argv.pop(1), sys.argv.pop(1)

CONFIGURATION = """
scheduler_driver = ["simple", "volume"]
server.max_body_bytes = 65536
"""

FIRST, SECOND = "6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a01", "6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a02"
GROUPED = {"num_instances": 1, "flavor": {"name": "m1.small", "vcpus": 1, "memory_mb": 512},
           "scheduler_hints": {"group": ["web"]}}
VOLUMES = {"topic": "volume", "host": "store1"}
TOO_LARGE = {"num_instances": 1, "flavor": {"vcpus": 1, "memory_mb": 10**9}}

# Every method in an order in which the document's examples work one upon the other; beside it, what is sent in place
# of examples. None: the examples as they are.
SCRIPT = [
    ("service_register", None),
    ("update_resource_stats", None),
    ("update_resource_stats", {"name": ["node2", "blade1"], "topic": "compute"}),
    ("report_state", None),
    ("service_register", VOLUMES),
    ("update_service_capabilities", None),
    ("update_resource_stats", {"name": "store1", "topic": "volume", "stats": {"free_capacity_gb": 900}}),
    ("hosts_up", None),
    ("stats_wanted", None),
    ("stats_wanted", {"topic": "volume"}),
    ("schedule", None),
    ("create_aggregate", None),
    ("add_aggregate_host", None),
    ("update_aggregate", None),
    ("show_aggregate", None),
    ("list_aggregates", None),
    ("create_group", None),
    ("select_destinations", None),
    ("select_destinations", {"explain": True}),
    ("select_destinations", {"explain": "hosts"}),
    ("select_destinations", {"explain": "all_filters"}),
    ("select_destinations", {"return_objects": True}),
    ("select_destinations", {"return_alternates": True, "explain": True}),
    ("select_destinations", {"alternates": 1, "dry_run": True}),
    ("list_decisions", None),
    ("list_decisions", {"outcome": "placed", "limit": 1}),
    ("show_decision", None),
    ("show_decision", {"explain": "all_filters"}),
    ("why_not", None),
    ("why_not", {"host": "nowhere"}),
    ("capacity", None),
    ("capacity", {"by": "zone"}),
    ("capacity", {"by": "aggregate"}),
    ("schedule_run_instance", None),
    ("schedule_run_instance", {"request_spec": GROUPED}),
    ("schedule_run_instance", {"request_spec": TOO_LARGE}),
    ("group_hosts", None),
    ("show_group", None),
    ("list_groups", None),
    ("list_claims", None),
    ("list_casts", None),
    ("receive_casts", None),
    ("receive_casts", {"host": None, "hosts": ["node1", "node2"], "limit": 1}),
    ("acknowledge_cast", None),
    ("update_instance", None),
    ("list_build_failures", None),
    ("clear_build_failures", None),
    ("update_aggregates", None),
    ("update_instance_info", None),
    ("sync_instance_info", None),
    ("delete_instance_info", None),
    ("list_instances", None),
    ("list_instances", {"host": None, "project_id": None, "vm_state": None}),
    ("show_instance", None),
    ("export_fleet", None),
    ("show_host", None),
    ("show_host", {"name": "store1", "topic": "volume"}),
    ("list_hosts", None),
    ("list_hosts", {"topic": "volume", "host": None}),
    ("disable_service", None),
    ("list_hosts", None),
    ("enable_service", None),
    ("force_down_service", {"forced_down": True}),
    ("force_down_service", None),
    ("list_services", None),
    ("import", None),
    ("import", {"tables": {"compute_nodes": [{"hypervisor_hostname": "nobody's"}], "spare": []}, "keep_times": True}),
    ("list_drivers", None),
    ("status", None),
    ("stats", None),
    ("stats", {"reset": True}),
    ("log_level", None),
    ("set_log_level", None),
    ("reload", None),
    ("report", None),
    ("doctor", None),
    ("events", None),
    ("release_claims", None),
    ("delete_instance", None),
    ("remove_aggregate_host", None),
    ("delete_aggregate", None),
    ("delete_group", None),
    ("remove_host", None),
    ("remove_service", None),
    ("create_token", None),
    ("list_tokens", None),
    ("rotate_token", None),
    ("revoke_token", None),
]


# Arguments that are needed in part: of two, one; what a driver's method wants. The document says so in words.
NEEDED_IN_PART = {"receive_casts": {"host"}, "select_destinations": {"request_spec"}, "schedule": {"kwargs"},
                  "add_aggregate_host": {"host"}, "remove_aggregate_host": {"host"},
                  "create_token": {"host"}, "show_decision": {"id"}, "why_not": {"id"}}


def as_text(value):
    return value if isinstance(value, str) else json.dumps(value)


class WithDocument(unittest.TestCase):
    configuration = CONFIGURATION

    def setUp(self):
        self.daemon = RunningDaemon(PROGRAMS, DRIVERS, self.configuration)
        self.addCleanup(self.daemon.stop)
        self.document = self.daemon.ask("GET", "/openapi.json").json
        self.validator = Validator(self.document)
        self.asked = set()

    def methods(self):
        return {path.removeprefix("/v1/"): item for path, item in self.document["paths"].items() if "/v1/" in path}

    def example(self, method):
        content = self.methods()[method]["post"]["requestBody"]["content"]["application/json"]
        return dict(content["example"]["args"])

    def argument_schemas(self, method):
        content = self.methods()[method]["post"]["requestBody"]["content"]["application/json"]
        return content["schema"]["properties"]["args"]

    def ask(self, path, verb, **request):
        """Sends a request; the answer's status must be documented, and its body and headers as that documents them."""
        operation = self.document["paths"][path][verb.lower()]
        answer = self.daemon.ask(verb, path, **request)
        self.asked.add(operation["operationId"])
        self.assertIn(str(answer.status), operation["responses"], f"{verb} {path}: {answer.text}")
        self.hold_against(operation["responses"][str(answer.status)], answer, f"{verb} {path}")
        return answer

    def hold_against(self, response, answer, where):
        if "$ref" in response:
            response = resolve(self.document, response["$ref"])
        for name, header in response["headers"].items():
            if name != "Retry-After":
                self.assertIsNotNone(answer.headers[name], f"{where}: header {name}")
        if "content" not in response:
            self.assertEqual(answer.text, "", where)
            return
        (content_type, content), = response["content"].items()
        self.assertEqual(answer.headers["Content-Type"], content_type)
        value = answer.json if content_type == "application/json" else answer.text
        self.assertEqual(self.validator.faults(content["schema"], value), [], f"{where}: {answer.text}")

    def call(self, method, args, **more):
        return self.ask("/v1/" + method, "POST", body={"args": args}, **more)

    def play(self, script):
        """Sends each method of the script; what reads, by GET too. Every one must succeed."""
        for method, instead in script:
            args = {**self.example(method), **(instead or {})}
            answer = self.call(method, args)
            self.assertEqual(answer.status, 200, f"{method} {args}: {answer.text}")
            if "get" in self.methods()[method]:
                query = {name: as_text(value) for name, value in args.items() if value is not None}
                answer = self.ask("/v1/" + method, "GET", query=query)
                self.assertEqual(answer.status, 200, f"GET {method} {query}: {answer.text}")

    def refused(self, method, args, *words, verb="POST"):
        """A wrong argument must be answered with 400, naming it."""
        if verb == "GET":
            answer = self.ask("/v1/" + method, "GET", query={name: as_text(value) for name, value in args.items()})
        else:
            answer = self.call(method, args)
        self.assertEqual(answer.status, 400, f"{verb} {method} {args}: {answer.text}")
        for word in words:
            self.assertIn(word, answer.json["error"]["message"], f"{verb} {method} {args}")


class TheDocument(WithDocument):
    def test_is_whole(self):
        self.assertEqual(self.document["openapi"], "3.1.0")
        self.assertLessEqual({"title", "version", "license"}, self.document["info"].keys())
        known = {"openapi", "info", "servers", "paths", "components", "security", "tags"}
        self.assertLessEqual(self.document.keys(), known)
        identifiers = []
        for path, item in self.document["paths"].items():
            self.assertTrue(path.startswith("/"), path)
            self.assertLessEqual(item.keys(), {"get", "head", "post"}, path)
            for operation in item.values():
                identifiers.append(operation["operationId"])
                self.check_operation(operation)
        self.assertEqual(len(identifiers), len(set(identifiers)))

    def check_operation(self, operation):
        name = operation["operationId"]
        known = {"operationId", "summary", "description", "tags", "parameters", "requestBody", "responses", "security"}
        self.assertEqual({key for key in operation if key not in known and not key.startswith("x-")}, set(), name)
        self.assertTrue(operation["summary"].endswith("."), name)
        for parameter in operation["parameters"]:
            parameter = resolve(self.document, parameter["$ref"]) if "$ref" in parameter else parameter
            self.assertIn(parameter["in"], {"query", "header"}, name)
            self.assertLessEqual({"name", "description", "schema"}, parameter.keys(), name)
        for status, response in operation["responses"].items():
            self.assertRegex(status, "^[1-5][0-9][0-9]$", name)
            response = resolve(self.document, response["$ref"]) if "$ref" in response else response
            self.assertIn("description", response, name)

    def test_refers_only_to_what_it_has_and_has_only_what_it_refers_to(self):
        references = set(re.findall(r'"\$ref": "([^"]*)"', json.dumps(self.document)))
        for reference in references:
            resolve(self.document, reference)
        components = {f"#/components/{kind}/{name}" for kind, names in self.document["components"].items()
                      for name in names if kind != "securitySchemes"}
        self.assertEqual(components, references)

    def test_has_schemas_of_known_keywords_and_examples_that_they_accept(self):
        for name, schema in self.document["components"]["schemas"].items():
            self.validator.faults(schema, {}, name)
        for method, item in self.methods().items():
            content = item["post"]["requestBody"]["content"]["application/json"]
            self.assertEqual(self.validator.faults(content["schema"], content["example"]), [], method)
            for name, argument in self.argument_schemas(method)["properties"].items():
                values = argument.get("examples", []) + ([argument["default"]] if "default" in argument else [])
                for value in values:
                    self.assertEqual(self.validator.faults(argument, value), [], f"{method} {name}")

    def test_has_every_method_that_the_service_has_and_no_other(self):
        self.assertEqual(list(self.methods()), self.daemon.ask("GET", "/").json["methods"])

    def test_says_by_head_how_long_it_is(self):
        by_get, by_head = self.daemon.ask("GET", "/openapi.json"), self.daemon.ask("HEAD", "/openapi.json")
        self.assertEqual(int(by_head.headers["Content-Length"]), len(by_get.text))

    def test_is_printed_by_gantry_api(self):
        self.assertEqual(json.loads(self.daemon.gantry("api")), self.document)

    def test_agrees_with_the_page_for_people(self):
        """Every method, and each argument of it, stands in sdk/methods.md in backquotes, and no other method does."""
        rows = {}
        with open(METHODS_MD, encoding="utf-8") as page:
            of_methods = False
            for line in page:
                cells = line.split("|")
                of_methods = line.startswith("|") and (of_methods or cells[1].strip() == "method")
                for name in re.findall(r"`(\w+)`", cells[1]) if of_methods else []:
                    rows.setdefault(name, set()).update(re.findall(r"`(\w+)`", cells[2]))
        self.assertEqual(set(rows), set(self.methods()))
        for method in self.methods():
            arguments = set(self.argument_schemas(method)["properties"])
            self.assertEqual(arguments - rows[method], set(), f"{method}: not in sdk/methods.md")


class Requests(WithDocument):
    def test_as_described_are_answered_as_described(self):
        self.play(SCRIPT)
        # The service keeps decisions only where it has the place of nova-scheduler.
        unknown = self.example("recent_decision")
        self.assertEqual(self.call("recent_decision", unknown).status, 404)
        self.assertEqual(self.ask("/v1/recent_decision", "GET", query=unknown).status, 404)
        for name in ("pause_requests", "resume_requests"):
            self.assertEqual(self.call(name, {}).status, 409)
        self.assertEqual(self.call("nova_select_destinations", self.example("nova_select_destinations")).status, 409)
        self.restart_in_vain()
        for path, item in self.document["paths"].items():
            if "head" in item:
                self.assertEqual(self.ask(path, "GET").status, 200)
                self.assertEqual(self.ask(path, "HEAD").status, 200)
        all_operations = {each["operationId"] for item in self.document["paths"].values() for each in item.values()}
        self.assertEqual(all_operations - self.asked, set(), "not sent; SCRIPT needs them")

    def restart_in_vain(self):
        """The daemon goes on, as the configuration is refused, and its status tells of it."""
        file = self.daemon.directory / "gantry.toml"
        valid = file.read_text()
        file.write_text(valid + "no_such_key = 1\n")
        begun = self.call("restart", {"timeout_seconds": 20})
        self.assertEqual(begun.status, 200, begun.text)
        until = time.monotonic() + 20
        outcome = "under_way"
        while outcome == "under_way" and time.monotonic() < until:
            outcome = self.call("status", {}).json["result"]["last_restart"]["outcome"]
        file.write_text(valid)
        self.assertEqual(outcome, "failed")

    def test_carry_the_headers_that_are_described(self):
        request_id = "req-6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0d01"
        answer = self.call("status", {}, headers={"X-Request-Id": request_id, "X-Timeout-Ms": "1000"})
        self.assertEqual((answer.headers["X-Request-Id"], answer.json["request_id"]), (request_id, request_id))
        args, key = self.example("create_group"), {"Idempotency-Key": "once"}
        first, again = self.call("create_group", args, headers=key), self.call("create_group", args, headers=key)
        self.assertEqual(again.json["result"], first.json["result"])
        self.assertEqual(self.call("create_group", args).status, 409)


class AccountsOfHosts(WithDocument):
    configuration = 'scheduler_driver = ["filter"]\n'

    def setUp(self):
        super().setUp()
        for host in ("node1", "node2", "node3"):
            self.play([("service_register", {"host": host}), ("update_resource_stats", {"name": host})])
        self.play([("disable_service", {"host": "node3"})])

    def select(self, explain, **spec):
        args = self.example("select_destinations")
        return self.call("select_destinations", {**args, **spec, "explain": explain})

    def test_are_as_described(self):
        for explain in ("hosts", "all_filters"):
            decision = self.select(explain).json["result"]["decision"]
            hosts = {host["host"]: host for host in decision["instances"][0]["hosts"]}
            self.assertEqual(set(hosts), {"node1", "node2", "node3"})
            self.assertEqual({hosts["node1"]["rank"], hosts["node2"]["rank"], hosts["node3"]["rank"]}, {0, 1, None})
            self.assertTrue(hosts["node1"]["weighers"], decision)
            self.assertEqual(len(hosts["node3"]["verdicts"]), 1 if explain == "hosts" else 9)

    def test_are_in_the_details_where_no_host_fits(self):
        answer = self.select("hosts", request_spec=TOO_LARGE)
        self.assertEqual(answer.json["error"]["code"], "no_valid_host")
        details = answer.json["error"]["details"]
        schema = resolve(self.document, "#/components/schemas/NoValidHost")
        self.assertEqual(self.validator.faults(schema, details), [])
        rejected_by = {host["rejected_by"] for host in details["instances"][0]["hosts"]}
        self.assertEqual(rejected_by, {"ComputeFilter", "RamFilter"})

    def test_are_not_there_unless_they_are_asked_for(self):
        self.assertNotIn("instances", self.select(True).json["result"]["decision"])


class WrongArguments(WithDocument):
    def setUp(self):
        super().setUp()
        self.play([("service_register", None), ("update_resource_stats", None), ("schedule_run_instance", None)])

    def each_argument(self):
        for method in self.methods():
            for name, schema in self.argument_schemas(method)["properties"].items():
                yield method, name, schema

    def test_of_another_type_are_refused(self):
        for method, name, schema in self.each_argument():
            for wrong in (7.5, "wrong", True, {"a": 1}, [7], [[]]):
                if not self.validator.accepts(schema, wrong):
                    self.refused(method, {**self.example(method), name: wrong}, f"argument '{name}'")

    def test_out_of_bounds_are_refused(self):
        for method, name, schema in self.each_argument():
            for bound, step in (("minimum", -1), ("maximum", 1)):
                if bound in schema:
                    self.refused(method, {**self.example(method), name: schema[bound] + step}, f"argument '{name}'")

    def test_that_are_missing_null_or_empty_are_refused_where_they_are_required(self):
        for method, item in self.methods().items():
            example = self.example(method)
            for name in self.argument_schemas(method).get("required", []):
                without = {key: value for key, value in example.items() if key != name}
                self.refused(method, without, method, f"argument '{name}'")
                self.refused(method, {**without, name: None}, method, f"argument '{name}'")
                if self.argument_schemas(method)["properties"][name].get("minLength"):
                    self.refused(method, {**without, name: ""}, method, f"argument '{name}'")
                if "get" in item:
                    self.refused(method, without, method, f"argument '{name}'", verb="GET")

    def test_that_are_not_required_may_be_missing(self):
        for method in self.methods():
            needed = set(self.argument_schemas(method).get("required", [])) | NEEDED_IN_PART.get(method, set())
            answer = self.call(method, {name: value for name, value in self.example(method).items() if name in needed})
            self.assertNotEqual(answer.status, 400, f"{method}: {answer.text}")

    def test_that_no_method_has_are_refused(self):
        for method, item in self.methods().items():
            self.refused(method, {**self.example(method), "no_such": 1}, method, "'no_such'")
            if "get" in item:
                self.refused(method, {**self.example(method), "no_such": "1"}, method, "'no_such'", verb="GET")

    def test_in_a_query_are_refused_as_in_a_body(self):
        for method, item in self.methods().items():
            for parameter in item.get("get", {"parameters": []})["parameters"]:
                if parameter.get("schema", {}).get("type") in ("integer", "boolean"):
                    args = {**self.example(method), parameter["name"]: "wrong"}
                    self.refused(method, args, f"argument '{parameter['name']}'", verb="GET")


class Failures(WithDocument):
    def failed(self, status, code, answer, response=None):
        self.assertEqual((answer.status, answer.json["error"]["code"]), (status, code), answer.text)
        documented = resolve(self.document, f"#/components/responses/{response or f'Failure{status}'}")
        self.hold_against(documented, answer, f"{status} {code}")

    def test_of_methods_are_as_described(self):
        self.play([("service_register", None), ("update_resource_stats", None), ("create_group", None),
                   ("schedule_run_instance", None), ("update_instance", None)])
        self.failed(400, "invalid_argument", self.call("create_group", {"name": "n", "policy": "any"}))
        self.failed(404, "not_found", self.call("show_instance", {"instance": "nobody"}))
        self.failed(404, "unsupported", self.call("schedule", {"topic": "volume", "schedule_method": "no_such"}))
        self.failed(409, "already_exists", self.call("create_group", self.example("create_group")))
        again = self.call("schedule_run_instance", self.example("schedule_run_instance"))
        self.failed(409, "failed_precondition", again)
        no_host = self.call("select_destinations", {"request_spec": TOO_LARGE})
        self.failed(409, "no_valid_host", no_host)
        steps = resolve(self.document, "#/components/schemas/NoValidHost")
        self.assertEqual(self.validator.faults(steps, no_host.json["error"]["details"]), [])
        many = {"request_spec": {**GROUPED, "num_instances": 10000, "notes": "x" * 10000}}
        self.failed(503, "resource_exhausted", self.call("schedule_run_instance", many))

    def test_of_requests_are_as_described(self):
        daemon = self.daemon
        self.failed(400, "invalid_argument", daemon.ask("POST", "/v1/status", body={"arguments": {}}))
        self.failed(400, "invalid_argument", daemon.ask("POST", "/v1/status", body={"args": []}))
        self.failed(400, "invalid_argument", daemon.ask("POST", "/v1/status", body={"context": "me"}))
        self.failed(400, "invalid_argument", daemon.ask("POST", "/v1/status", body={}, headers={"X-Timeout-Ms": "0"}))
        self.failed(404, "unsupported", daemon.ask("POST", "/v1/statuses", body={}))
        self.failed(404, "unsupported", daemon.ask("GET", "/v2/status"))
        self.failed(411, "invalid_argument", daemon.send_bytes(b"POST /v1/status HTTP/1.1\r\nHost: a\r\n\r\n"))
        large = {"context": {"notes": "x" * 70000}}
        self.failed(413, "invalid_argument", daemon.ask("POST", "/v1/status", body=large))
        text = {"Content-Type": "text/plain"}
        self.failed(415, "invalid_argument", daemon.ask("POST", "/v1/status", body={}, headers=text))
        long = {"X-Notes": "x" * 20000}
        self.failed(431, "invalid_argument", daemon.ask("GET", "/v1/status", headers=long))

    def test_by_another_verb_name_the_verbs_that_are_described(self):
        for path, item in self.document["paths"].items():
            for verb in {"GET", "HEAD", "POST", "DELETE"} - {verb.upper() for verb in item}:
                answer = self.daemon.ask(verb, path, body={} if verb == "POST" else None)
                self.assertEqual(answer.status, 405, f"{verb} {path}")
                self.assertEqual({each.lower() for each in answer.headers["Allow"].split(", ")}, set(item), path)


if __name__ == "__main__":
    unittest.main(verbosity=2)
