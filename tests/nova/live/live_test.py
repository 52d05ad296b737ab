#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The parts of nova-live that need no control plane."""

import argparse
import json
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import actions  # noqa: E402
import bare_placement  # noqa: E402
import bench_table  # noqa: E402
import causes  # noqa: E402
import command_line  # noqa: E402
import configuration  # noqa: E402
import observation  # noqa: E402
import outage_table  # noqa: E402
import processors  # noqa: E402
import release  # noqa: E402
import results  # noqa: E402
import scenario  # noqa: E402
import suite  # noqa: E402
import table  # noqa: E402
from home import Home  # noqa: E402
from judgement import judge, times  # noqa: E402
from wire import Wire  # noqa: E402

PROGRAM = Path(__file__).resolve().parents[3] / "packaging" / "nova-live"


def observed(host="c0", state="active", **more):
    server = {"host": host, "node": host, "state": state, "task": None, "zone": "nova", "faults": []}
    return {"servers": {"a": server}, "allocations": {}, "selections": [], "migrations": [], "notes": {}, **more}


class Suites(unittest.TestCase):
    def test_gantry_gets_the_level_of_the_nova_that_is_installed(self):
        self.assertEqual([release.level_of(each) for each in ("26.2.2", "31.0.0", "34.0.0", "35.1.0")],
                         ["zed", "epoxy", "hibiscus", "hibiscus"])

    def test_libraries_of_the_machine_are_brought_along_but_not_those_that_every_release_has(self):
        listing = ("\tlinux-vdso.so.1 (0x1)\n\tlibboost_json.so.1.81.0 => /usr/lib/libboost_json.so.1.81.0 (0x2)\n"
                   "\tlibstdc++.so.6 => /usr/lib/libstdc++.so.6 (0x3)\n\tlibc.so.6 => /usr/lib/libc.so.6 (0x4)\n"
                   "\tlibgone.so => not found\n")
        self.assertEqual(suite.libraries_of(listing), ["/usr/lib/libboost_json.so.1.81.0"])

    def test_the_releases_are_known_whose_callers_look_for_answers_in_steps(self):
        found = {each: release.is_stepping(each) for each in ("14.0.3", "14.7.2", "14.8.0", "16.1.0", "18.1.0", "18.2.0", "18.3.0")}
        self.assertEqual([each for each, stepping in found.items() if stepping], ["14.8.0", "16.1.0", "18.1.0"])

    def test_the_chroot_gets_the_command_without_what_is_said_of_the_chroot(self):
        given = ["--suite", "trixie", "--root=/r", "run", "--programs", "/p", "--scheduler", "gantry", "create"]
        self.assertEqual(command_line.without_options(given, ("--suite", "--root", "--programs")),
                         ["run", "--scheduler", "gantry", "create"])


class Starting(unittest.TestCase):
    @unittest.skipUnless(Path("/usr/lib/python3/dist-packages/nova").exists(), "python3-nova is not installed: packaging/install-packages --parity")
    def test_hosts_of_a_scenario_count_their_builds_at_builds_alone(self):
        """Otherwise a round at a moment of its own decides where the next server goes."""
        words = ("import sys, nova_starter, nova.compute.manager as m\n"
                 "for file in sys.argv[1:]:\n"
                 "    nova_starter.set_rounds(['--config-file', file]); names = dict(m.ComputeManager._periodic_tasks)\n"
                 "    print('update_available_resource' in names, '_sync_power_states' in names)\n")
        with tempfile.TemporaryDirectory() as directory:
            home = Home(directory)
            home.make()
            configuration.write_nova_compute(home, "c0", has_rounds=True)
            configuration.write_nova_compute(home, "c1")
            said = subprocess.run(["/usr/bin/python3", "-B", "-c", words, *(str(home.file("etc", f"{name}.conf")) for name in ("c0", "c1"))],
                                  cwd=Path(__file__).resolve().parent, text=True, capture_output=True, check=True).stdout
        self.assertEqual(said, "True True\nFalse True\n")


