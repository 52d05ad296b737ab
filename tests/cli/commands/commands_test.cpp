// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "core/cli/terminal/exit_code.hpp"
#include "core/cli/terminal/session.hpp"
#include "tests/cli/fake_daemon.hpp"
#include "tests/support/scratch_directory.hpp"

namespace gantry::cli::test {
namespace {

using testing::HasSubstr;

struct Sent {
  std::vector<std::string> words;
  std::string method;
  std::string args;  // canonical
};

class CommandSends : public testing::TestWithParam<Sent> {};

TEST_P(CommandSends, SendsTheMethodWithItsArguments) {
  FakeDaemon daemon;
  if (GetParam().method.starts_with("list_")) daemon.on(GetParam().method, "[]");
  const Ran ran = run(daemon, GetParam().words);
  EXPECT_EQ(ran.code, 0) << ran.err;
  const auto asked = daemon.asked(GetParam().method);
  ASSERT_FALSE(asked.empty());
  EXPECT_EQ(json::write_canonical(asked.front().args), GetParam().args);
}

INSTANTIATE_TEST_SUITE_P(
    Every, CommandSends,
    testing::Values(
        Sent{{"status"}, "status", "{}"},
        Sent{{"server", "list", "--host", "c1", "--vm-state", "error"},
             "list_instances",
             R"({"host":"c1","limit":1000,"vm_state":"error"})"},
        Sent{{"server", "show", "web"}, "show_instance", R"({"instance":"web"})"},
        Sent{{"server", "delete", "web"}, "delete_instance", R"({"instance":"web"})"},
        Sent{{"host", "list"}, "list_hosts", R"({"limit":1000,"topic":"compute"})"},
        Sent{{"host", "list", "--state", "down", "--aggregate", "fast", "--zone", "north"},
             "list_hosts",
             R"({"aggregate":"fast","availability_zone":"north","limit":1000,"state":"down","topic":"compute"})"},
        Sent{{"host", "show", "c1"}, "show_host", R"({"name":"c1","topic":"compute"})"},
        Sent{{"host", "remove", "c1", "--node", "n1"}, "remove_host", R"({"name":["c1","n1"],"topic":"compute"})"},
        Sent{{"service", "list", "--status", "disabled"}, "list_services", R"({"limit":1000,"status":"disabled"})"},
        Sent{{"group", "list", "--of-project", "p"}, "list_groups", R"({"limit":1000,"project_id":"p"})"},
        Sent{{"aggregate", "list", "--host", "h"}, "list_aggregates", R"({"host":"h","limit":1000})"},
        Sent{{"service", "enable", "compute", "c1"}, "enable_service", R"({"host":"c1","topic":"compute"})"},
        Sent{{"service", "disable", "compute", "c1", "--reason", "new memory"},
             "disable_service",
             R"({"host":"c1","reason":"new memory","topic":"compute"})"},
        Sent{{"service", "force-down", "compute", "c1"},
             "force_down_service",
             R"({"forced_down":true,"host":"c1","topic":"compute"})"},
        Sent{{"service", "force-down", "--unset", "volume", "c1"},
             "force_down_service",
             R"({"forced_down":false,"host":"c1","topic":"volume"})"},
        Sent{{"service", "remove", "compute", "c1"}, "remove_service", R"({"host":"c1","topic":"compute"})"},
        Sent{{"aggregate", "create", "--zone", "az1", "--property", "ssd=true", "fast"},
             "create_aggregate",
             R"({"availability_zone":"az1","metadata":{"ssd":"true"},"name":"fast"})"},
        Sent{{"aggregate", "set", "--property", "a=1", "--unset", "b", "--name", "new", "fast"},
             "update_aggregate",
             R"({"aggregate":"fast","metadata":{"a":"1","b":null},"name":"new"})"},
        Sent{{"aggregate", "delete", "1"}, "delete_aggregate", R"({"aggregate":"1"})"},
        Sent{{"aggregate", "add-host", "fast", "c1"}, "add_aggregate_host", R"({"aggregate":"fast","host":"c1"})"},
        Sent{
            {"aggregate", "remove-host", "fast", "c1"}, "remove_aggregate_host", R"({"aggregate":"fast","host":"c1"})"},
        Sent{{"aggregate", "delete", "--force", "1"}, "delete_aggregate", R"({"aggregate":"1","force":true})"},
        Sent{{"aggregate", "add-host", "fast", "c1", "c2"},
             "add_aggregate_host",
             R"({"aggregate":"fast","hosts":["c1","c2"]})"},
        Sent{{"aggregate", "remove-host", "fast", "c1", "c2"},
             "remove_aggregate_host",
             R"({"aggregate":"fast","hosts":["c1","c2"]})"},
        Sent{{"aggregate", "add-host", "--force", "fast", "c1"},
             "add_aggregate_host",
             R"({"aggregate":"fast","force":true,"host":"c1"})"},
        Sent{{"aggregate", "remove-host", "--force", "fast", "c1"},
             "remove_aggregate_host",
             R"({"aggregate":"fast","force":true,"host":"c1"})"},
        Sent{{"aggregate", "set", "--zone", "az2", "--force", "fast"},
             "update_aggregate",
             R"({"aggregate":"fast","force":true,"metadata":{"availability_zone":"az2"}})"},
        Sent{{"group", "create", "--policy", "anti-affinity", "--rule", "max_server_per_host=2", "g"},
             "create_group",
             R"({"name":"g","policy":"anti-affinity","rules":{"max_server_per_host":2}})"},
        Sent{{"group", "show", "g"}, "show_group", R"({"group":"g"})"},
        Sent{{"group", "delete", "g"}, "delete_group", R"({"group":"g"})"},
        Sent{{"hosts-up", "compute"}, "hosts_up", R"({"topic":"compute"})"},
        Sent{{"group-hosts", "g"}, "group_hosts", R"({"group":"g"})"},
        Sent{{"schedule", "volume", "create_volume", "size=10", "a.b=x"},
             "schedule",
             R"({"kwargs":{"a":{"b":"x"},"size":10},"schedule_method":"create_volume","topic":"volume"})"},
        Sent{{"cast", "list", "--host", "c1", "--instance", "u"},
             "list_casts",
             R"({"host":"c1","instance":"u","limit":1000})"},
        Sent{{"claim", "list", "--limit", "5"}, "list_claims", R"({"limit":5})"}));

TEST(Commands, NameTheTopicInTheAdviceIfNoHostWasFound) {
  FakeDaemon daemon;
  const auto none = [](const json::object&) -> Result<json::value> {
    return Error{ErrorCode::no_valid_host, "No valid host was found.", ""};
  };
  daemon.on("schedule", none);
  EXPECT_THAT(run(daemon, {"schedule", "volume", "create_volume"}).err, HasSubstr("`gantry host list --topic volume`"));
  EXPECT_THAT(run(daemon, {"schedule", "compute", "pick"}).err, HasSubstr("`gantry host list` shows"));
}

TEST(Commands, ShowAListAsATableValuesOrTheDaemonsJson) {
  FakeDaemon daemon;
  daemon.on("list_services",
            R"([{"topic":"compute","host":"c1","binary":"b","status":"enabled","state":"up","forced_down":false}])");
  EXPECT_THAT(run(daemon, {"service", "list"}).out, HasSubstr("TOPIC    HOST"));
  EXPECT_EQ(run(daemon, {"-o", "value", "service", "list"}).out, "compute\tc1\tb\tenabled\tup\tno\t-\t-\n");
  auto parsed = json::parse(run(daemon, {"-o", "json", "service", "list"}).out);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(json::find_string(parsed->get_array().front().get_object(), "binary"), "b");
}

TEST(Commands, TakeTheHostsOfAnAggregateFromAFileOrFromStandardInput) {
  const support::ScratchDirectory scratch;
  const std::string file = scratch.write("rack", "c2 c3\nc4\n");
  FakeDaemon daemon;
  daemon.on("add_aggregate_host", "{}");
  EXPECT_EQ(run(daemon, {"aggregate", "add-host", "fast", "c1", "@" + file}).code, 0);
  EXPECT_EQ(run(daemon, {"aggregate", "add-host", "fast", "@-"}, "c5\nc6\n").code, 0);
  const auto asked = daemon.asked("add_aggregate_host");
  ASSERT_EQ(asked.size(), 2U);
  EXPECT_EQ(json::write(asked[0].args.at("hosts")), R"(["c1","c2","c3","c4"])");
  EXPECT_EQ(json::write(asked[1].args.at("hosts")), R"(["c5","c6"])");
  EXPECT_EQ(run(daemon, {"aggregate", "add-host", "fast", "@-"}, "").code, 2);
}

TEST(Commands, ShowTheFirstItemsOfALongListInATableAndAllOfThemAsValues) {
  json::array hosts;
  for (int number = 0; number < 500; ++number) hosts.emplace_back("c" + std::to_string(number));
  FakeDaemon daemon;
  daemon.on("list_aggregates", json::write(json::array{json::object{{"id", 1}, {"name", "fast"}, {"hosts", hosts}}}));
  EXPECT_THAT(run(daemon, {"aggregate", "list"}).out, HasSubstr("c0, c1, c2, c3, c4 and 495 more"));
  EXPECT_THAT(run(daemon, {"-o", "value", "aggregate", "list"}).out, HasSubstr("c498, c499"));
}

TEST(Commands, ShowWhyAnInstanceIsWhereItIs) {
  FakeDaemon daemon;
  daemon.on(
      "show_instance",
      R"({"uuid":"u","name":"web","decision":{"driver":"simple","steps":[{"name":"fits","hosts_in":9,"hosts_out":4}]}})");
  const Ran ran = run(daemon, {"server", "show", "web"});
  EXPECT_THAT(ran.out, HasSubstr("why: driver simple"));
  EXPECT_THAT(ran.out, HasSubstr("fits"));
}

TEST(Commands, ImportTheTablesOfAFile) {
  FakeDaemon daemon;
  daemon.on("import", R"({"services":1,"compute_nodes":2,"aggregates":0,"instances":0,"skipped":["why"]})");
  const Ran ran = run(daemon, {"-o", "value", "host", "import", "-"}, R"({"compute_nodes":[]})");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(json::write_canonical(daemon.asked("import").front().args),
            R"({"keep_times":false,"tables":{"compute_nodes":[]}})");
  EXPECT_THAT(ran.out, HasSubstr("skipped\twhy"));
}

struct Failed {
  ErrorCode code;
  int exit_status;
};

class CommandFails : public testing::TestWithParam<Failed> {};

TEST_P(CommandFails, EndsWithTheExitCodeOfTheError) {
  FakeDaemon daemon;
  daemon.on("status", [](const json::object&) -> Result<json::value> { return Error{GetParam().code, "why", ""}; });
  const Ran ran = run(daemon, {"--url", "http://h:1", "status"});
  EXPECT_EQ(ran.code, GetParam().exit_status);
  EXPECT_THAT(ran.err, testing::StartsWith("gantry: why\n"));
  EXPECT_TRUE(ran.out.empty());
}

INSTANTIATE_TEST_SUITE_P(Every, CommandFails,
                         testing::Values(Failed{ErrorCode::internal, 1}, Failed{ErrorCode::not_found, 1},
                                         Failed{ErrorCode::invalid_argument, 2}, Failed{ErrorCode::no_valid_host, 3},
                                         Failed{ErrorCode::unavailable, 69}, Failed{ErrorCode::permission_denied, 77},
                                         Failed{ErrorCode::invalid_configuration, 78}));

TEST(Commands, NameTheDaemonThatDoesNotAnswer) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  Environment environment{.in = in,
                          .out = out,
                          .err = err,
                          .out_is_terminal = false,
                          .err_is_terminal = false,
                          .variables = {},
                          .connect = connect,
                          .pause = [](std::chrono::milliseconds) {}};
  const support::ScratchDirectory scratch;
  const std::string socket = scratch.path() + "/none.sock";
  EXPECT_EQ(run_program({"--url", socket, "--timeout", "1", "status"}, environment), exit_code::unreachable);
  EXPECT_THAT(err.str(), HasSubstr(socket));
}

TEST(Commands, TakeTheSocketOfANamedConfiguration) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  std::string url;
  FakeDaemon daemon;
  Environment environment{.in = in,
                          .out = out,
                          .err = err,
                          .out_is_terminal = false,
                          .err_is_terminal = false,
                          .variables = {},
                          .connect =
                              [&](const Destination& asked) {
                                url = asked.url;
                                return Result<std::unique_ptr<Connection>>(daemon.connection());
                              },
                          .pause = [](std::chrono::milliseconds) {}};
  EXPECT_EQ(run_program({"--set", "server.socket=/tmp/g.sock", "status"}, environment), 0) << err.str();
  EXPECT_EQ(url, "/tmp/g.sock");
}

