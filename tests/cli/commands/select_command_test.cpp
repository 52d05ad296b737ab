// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "core/cli/terminal/exit_code.hpp"
#include "tests/cli/fake_daemon.hpp"

namespace gantry::cli::test {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

constexpr const char* one_destination = R"([{"host":"c1","nodename":"n1","limits":{"vcpu":16.0,"memory_mb":1024}}])";

TEST(Select, NeverChangesAnything) {
  FakeDaemon daemon;
  daemon.on("select_destinations", one_destination);
  ASSERT_EQ(run(daemon, {"select"}).code, 0);
  ASSERT_EQ(run(daemon, {"select", "--request", "-"}, R"({"request_spec":{},"instance_uuids":["u"]})").code, 0);
  for (const Asked& asked : daemon.asked("select_destinations"))
    EXPECT_EQ(json::find_bool(asked.args, "dry_run"), true);
}

TEST(Select, ShowsDestinationsWithTheirLimits) {
  FakeDaemon daemon;
  daemon.on("select_destinations", one_destination);
  EXPECT_EQ(run(daemon, {"-o", "value", "select"}).out, "1\tchosen\tc1\tn1\t16\t1024\t-\n");
}

TEST(Select, ShowsAlternatesAfterTheChosenHost) {
  FakeDaemon daemon;
  daemon.on("select_destinations", R"([[{"host":"c1"},{"host":"c2"}],[{"host":"c3"}]])");
  const Ran ran = run(daemon, {"-o", "value", "select", "--alternates", "1"});
  EXPECT_EQ(ran.out, "1\tchosen\tc1\t-\t-\t-\t-\n1\talternate\tc2\t-\t-\t-\t-\n2\tchosen\tc3\t-\t-\t-\t-\n");
  const Asked asked = daemon.asked("select_destinations").front();
  EXPECT_EQ(json::find_bool(asked.args, "return_alternates"), true);
  EXPECT_EQ(json::find_integer(asked.args, "alternates"), 1);
}

TEST(Select, ReadsSelectionObjects) {
  FakeDaemon daemon;
  daemon.on("select_destinations",
            R"([{"nova_object.name":"Selection","nova_object.data":{"service_host":"c1","nodename":"n1",)"
            R"("limits":{"nova_object.name":"SchedulerLimits","nova_object.data":{"vcpu":2.0}}}}])");
  EXPECT_EQ(run(daemon, {"-o", "value", "select", "--objects"}).out, "1\tchosen\tc1\tn1\t2\t-\t-\n");
}

TEST(Select, ExplainsTheDecision) {
  FakeDaemon daemon;
  daemon.on("select_destinations",
            R"({"destinations":[{"host":"c1"}],"decision":{"driver":"simple","hosts":3,"seed":7,)"
            R"("steps":[{"name":"up","hosts_in":3,"hosts_out":1,"reason":"2 are down"}]}})");
  const Ran ran = run(daemon, {"select", "--explain"});
  EXPECT_THAT(ran.out, HasSubstr("driver simple"));
  EXPECT_THAT(ran.out, HasSubstr("2 are down"));
}

// Three hosts that are left, and two that are out.
std::string explanations_of_five_hosts() {
  std::string hosts;
  for (int i = 0; i < 3; ++i)
    hosts += R"({"node":"","verdicts":[{"name":"RamFilter","passed":true}],"rejected_by":null,"weighers":[{"name":)"
             R"("RAMWeigher","raw":512,"normalized":0.5,"multiplier":2}],"weight":1,"host":"c)" +
             std::to_string(i + 1) + R"(","rank":)" + std::to_string(i) + "},";
  for (const char* host : {R"("full"},)", R"("fuller"})"})
    hosts += R"({"node":"","verdicts":[{"name":"RamFilter","passed":false,"reason":"2 wanted, 1 there"}],)"
             R"("rejected_by":"RamFilter","weighers":[],"weight":null,"rank":null,"host":)" +
             std::string(host);
  return R"("instances":[{"hosts":[)" + hosts + R"(],"left_out":7}])";
}