class Comparing(unittest.TestCase):
    def test_equal_members_do_not_differ(self):
        self.assertEqual(observation.differences(observed(), observed()), [])

    def test_a_difference_is_named_by_its_path(self):
        self.assertEqual(
            observation.differences({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}), ["a[1].b: 2 and 3"])
        self.assertEqual(observation.differences({"a": 1}, {}), ["a: only with the first: 1"])
        self.assertEqual(observation.differences([1], [1, 2], "x"), ["x: [1] and [1, 2]"])

    def test_hosts_of_equal_weight_are_one(self):
        first, second = ({"a": host, "on": {host: 1}} for host in ("c0", "c2"))
        equal = (("c0", "c2"),)
        self.assertEqual(
            observation.differences(*(observation.with_equal_hosts(part, equal) for part in (first, second))), [])

    def test_ids_in_texts_do_not_differ(self):
        uuids = ("26b01850-abb6-4473-a97e-dced07f7f1e0", "ede98556-9498-4209-bf47-f5b146eabae1")
        first, second = (observed(notes={"a": f"Build of instance {uuid} aborted"}) for uuid in uuids)
        self.assertEqual(results.compare(scenario.load()["create"], first, second), [])

    def test_the_summary_names_hosts_states_and_notes(self):
        text = observation.summary(observed(state="error", host=None, notes={"b": "refused: 400"}))
        self.assertEqual(text, "a=ERROR; b: refused: 400")
        self.assertTrue(observation.summary(observed(remarks=["granted twice"])).endswith("a=c0; granted twice"))

    def test_a_refusal_beside_a_free_place_is_told_from_room_that_placement_grants_twice(self):
        places = {"c0": 2, "c1": 1}
        judge_places = observation.refused_beside_room
        self.assertEqual(judge_places([("ACTIVE", "c0"), ("ACTIVE", "c0"), ("ACTIVE", "c1"), ("ERROR", None)], places), ([], []))
        self.assertEqual(judge_places([("ACTIVE", "c0"), ("ACTIVE", "c1"), ("ERROR", None)], places), (["c0"], []))
        self.assertEqual(judge_places([("ACTIVE", "c1")], places), ([], []), "none was refused")
        self.assertEqual(judge_places([("ACTIVE", "c0"), ("ACTIVE", "c0"), ("ACTIVE", "c1"), ("ACTIVE", "c1")], places), ([], ["c1"]))


class Causes(unittest.TestCase):
    def test_a_failure_is_novas_own_only_if_a_log_names_the_server_in_it(self):
        with tempfile.TemporaryDirectory() as directory:
            log = Path(directory) / "c0.log"
            log.write_text("1 INFO started s1\n2 ERROR about s2\n3 WARNING Unable to delete allocation for instance s3\n4 ERROR [req-4] x\n"
                           "5 ERROR about s5\n6 ERROR [s5] Failed to schedule instances: timed out\n")
            found = {name: causes.failure_in_nova([Path(directory) / "none.log", log], {name}) for name in ("s1", "s2", "s3", "req-4", "s5")}
        self.assertEqual(found["s1"], "")
        self.assertEqual(found["s2"], "c0.log: 2 ERROR about s2")
        self.assertIn("Unable to delete", found["s3"])
        self.assertIn("req-4", found["req-4"])
        self.assertEqual(found["s5"], "")


def copied(wire, where, now=1.0, user="nova", queues=("q",), **inner):
    """A message as the broker's copy has it."""
    body = json.dumps({"oslo.version": "2.0", "oslo.message": json.dumps(inner)})
    wire.take(where, {"user": user, "routed_queues": list(queues)}, body, now)