TEST(ConfigCommands, WorkWithoutADaemon) {
  FakeDaemon daemon;
  const Ran sample = run(daemon, {"config", "sample"});
  EXPECT_EQ(sample.code, 0);
  EXPECT_THAT(sample.out, HasSubstr("scheduler_driver"));
  const Ran shown = run(daemon, {"--set", "server.socket=/tmp/g.sock", "-o", "value", "config", "show", "--origin"});
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("--set"));
  EXPECT_EQ(daemon.asked_in_all(), 0u);
}

TEST(ConfigCommands, ReadTheFileThatTheEnvironmentNamesUnlessAnOptionNamesAnother) {
  const support::ScratchDirectory scratch;
  FakeDaemon daemon;
  const std::string file = scratch.write("a.toml", "server.socket = '/tmp/a.sock'\n");
  const std::string other = scratch.write("b.toml", "server.socket = '/tmp/b.sock'\n");
  const std::map<std::string, std::string> variables{{"GANTRY_CONFIG", file}};
  const std::vector<std::string> show{"-o", "value", "config", "show"};
  EXPECT_THAT(run(daemon, show, "", variables).out, HasSubstr("/tmp/a.sock"));
  EXPECT_THAT(run(daemon, {"--config", other, "-o", "value", "config", "show"}, "", variables).out,
              HasSubstr("/tmp/b.sock"));
  EXPECT_EQ(run(daemon, show, "", {{"GANTRY_CONFIG", scratch.path() + "/none.toml"}}).code,
            exit_code::invalid_configuration);
}