TEST(Select, ShowsTheFateOfEachHost) {
  FakeDaemon daemon;
  daemon.on("select_destinations",
            R"({"destinations":[{"host":"c1"}],"decision":{"driver":"filter",)" + explanations_of_five_hosts() + "}}");
  const Ran ran = run(daemon, {"select", "--explain"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(json::find_string(daemon.asked("select_destinations").front().args, "explain"), "hosts");
  EXPECT_THAT(ran.out, ContainsRegex("PLACE +HOST +NODE +WEIGHT +REJECTED BY +WHY"));
  EXPECT_THAT(ran.out, ContainsRegex("\n +1 +c1 +- +1 +- +-"));
  EXPECT_THAT(ran.out, ContainsRegex("- +full +- +- +RamFilter +2 wanted, 1 there"));
  EXPECT_THAT(ran.out, ContainsRegex("c1 +- +RAMWeigher +512 +0.5 +2 +1\n"));
  EXPECT_THAT(ran.out, HasSubstr("7 more hosts are left out"));
  EXPECT_THAT(ran.out, Not(HasSubstr("PASSED"))) << "that is for --all-filters";
}

TEST(Select, ShowsEveryFiltersVerdictIfItIsAskedTo) {
  FakeDaemon daemon;
  daemon.on("select_destinations", R"({"destinations":[],"decision":{)" + explanations_of_five_hosts() + "}}");
  const Ran ran = run(daemon, {"select", "--all-filters"});
  EXPECT_EQ(json::find_string(daemon.asked("select_destinations").front().args, "explain"), "all_filters");
  EXPECT_THAT(ran.out, ContainsRegex("c1 +- +RamFilter +yes +-\n"));
  EXPECT_THAT(ran.out, ContainsRegex("full +- +RamFilter +no +2 wanted, 1 there\n"));
}

TEST(Select, ShowsTheBestHostsOfALargeFleet) {
  FakeDaemon daemon;
  std::string hosts;
  for (int i = 0; i < 1000; ++i)
    hosts += (i == 0 ? R"({"host":"left)" : R"(,{"host":"left)") + std::to_string(i) + R"(","rank":)" +
             std::to_string(i) + R"(},{"host":"out)" + std::to_string(i) + R"(","rank":null,"rejected_by":"up"})";
  daemon.on("select_destinations",
            R"({"destinations":[],"decision":{"instances":[{"hosts":[)" + hosts + R"(],"left_out":0}]}})");
  const Ran ran = run(daemon, {"select", "--explain"});
  EXPECT_THAT(ran.out, AllOf(HasSubstr("left19"), HasSubstr("out29"), HasSubstr("1950 more hosts with -o json")));
  EXPECT_THAT(ran.out, Not(AnyOf(HasSubstr("left20"), HasSubstr("out30"))));
  EXPECT_THAT(run(daemon, {"-o", "json", "select", "--explain"}).out, HasSubstr("left999"));
}

TEST(Select, ShowsTheHostsIfNoneFits) {
  FakeDaemon daemon;
  daemon.on("select_destinations", [](const json::object&) -> Result<json::value> {
    return Error{ErrorCode::no_valid_host, "No valid host was found.",
                 R"({"steps":[],)" + explanations_of_five_hosts() + "}"};
  });
  const Ran ran = run(daemon, {"select", "--explain"});
  EXPECT_EQ(ran.code, exit_code::no_valid_host);
  EXPECT_THAT(ran.out, HasSubstr("2 wanted, 1 there"));
  EXPECT_THAT(run(daemon, {"-o", "json", "select", "--explain"}).out, HasSubstr("2 wanted, 1 there"));
  EXPECT_EQ(run(daemon, {"select"}).out, "");
}

TEST(Select, ShowsTheStepsAndEndsWithThreeIfNoHostFits) {
  FakeDaemon daemon;
  daemon.on("select_destinations", [](const json::object&) -> Result<json::value> {
    return Error{ErrorCode::no_valid_host, "No valid host was found. There are not enough hosts available.",
                 R"({"steps":[{"name":"RamFilter","hosts_in":4,"hosts_out":0,"reason":"not enough memory"}]})"};
  });
  const Ran ran = run(daemon, {"select"});
  EXPECT_EQ(ran.code, exit_code::no_valid_host);
  EXPECT_TRUE(ran.out.empty());
  EXPECT_THAT(ran.err, testing::StartsWith("gantry: No valid host was found."));
  EXPECT_THAT(ran.err, HasSubstr("RamFilter"));
  EXPECT_THAT(ran.err, HasSubstr("not enough memory"));
  EXPECT_THAT(ran.err, HasSubstr("next: "));
}

TEST(Select, SendsTheContextOfTheFileUnderThatOfTheOptions) {
  FakeDaemon daemon;
  daemon.on("select_destinations", one_destination);
  ASSERT_EQ(run(daemon, {"--project", "mine", "select", "--request", GANTRY_CLI_TEST_DATA "/rpc_message.json"}).code,
            0);
  EXPECT_EQ(json::write_canonical(daemon.asked("select_destinations").front().context),
            R"({"project_id":"mine","user_id":"u1"})");
}

TEST(Select, RefusesAFileAndSizesTogether) {
  const Ran ran = run({"select", "--request", "-", "--vcpus", "2"});
  EXPECT_EQ(ran.code, exit_code::usage);
  EXPECT_THAT(ran.err, HasSubstr("--vcpus and --request"));
}

TEST(Select, NamesAFileThatIsNotThere) {
  const Ran ran = run({"select", "--request", "/nowhere/request.json"});
  EXPECT_EQ(ran.code, exit_code::failure);
  EXPECT_THAT(ran.err, HasSubstr("/nowhere/request.json: cannot be opened"));
}

}  // namespace
}  // namespace gantry::cli::test