class Wires(unittest.TestCase):
    server = "26b01850-abb6-4473-a97e-dced07f7f1e0"

    def asked(self, takers=(), reply=None, answered_by="", queues=("scheduler",)):
        """A wire on which a request about the server was sent at 10, and taken at 11, 12 and so on."""
        wire = Wire()
        copied(wire, "publish.nova", 10.0, queues=queues, method="select_destinations", args={"instance_uuids": [self.server]},
               _unique_id="u1", _msg_id="m1", _context_request_id="req-1")
        for place, taker in enumerate(takers):
            copied(wire, "deliver.scheduler", 11.0 + place, taker, method="select_destinations", args={}, _unique_id="u1")
        if reply:
            copied(wire, "publish.", 20.0, answered_by, _msg_id="m1", ending=True, **reply)
        return wire

    def test_a_call_is_followed_from_its_sender_to_its_answer(self):
        wire = self.asked(["gantry-1"], {"result": [["c0"]], "failure": None}, "gantry-1")
        copied(wire, "publish.", 21.0, "gantry-1", _msg_id="another", ending=True, result=None)
        (message,) = wire.of(self.server)
        self.assertEqual((message.sent, message.queues, message.taken), (10.0, ["scheduler"], [(11.0, "gantry-1")]))
        (call,) = wire.calls()
        self.assertEqual((call["reply"]["result"], call["answered_by"], message.request_id), ([["c0"]], "gantry-1", "req-1"))
        self.assertIsNone(call["heard_at"])
        copied(wire, "deliver.reply_x", 21.0, _msg_id="m1", ending=True, result=[["c0"]])
        self.assertEqual(call["heard_at"], 21.0)

    def test_other_messages_and_what_is_no_message_are_passed_over(self):
        wire = Wire()
        copied(wire, "publish.nova", method="object_action", args={}, _unique_id="u")
        for body in (b"select_destinations", "[]", b'{"oslo.message": 1, "x": "ping"}'):
            wire.take("publish.nova", {}, body, 1.0)
        self.assertEqual((wire.messages, wire.probes), ({}, {}))

    def test_the_broker_lost_what_it_had_no_queue_for(self):
        self.assertIn("no queue", causes.loss_at_broker(self.asked(queues=()).of(self.server), []))

    def test_the_broker_lost_what_nobody_had_taken_when_it_ended(self):
        messages = self.asked().of(self.server)
        self.assertIn("was in the queue", causes.loss_at_broker(messages, [(14.0, 15.0)]))
        self.assertEqual(causes.loss_at_broker(messages, [(8.0, 9.0)]), "")
        self.assertEqual(causes.loss_at_broker(messages, []), "")
        self.assertEqual(causes.loss_at_broker(self.asked(["gantry-1"]).of(self.server), [(14.0, 15.0)]), "")

    def test_the_broker_was_away_when_the_caller_gave_up(self):
        messages = self.asked(["gantry-1"]).of(self.server)
        self.assertIn("gave up", causes.gave_up_without_broker(messages, [(60.0, 71.0)]))
        self.assertEqual(causes.gave_up_without_broker(messages, [(60.0, 69.0)]), "")
        self.assertEqual(causes.gave_up_without_broker(messages, [(71.0, 80.0)]), "")

        late = self.asked(["gantry-1"], {"result": [["c0"]]}, "gantry-1")
        copied(late, "deliver.reply_x", 72.0, _msg_id="m1", ending=True, result=[["c0"]])
        self.assertIn("gave up", causes.gave_up_without_broker(late.of(self.server), [(60.0, 71.0)]))

    def test_the_broker_ended_as_it_handed_a_boot_to_the_conductor(self):
        wire = Wire()
        copied(wire, "publish.nova", 10.0, method="schedule_and_build_instances", args={"x": self.server}, _unique_id="u1")
        copied(wire, "deliver.conductor", 10.1, method="schedule_and_build_instances", args={}, _unique_id="u1")
        self.assertIn("nothing followed", causes.loss_at_broker(wire.of(self.server), [(11.0, 15.0)]))
        self.assertEqual(causes.loss_at_broker(wire.of(self.server), [(13.0, 15.0)]), "")

    def test_a_request_that_is_refused_after_two_kills_is_told_from_other_refusals(self):
        def found(words, *kills):
            wire = self.asked(["gantry-1"], {"result": None, "failure": words}, "gantry-1")
            return causes.killed_twice(wire.of(self.server), {"gantry-1": list(kills)})

        words = "The scheduler ended twice while it worked on this request; it is not tried again"
        self.assertIn("killed 2 times", found(words, 5.0, 12.0, 15.0))
        self.assertEqual(found(words, 5.0, 12.0), "")
        self.assertEqual(found(words, 12.0, 25.0), "")
        self.assertEqual(found("NoValidHost", 12.0, 15.0), "")
        self.assertEqual(causes.killed_twice(self.asked(["gantry-1"]).of(self.server), {"gantry-1": [12.0, 15.0]}), "")

    def test_the_broker_lost_an_answer_that_it_had_and_nobody_heard(self):
        wire = self.asked(["gantry-1"], {"result": [["c0"]]}, "gantry-1")
        self.assertIn("with the answer", causes.loss_at_broker(wire.of(self.server), [(21.5, 22.0)]))
        copied(wire, "deliver.reply_x", 21.0, _msg_id="m1", ending=True, result=[["c0"]])
        self.assertEqual(causes.loss_at_broker(wire.of(self.server), [(21.5, 22.0)]), "")

    def test_nova_scheduler_lost_what_it_was_the_last_to_take(self):
        for takers in (["nova-1"], ["gantry-1", "nova-1"]):
            self.assertIn("never answered", causes.loss_at_nova_scheduler(self.asked(takers).of(self.server)))
        for takers in ([], ["gantry-1"], ["nova-1", "gantry-1"]):
            self.assertEqual(causes.loss_at_nova_scheduler(self.asked(takers).of(self.server)), "")
        failure = {"result": None, "failure": "NoValidHost"}
        self.assertIn("NoValidHost", causes.loss_at_nova_scheduler(self.asked(["nova-1"], failure, "nova-1").of(self.server)))
        self.assertEqual(causes.loss_at_nova_scheduler(self.asked(["gantry-1"], failure, "gantry-1").of(self.server)), "")
        chosen = {"result": [["c0"]], "failure": None}
        self.assertEqual(causes.loss_at_nova_scheduler(self.asked(["nova-1"], chosen, "nova-1").of(self.server)), "")