TEST(ConfigCommands, ReadDropInsOfADirectoryThatIsNamed) {
  const support::ScratchDirectory scratch;
  const std::string file = scratch.write("gantry.toml", "server.socket = '/tmp/a.sock'\n");
  std::filesystem::create_directory(scratch.path() + "/more");
  scratch.write("more/50-socket.toml", "server.socket = '/tmp/c.sock'\n");
  const Ran shown = run({"--config", file, "--config-dir", scratch.path() + "/more", "-o", "value", "config", "show"});
  EXPECT_THAT(shown.out, HasSubstr("/tmp/c.sock")) << shown.err;
}

TEST(ConfigCommands, EndWithSeventyEightForAFileThatIsWrong) {
  const support::ScratchDirectory scratch;
  const std::string file = scratch.write("gantry.toml", "schduler_driver = ['simple']\n");
  const Ran ran = run({"--config", file, "config", "check"});
  EXPECT_EQ(ran.code, exit_code::invalid_configuration);
  EXPECT_THAT(ran.err, HasSubstr("scheduler_driver"));
}

TEST(ConfigCommands, NameADriverFileThatIsNotThere) {
  const support::ScratchDirectory scratch;
  const std::string file = scratch.write(
      "gantry.toml", "scheduler_driver = ['nosuch']\ndriver_directories = ['" + scratch.path() + "']\nstore.path = '" +
                         scratch.path() + "/gantry.db'\nserver.socket = '" + scratch.path() + "/s'\n");
  const Ran checked = run({"--config", file, "config", "check"});
  EXPECT_EQ(checked.code, exit_code::invalid_configuration);
  EXPECT_THAT(checked.err, HasSubstr("nosuch"));
  const Ran listed = run({"--config", file, "driver", "list"});
  EXPECT_EQ(listed.code, 0) << "a list shows what is refused, too";
  EXPECT_THAT(listed.out, HasSubstr("refused"));
  EXPECT_EQ(run({"--config", file, "config", "check", "--no-drivers"}).code, 0);
}

TEST(DriverInspect, RefusesAFileThatIsNotADriver) {
  const support::ScratchDirectory scratch;
  const std::string file = scratch.write("not_a_driver.so", "plain text");
  const Ran ran = run({"driver", "inspect", file});
  EXPECT_EQ(ran.code, exit_code::invalid_configuration);
  EXPECT_THAT(ran.err, HasSubstr(file));
}

TEST(DriverInspect, FindsADriverByItsIdWhereTheDaemonWould) {
  const support::ScratchDirectory scratch;
  const std::string file = scratch.write("site.so", "plain text");
  const std::string set = "driver_directories=['" + scratch.path() + "']";
  const Ran found = run({"--set", set, "driver", "inspect", "site"});
  EXPECT_EQ(found.code, exit_code::invalid_configuration);
  EXPECT_THAT(found.err, HasSubstr(file));
  const Ran absent = run({"--set", set, "driver", "inspect", "other"});
  EXPECT_EQ(absent.code, exit_code::invalid_configuration);
  EXPECT_THAT(absent.err, HasSubstr(scratch.path() + "/other.so"));
}

}  // namespace
}  // namespace gantry::cli::test