class Actions(unittest.TestCase):
    def test_the_same_seed_gives_the_same_plan(self):
        self.assertEqual(actions.plan(3, 50, ["gantry"]), actions.plan(3, 50, ["gantry"]))
        self.assertNotEqual(actions.plan(3, 50, ["gantry"]), actions.plan(4, 50, ["gantry"]))

    def test_all_kinds_happen_to_all_schedulers(self):
        done = actions.plan(1, 200, ["gantry", "gantry"])
        self.assertEqual({(each.what, each.scheduler) for each in done},
                         {(what, number) for what in actions.TO_ANY for number in (0, 1)})
        self.assertTrue(all(2 <= each.lasting <= 20 for each in done if each.what == actions.HOLD_UP))

    def test_parts_restart_the_more_often_the_more_actions_there_are(self):
        for count, times in ((20, 1), (40, 1), (200, 5)):
            done = actions.plan(1, count, ["gantry"])
            for part in actions.PARTS:
                self.assertEqual(sum(each.part == part for each in done), times, (count, part))

    def test_kills_alone(self):
        self.assertEqual({each.what for each in actions.plan(1, 30, ["gantry", "nova"], (actions.KILL,))}, {actions.KILL})

    def test_work_is_handed_over_and_taken_back_in_turns(self):
        done = actions.plan(1, 200, ["nova", "gantry"])
        changes = [each for each in done if each.what in (actions.HAND_OVER, actions.TAKE_BACK)]
        self.assertGreater(len(changes), 20)
        self.assertEqual({each.scheduler for each in changes}, {1})
        for place, each in enumerate(changes):
            self.assertEqual(each.what, (actions.HAND_OVER, actions.TAKE_BACK)[place % 2])

    def test_the_words_count_what_was_done(self):
        words = actions.in_words([actions.Action(actions.KILL), actions.Action(actions.HOLD_UP, part="broker"), actions.Action(actions.KILL)])
        self.assertEqual(words, "3 actions: 2 kills, 1 pauses of the process, broker restarted 1 times, "
                                "database restarted 0 times, placement restarted 0 times")


class DelayProxy(unittest.TestCase):
    def test_bytes_arrive_later_and_whole_in_both_directions(self):
        sent = bytes(range(256)) * 4000
        with socket.create_server(("127.0.0.1", 0)) as target, socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
            free.close()
            proxy = subprocess.Popen([sys.executable, "-B", str(Path(__file__).with_name("delay_proxy.py")), "200",
                                      f"{port}:{target.getsockname()[1]}"])
            try:
                near = self.connected(port)
                far, _ = target.accept()
                for one, other in ((near, far), (far, near)):
                    began = time.monotonic()
                    one.sendall(b"x")
                    self.assertEqual(other.recv(1), b"x")
                    self.assertGreaterEqual(time.monotonic() - began, 0.19)
                far.settimeout(20)
                near.sendall(sent)
                near.close()
                got = b"".join(iter(lambda: far.recv(65536), b""))
                self.assertEqual(got, sent)
                far.close()
            finally:
                proxy.kill()
                proxy.wait()

    def connected(self, port):
        end = time.monotonic() + 20
        while True:
            try:
                return socket.create_connection(("127.0.0.1", port), timeout=20)
            except OSError:
                if time.monotonic() > end:
                    raise


class Times(unittest.TestCase):
    def test_medians_stand_beside_what_no_scheduler_can_be_faster_than(self):
        answers = [{"seconds": each, "ping": 0.002, "put": 0.008} for each in (0.01, 0.02, 0.09)] + [{"failure": "x"}]
        self.assertEqual(times(answers, "s"), [
            "s: p50 20.0 ms of 3 requests for one instance; an RPC that is answered at once 2.0 ms, the bare claim 8.0 ms: "
            "2.00 times both together"])
        self.assertEqual(times([{"hosts": [["h"]]}], "s"), [])


class Selections(unittest.TestCase):
    class Names:
        nodes, cells, providers = {"n": "c0"}, {"x": "cell1"}, {"n": "c0", "p": "pool"}

    def test_ids_become_names(self):
        data = {
            "service_host": "c0", "nodename": "c0", "compute_node_uuid": "n", "cell_uuid": "x", "availability_zone": "nova",
            "limits": {"nova_object.name": "SchedulerLimits", "nova_object.version": "1.0", "nova_object.data": {"vcpu": None}},
            "allocation_request_version": "1.36",
            "allocation_request": json.dumps({"allocations": {"p": {"resources": {"DISK_GB": 1}}}, "mappings": {"": ["p", "n"]}}),
        }
        reply = {"result": [[{"nova_object.name": "Selection", "nova_object.version": "1.1", "nova_object.data": data}]], "failure": None}
        choice = observation.selections(reply, self.Names)[0][0]
        self.assertEqual(choice["allocations"], {"pool": {"DISK_GB": 1}})
        self.assertEqual(choice["mappings"], {"": ["c0", "pool"]})
        self.assertEqual((choice["cell"], choice["node of the id"]), ("cell1", "c0"))
        self.assertEqual(choice["limits"], {"name": "SchedulerLimits", "version": "1.0", "vcpu": None})

    def test_a_failure_keeps_its_words(self):
        failure = json.dumps({"class": "NoValidHost", "module": "nova.exception", "message": "No", "args": [], "kwargs": {}, "tb": ["x"]})
        found = observation.selections({"result": None, "failure": failure}, self.Names)
        self.assertEqual(found["failure"]["class"], "NoValidHost")
        self.assertNotIn("tb", found["failure"])

    def test_no_answer_is_said(self):
        self.assertEqual(observation.selections(None, self.Names), "no answer")


class Judging(unittest.TestCase):
    first = {"instances": ["i"], "hosts": [["h1", "h2"]]}
    weights = {"i": [{"h1": 2.0, "h2": 2.0, "h3": 1.0}]}

    def verdict(self, *hosts):
        return judge(self.first, {"instances": ["i"], "hosts": [list(hosts)]}, self.weights)[0]

    def test_hosts(self):
        self.assertEqual(self.verdict("h1", "h2"), "same")
        self.assertEqual(self.verdict("h2", "h1"), "equal weight")
        self.assertEqual(self.verdict("h3", "h1"), "differed")
        self.assertEqual(self.verdict("h9", "h1"), "differed")
        self.assertEqual(self.verdict("h1", "h3"), "same but the alternates")

    def test_refusals(self):
        refusal = {"instances": ["i"], "failure": "NoValidHost: No"}
        self.assertEqual(judge(refusal, refusal, {})[0], "same refusal")
        self.assertEqual(judge(refusal, self.first, {})[0], "differed")
        self.assertEqual(judge(refusal, {**refusal, "failure": "NoValidHost: other"}, {})[0], "differed")


class Table(unittest.TestCase):
    def test_rows_say_what_was_played(self):
        scenario.load()
        chosen = [scenario.ALL["create"], scenario.ALL["zone"], scenario.ALL["traits"]]
        with tempfile.TemporaryDirectory() as directory:
            home = Home(directory)
            for name, scheduler, host in (("create", "nova", "c0"), ("create", "gantry", "c0"), ("zone", "nova", "c0"),
                                          ("zone", "gantry", "c1")):
                home.file("results", name).mkdir(parents=True, exist_ok=True)
                home.file("results", name, f"{scheduler}.json").write_text(json.dumps(observed(host=host)))
            lines = table.lines(home, chosen)
        self.assertEqual(lines[2], "| create | a=c0 | a=c0 | yes |")
        self.assertEqual(lines[3], "| zone | a=c0 | a=c1 | NO |")
        self.assertEqual(lines[4], "| traits | not run | not run | - |")
        self.assertEqual(lines[-1], "3 scenarios: 1 the same, 1 different, 1 not run.")

    def test_what_a_release_no_longer_has_is_said_to_be_absent(self):
        scenario.load()
        with tempfile.TemporaryDirectory() as directory, unittest.mock.patch("release.major", return_value=31):
            lines = table.lines(Home(directory), [scenario.ALL["zone"], scenario.ALL["zone-filter"]])
        self.assertEqual(lines[3], "| zone-filter | not in this release | not in this release | - |")
        self.assertEqual(lines[-1], "2 scenarios: 0 the same, 0 different, 1 not run, 1 not in this release.")


class Bench(unittest.TestCase):
    def test_a_row_says_whether_it_is_as_it_ought_to_be(self):
        rows = [bench_table.Row("faster", 1000, 123.456, least=100), bench_table.Row("slower", 100, 1.3, most=1.2),
                bench_table.Row("beside", 10000, 1.8)]
        self.assertEqual(bench_table.ratio_lines(rows)[2:], [
            "| faster | 1,000 | 123.46 | at least 100 | yes |", "| slower | 100 | 1.30 | at most 1.2 | no |",
            "| beside | 10,000 | 1.80 | reported | - |"])

    def test_turns_count_together(self):
        times = bench_table.merged([{"ping": [1, 3], "claim": [10]}, {"ping": [8], "claim": [20, 30]}])
        self.assertEqual(times, {"ping": [1, 3, 8], "claim": [10, 20, 30]})
        self.assertEqual(bench_table.floor(times), 3 + 20)

    def test_where_callers_look_in_steps_the_answers_are_compared_by_their_arrival(self):
        times = {"select": [0.5], "select reply": [0.03], "ping": [0.5], "ping reply": [0.002], "claim": [0.02]}
        self.assertEqual(bench_table.waited(times, "select", True), 0.03)
        self.assertEqual(bench_table.waited(times, "select", False), 0.5)
        self.assertEqual(bench_table.floor(times, True), 0.002 + 0.02)

    def test_parts_are_means_of_the_requests_between_two_readings(self):
        name, calls = "nova_request_microseconds", ("nova_calls", "select_destinations")
        before = {calls: 2, (name, "facts"): 1000, (name, "whole"): 9000}
        after = {calls: 6, (name, "facts"): 9000, (name, "whole"): 49000, (name, "claim"): 20000, ("nova_calls", "ping"): 7}
        parts = bench_table.parts_of(before, after)
        self.assertEqual(parts, {"facts": 2.0, "whole": 10.0, "claim": 5.0})
        self.assertEqual(bench_table.parts_of(before, before), {})
        line = bench_table.part_lines({1000: parts})[-1]
        self.assertEqual(line, "| 1,000 | 2.00 | 0.00 | 0.00 | 0.00 | 5.00 | 0.00 | 3.00 | 10.00 |")

    def test_times_are_those_of_each_scheduler(self):
        times = {"select": [0.5], "select reply": [0.03], "ping": [0.5], "ping reply": [0.002], "claim": [0.01], "database": [0.001, 0.003]}
        self.assertEqual(bench_table.time_lines({(100, "Gantry"): times})[-1],
                         "| 100 | Gantry | 1 | 500.0 ms | 30.0 ms | 500.0 ms | 2.0 ms | 10.0 ms | 2.0 ms |")

    def test_servers_and_clients_have_processors_of_their_own(self):
        with unittest.mock.patch("os.sched_getaffinity", return_value={0, 1, 2, 5}):
            self.assertEqual(processors.halves(), ({2, 5}, {0, 1}))
        with unittest.mock.patch("os.sched_getaffinity", return_value={0, 1}):
            self.assertEqual(processors.halves(), ({0, 1}, {0, 1}))

    def test_a_claim_of_placement_is_what_the_scheduler_answered(self):
        body = bare_placement.claim_body(json.dumps({"allocations": {"p": {"resources": {"VCPU": 1}}}, "mappings": {"": ["p"]}}))
        self.assertEqual(body["allocations"], {"p": {"resources": {"VCPU": 1}}})
        self.assertIsNone(body["consumer_generation"])

    def test_the_program_says_what_it_can(self):
        bench = PROGRAM.with_name("bench")
        text = subprocess.run([str(bench), "--help"], text=True, capture_output=True, check=True).stdout
        for row in command_line.BENCH_ROWS:
            self.assertIn(row, text)
        self.assertEqual(subprocess.run([str(bench), "--no-such"], capture_output=True).returncode, 2)

    def test_its_options_may_stand_behind_the_command(self):
        options = command_line.parser().parse_args(["--directory", "/a", "bench", "--directory", "/b", "--hosts", "100"])
        self.assertEqual((options.directory, options.hosts, options.programs), ("/b", [100], None))
        self.assertEqual(command_line.parser().parse_args(["--directory", "/a", "bench"]).directory, "/a")


class Commands(unittest.TestCase):
    def test_scenarios_are_chosen_by_name_or_part_of_it(self):
        everything = scenario.load()
        self.assertEqual([each.name for each in command_line.chosen(everything, ["create"])], ["create"])
        self.assertIn("group-affinity", [each.name for each in command_line.chosen(everything, ["affinity"])])
        self.assertEqual(len(command_line.chosen(everything, [])), len(everything))
        with self.assertRaises(SystemExit):
            command_line.chosen(everything, ["no such scenario"])

    def test_chaos_takes_several_schedulers(self):
        parse = command_line.parser().parse_args
        self.assertEqual(parse(["chaos"]).schedulers, ["gantry"])
        options = parse(["chaos", "--schedulers", "gantry,nova", "--actions", "200", "--delay", "50", "--mirror"])
        self.assertEqual((options.schedulers, options.actions, options.delay, options.mirror), (["gantry", "nova"], 200, 50, True))
        self.assertEqual(parse(["chaos", "--kills", "3"]).kills, 3)
        with self.assertRaises(argparse.ArgumentTypeError):
            command_line.kinds("gantry,other")

    def test_gantry_may_lose_what_nova_scheduler_loses_to_an_outage_and_no_more(self):
        few, many = ([outage_table.Outcome(20, 2, 0, unanswered, 0.5)] for unanswered in (1, 2))
        with unittest.mock.patch("builtins.print"):
            self.assertEqual([outage_table.verdict({"nova": nova, "gantry": gantry}) for nova, gantry in ((few, many), (many, few), (few, few))],
                             [1, 0, 0])
            self.assertEqual(outage_table.verdict({"gantry": few}), 1)
        self.assertEqual(outage_table.table((4,), {"nova": many, "gantry": few})[-1], "| 4 s | 20 | 2 | 0 | 2 | 0.5 s | 20 | 2 | 0 | 1 | 0.5 s |")

    def test_a_move_over_cells_needs_a_rule_of_its_own(self):
        over = [each for each in scenario.load().values() if each.policies]
        self.assertEqual({rule for each in over for rule in each.policies}, {"compute:servers:resize:cross_cell"})
        self.assertTrue(all(each.dump == "two" for each in over))
        with tempfile.TemporaryDirectory() as folder:
            home = Home(folder)
            home.make()
            configuration.write_policies(home, over[0].policies)
            self.assertEqual(json.loads(home.file("etc", "policy.json").read_text()), over[0].policies)
            self.assertEqual(str(configuration.nova(home)["oslo_policy"]["policy_file"]), str(home.file("etc", "policy.json")))

    def test_each_scenario_says_what_it_shows(self):
        for each in scenario.load().values():
            self.assertTrue(each.what, each.name)

    def test_each_file_compiles(self):
        for file in Path(__file__).resolve().parent.rglob("*.py"):
            compile(file.read_text(), str(file), "exec")

    def test_the_program_names_its_commands(self):
        text = subprocess.run([sys.executable, "-B", str(PROGRAM), "--help"], text=True, capture_output=True, check=True).stdout
        for command in ("up", "down", "run", "specs", "chaos", "outages", "bench", "table"):
            self.assertIn(f"\n    {command} ", text)


if __name__ == "__main__":
    unittest.main()
