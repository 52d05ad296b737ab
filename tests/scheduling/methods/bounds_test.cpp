// SPDX-License-Identifier: Apache-2.0
//
// Bounds of the facts that callers and agents make grow: each bound is reached.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scheduling/running_manager.hpp"

namespace gantry::scheduling {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

fleet::FleetSettings with_limits(const fleet::FleetLimits& limits) {
  fleet::FleetSettings settings;
  settings.limits = limits;
  return settings;
}

std::string report_of(const std::string& name, const std::string& stats) {
  return R"({"name":)" + name + R"(,"stats":{)" + stats + "}}";
}

class Bounds : public ::testing::Test {
 protected:
  explicit Bounds(const fleet::FleetLimits& limits = {}) : manager("simple", with_limits(limits)) {}
  std::string refusal(const std::string& method, const std::string& args, std::shared_ptr<const Caller> caller = {}) {
    const auto reply = manager.call(method, args, {}, std::move(caller));
    if (reply) return "accepted";
    EXPECT_NE(reply.error().code, ErrorCode::internal) << reply.error().message;
    return reply.error().message;
  }
  std::string warnings() { return json::write(manager.result("status", "{}").at("warnings")); }
  RunningManager manager;
};

class FewTopics : public Bounds {
 protected:
  FewTopics() : Bounds({.topics = 3}) {}
};

TEST_F(FewTopics, EndsWithTheNumberThatThereMayBe) {
  for (const auto* topic : {"network", "volume"})
    EXPECT_EQ(refusal("service_register", R"({"host":"h","topic":")" + std::string(topic) + R"("})"), "accepted");
  for (const auto* call : {R"({"host":"h","topic":"one more"})", R"({"host":"h2","topic":"one more"})"})
    EXPECT_THAT(refusal("service_register", call), HasSubstr("'one more': expected at most 3, found 4"));
  EXPECT_THAT(refusal("update_resource_stats", R"({"name":"h","topic":"one more","stats":{}})"), HasSubstr("found 4"));
  EXPECT_THAT(refusal("update_service_capabilities", R"({"host":"h","service_name":"one more","capabilities":{}})"),
              HasSubstr("found 4"));
  EXPECT_EQ(refusal("service_register", R"({"host":"h2","topic":"volume"})"), "accepted");
}

TEST_F(Bounds, LetsAnAgentNameNoTopicThatNobodyElseHasNamed) {
  const auto agent = std::make_shared<Caller>();
  agent->role = Role::agent;
  agent->host = "h";
  const std::string made_up = R"({"host":"h","topic":"made up"})";
  EXPECT_THAT(refusal("service_register", made_up, agent), AllOf(HasSubstr("'compute'"), HasSubstr("found 'made up'")));
  EXPECT_THAT(refusal("update_resource_stats", R"({"name":"h","topic":"made up","stats":{}})", agent),
              HasSubstr("found 'made up'"));
  EXPECT_THAT(
      refusal("update_service_capabilities", R"({"host":"h","service_name":"made up","capabilities":{}})", agent),
      HasSubstr("found 'made up'"));
  EXPECT_EQ(refusal("service_register", R"({"host":"h","topic":"compute"})", agent), "accepted");
  manager.result("service_register", R"({"host":"another","topic":"made up"})");
  EXPECT_EQ(refusal("service_register", made_up, agent), "accepted") << "an admin has named it";
}

TEST_F(Bounds, LetsATokenNameItsOwnTopic) {
  const auto agent = std::make_shared<Caller>();
  agent->role = Role::agent;
  agent->host = "h";
  agent->topics = {"network"};
  EXPECT_EQ(refusal("service_register", R"({"host":"h","topic":"network"})", agent), "accepted");
}

TEST(OldStore, WithMoreTopicsThanThereMayBeIsLoadedAndToldOf) {
  RunningManager manager{"simple"};
  for (int at = 0; at < 120; ++at) {
    const auto reply = manager.call("service_register", R"({"host":"h","topic":"t)" + std::to_string(at) + R"("})");
    EXPECT_EQ(static_cast<bool>(reply), at < 99) << at;
  }
  manager.run_sql(R"(INSERT INTO services VALUES ('late/h', '{"topic":"late","host":"h","last_seen_up":1}'))");
  manager.restart();
  EXPECT_EQ(manager.result("list_services", R"({"topic":"late"})").as_array().size(), 1U);
  const auto warnings = json::write(manager.result("status", "{}").at("warnings"));
  EXPECT_THAT(warnings, HasSubstr("the store has 101 topics, expected at most 100"));
}

class SmallReports : public Bounds {
 protected:
  SmallReports()
      : Bounds({.rows = 5,
                .nodes = 3,
                .report_keys = 4,
                .report_bytes = 300,
                .host_bytes = 500,
                .capabilities_bytes = 100}) {}
};

TEST_F(SmallReports, EndWithTheirKeysAfterTheMerge) {
  EXPECT_EQ(refusal("update_resource_stats", report_of(R"("h")", R"("a":1,"b":2,"c":3)")), "accepted");
  EXPECT_EQ(refusal("update_resource_stats", report_of(R"("h")", R"("a":1,"b":2,"d":4)")), "accepted");
  EXPECT_THAT(refusal("update_resource_stats", report_of(R"("h")", R"("e":5)")),
              HasSubstr("keys of host 'h', merged: expected at most 4, found 5"));
  EXPECT_EQ(refusal("update_resource_stats", report_of(R"("h")", R"("a":null,"e":5)")), "accepted");
  EXPECT_THAT(refusal("update_resource_stats", report_of(R"("h2")", R"("a":1,"b":2,"c":3,"d":4,"e":5)")),
              HasSubstr("expected at most 4, found 5"));
}

TEST_F(SmallReports, EndWithTheirBytes) {
  const auto text = [](std::size_t size) { return '"' + std::string(size, 'x') + '"'; };
  EXPECT_THAT(refusal("update_resource_stats", report_of(R"("h")", R"("a":)" + text(400))),
              HasSubstr("bytes of a report of host 'h': expected at most 300"));
  EXPECT_EQ(refusal("update_resource_stats", report_of(R"("h")", R"("a":)" + text(200))), "accepted");
  EXPECT_THAT(refusal("update_resource_stats", report_of(R"("h")", R"("b":)" + text(200))),
              HasSubstr("bytes of host 'h', merged: expected at most 300, found"));
  EXPECT_EQ(refusal("update_resource_stats", report_of(R"("h")", R"("a":)" + text(100))), "accepted") << "it shrinks";
  EXPECT_THAT(refusal("update_service_capabilities",
                      R"({"service_name":"compute","host":"h","capabilities":{"a":)" + text(100) + "}}"),
              HasSubstr("bytes of the capabilities of host 'h': expected at most 100, found"));
}

TEST_F(SmallReports, EndWithTheBytesOfAllNodesOfAHost) {
  const auto big = R"("a":")" + std::string(220, 'x') + '"';
  EXPECT_EQ(refusal("update_resource_stats", report_of(R"(["h","n1"])", big)), "accepted");
  EXPECT_EQ(refusal("update_resource_stats", report_of(R"(["h","n2"])", big)), "accepted");
  EXPECT_THAT(refusal("update_resource_stats", report_of(R"(["h","n3"])", big)),
              HasSubstr("bytes of all nodes of host 'h': expected at most 500, found"));
  manager.result("remove_host", R"({"name":["h","n1"]})");
  EXPECT_EQ(refusal("update_resource_stats", report_of(R"(["h","n3"])", big)), "accepted");
}

TEST_F(SmallReports, EndWithTheNodesOfAHostAndTheRowsOfAll) {
  for (const auto* node : {"n1", "n2", "n3"})
    EXPECT_EQ(refusal("update_resource_stats", report_of(R"(["h",")" + std::string(node) + R"("])", "")), "accepted");
  EXPECT_THAT(refusal("update_resource_stats", report_of(R"(["h","n4"])", "")),
              HasSubstr("nodes of host 'h': expected at most 3, found 4"));
  for (const auto* host : {"h2", "h3"})
    EXPECT_EQ(refusal("service_register", R"({"topic":"compute","host":")" + std::string(host) + R"("})"), "accepted");
  EXPECT_THAT(refusal("service_register", R"({"topic":"compute","host":"h4"})"),
              HasSubstr("expected at most 5, found 6"));
  EXPECT_EQ(refusal("service_register", R"({"topic":"compute","host":"h2"})"), "accepted") << "it is there already";
}

class FewObjects : public Bounds {
 protected:
  FewObjects() : Bounds({.aggregates = 1, .groups = 1, .instances = 1}) {
    manager.manager_settings().limits = {.tokens = 1, .cast_bytes = 10};
    manager.restart();
    manager.add_host("h", 8);
  }
};

TEST_F(FewObjects, OfEachKindEndWithTheirNumber) {
  const auto token = [](char digit) {
    return R"({"name":"t","role":"admin","sha256":")" + std::string(64, digit) + R"("})";
  };
  EXPECT_EQ(refusal("create_aggregate", R"({"name":"a"})"), "accepted");
  EXPECT_THAT(refusal("create_aggregate", R"({"name":"b"})"), HasSubstr("aggregates: expected at most 1, found 2"));
  EXPECT_EQ(refusal("create_group", R"({"name":"a","policy":"affinity"})"), "accepted");
  EXPECT_THAT(refusal("create_group", R"({"name":"b","policy":"affinity"})"), HasSubstr("expected at most 1, found 2"));
  EXPECT_EQ(refusal("create_token", token('1')), "accepted");
  EXPECT_THAT(refusal("create_token", token('2')), HasSubstr("tokens: expected at most 1, found 2"));
  EXPECT_THAT(refusal("schedule_run_instance", R"({"request_spec":{"num_instances":2}})"),
              HasSubstr("instances: expected at most 1, found 2"));
}

TEST_F(FewObjects, RefuseARequestWhileCastsThatNobodyFetchesAreTooMany) {
  EXPECT_EQ(refusal("schedule_run_instance", R"({"request_spec":{"num_instances":1,"flavor":{"vcpus":1}}})"),
            "accepted");
  const auto uuid = std::string(manager.result("list_instances", "{}").at(0).at("uuid").as_string());
  const auto again = manager.call("schedule", R"({"topic":"compute","schedule_method":"x"})");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::resource_exhausted);
  EXPECT_THAT(again.error().message, HasSubstr("expected at most 10 bytes, found"));
  manager.result("delete_instance", R"({"instance":")" + uuid + R"("})");
}

struct Named {
  const char* method;
  const char* args;  // with NAME in it
};

class EveryName : public Bounds, public ::testing::WithParamInterface<Named> {};

TEST_P(EveryName, IsNoLongerThanNovaKeepsAndHasNoControlCharacters) {
  const auto with = [](const std::string& name) {
    std::string args = GetParam().args;
    return args.replace(args.find("NAME"), 4, name);
  };
  EXPECT_THAT(refusal(GetParam().method, with(std::string(256, 'y'))),
              HasSubstr("expected at most 255 characters, found 256"));
  EXPECT_THAT(refusal(GetParam().method, with("a\\nb")),
              HasSubstr("expected text without control characters, found 0x0a at byte 1"));
  EXPECT_THAT(refusal(GetParam().method, with(std::string(255, 'y'))), Not(HasSubstr("expected at most 255")));
  std::string of_two_bytes;
  for (int at = 0; at < 255; ++at) of_two_bytes += "ž";
  EXPECT_THAT(refusal(GetParam().method, with(of_two_bytes)), Not(HasSubstr("expected at most 255")));
}

INSTANTIATE_TEST_SUITE_P(
    Methods, EveryName,
    ::testing::Values(
        Named{"service_register", R"({"topic":"compute","host":"NAME"})"},
        Named{"service_register", R"({"topic":"NAME","host":"h"})"},
        Named{"service_register", R"({"topic":"compute","host":"h","binary":"NAME"})"},
        Named{"update_resource_stats", R"({"name":"NAME","stats":{}})"},
        Named{"update_resource_stats", R"({"name":["h","NAME"],"stats":{}})"},
        Named{"update_service_capabilities", R"({"service_name":"compute","host":"NAME","capabilities":{}})"},
        Named{"create_aggregate", R"({"name":"NAME"})"},
        Named{"create_aggregate", R"({"name":"a","availability_zone":"NAME"})"},
        Named{"add_aggregate_host", R"({"aggregate":"a","host":"NAME","force":true})"},
        Named{"create_group", R"({"name":"NAME","policy":"affinity"})"},
        Named{"create_token", R"({"name":"NAME","role":"admin","sha256":"0"})"},
        Named{"create_token", R"({"name":"t","role":"service","topics":["NAME"],"sha256":"0"})"},
        Named{"schedule_run_instance", R"({"request_spec":{"instance_properties":{"display_name":"NAME"}}})"},
        Named{"schedule_run_instance", R"({"request_spec":{"instance_properties":{"project_id":"NAME"}}})"},
        Named{"schedule_run_instance", R"({"request_spec":{"flavor":{"name":"NAME"}}})"},
        Named{"select_destinations", R"({"request_spec":{"availability_zone":"NAME"}})"},
        Named{"receive_casts", R"({"topic":"compute","hosts":["NAME"]})"},
        Named{"update_aggregates", R"({"aggregates":[{"id":9,"name":"NAME"}]})"},
        Named{
            "update_instance_info",
            R"({"host_name":"h","instance_info":[{"uuid":"0d0d0d0d-0000-4000-8000-000000000001","display_name":"NAME"}]})"},
        Named{"list_hosts", R"({"host":"NAME"})"}));

TEST_F(Bounds, LetALongNameOfAnOlderStoreBeShownAndRemoved) {
  const std::string name(1000, 'y');
  manager.run_sql("INSERT INTO services VALUES ('compute/" + name + R"(', '{"topic":"compute","host":")" + name +
                  R"(","last_seen_up":1}'))");
  manager.restart();
  EXPECT_EQ(refusal("show_host", R"({"name":")" + name + R"("})"), "accepted");
  EXPECT_EQ(refusal("remove_service", R"({"topic":"compute","host":")" + name + R"("})"), "accepted");
}

TEST_F(Bounds, ImportLeavesLongNamesAndAbsurdNumbersOut) {
  const auto answer = json::write(manager.result(
      "import", R"({"tables":{"services":[{"topic":"compute","host":")" + std::string(300, 'y') +
                    R"("}],"compute_nodes":[{"host":"h","cpu_allocation_ratio":1e308}],"instances":[{"uuid":)" +
                    R"("0d0d0d0d-0000-4000-8000-000000000001","vcpus":1000000000000}]}})"));
  EXPECT_THAT(answer, HasSubstr("services[0]: host: expected at most 255 characters, found 300"));
  EXPECT_THAT(answer, HasSubstr("cpu_allocation_ratio: expected a number from 0 to 2147483647, found 1e+308"));
  EXPECT_THAT(answer, HasSubstr("vcpus: expected a whole number from 0 to 2147483647"));
}

class ManyHostsToList : public Bounds {
 protected:
  ManyHostsToList() {
    for (int at = 0; at < 1100; ++at)
      manager.result("update_resource_stats", report_of('"' + std::to_string(10'000 + at) + '"', ""));
  }
};

TEST_F(ManyHostsToList, ComeInPagesOfAThousandIfNobodySaysHowMany) {
  const auto first = manager.result("list_hosts", "{}").as_array();
  ASSERT_EQ(first.size(), 1000U);
  EXPECT_EQ(manager.result("list_hosts", R"({"marker":"10999"})").as_array().size(), 100U);
  EXPECT_EQ(manager.result("list_hosts", R"({"limit":1100})").as_array().size(), 1100U);
}

TEST_F(Bounds, APageEndsWithTheItemThatBringsItToItsBytes) {
  for (int at = 0; at < 12; ++at)
    manager.result("update_resource_stats", report_of(R"(["h","n)" + std::to_string(10 + at) + R"("])",
                                                      R"("metrics":[")" + std::string(1'000'000, 'x') + R"("])"));
  EXPECT_EQ(manager.result("list_hosts", "{}").as_array().size(), 9U) << "of 8 MiB";
  EXPECT_EQ(manager.result("list_hosts", R"({"marker":"h/n18"})").as_array().size(), 3U);
}

TEST_F(Bounds, TheCapabilitiesOfAHostStandWithTheFirstOfItsRows) {
  for (const auto* node : {"n1", "n2"})
    manager.result("update_resource_stats", report_of(R"(["h",")" + std::string(node) + R"("])", ""));
  manager.result("update_service_capabilities", R"({"service_name":"compute","host":"h","capabilities":{"gpu":1}})");
  const auto rows = manager.result("list_hosts", "{}");
  EXPECT_TRUE(rows.at(0).as_object().contains("capabilities"));
  EXPECT_FALSE(rows.at(1).as_object().contains("capabilities"));
}

TEST_F(Bounds, TellsOfTwoMachinesThatReportByOneName) {
  const auto report = [&](char machine) {
    manager.result("update_resource_stats", report_of(R"("web")", std::string(R"("uuid":"u)") + machine +
                                                                      R"(","host_ip":"192.0.2.)" + machine + '"'));
  };
  manager.result("service_register", R"({"topic":"compute","host":"web"})");
  report('1');
  report('2');
  EXPECT_THAT(warnings(), Not(HasSubstr("two machines"))) << "it may have been set up anew";
  report('1');
  EXPECT_THAT(warnings(),
              HasSubstr("host 'web': two machines report by this name, uuid u1 at 192.0.2.1, and uuid u2 at "
                        "192.0.2.2"));
  report('2');
  const auto events = manager.result("events", R"({"after":"first","types":["host.contested"]})");
  EXPECT_EQ(events.at("events").as_array().size(), 1U);
}

TEST_F(Bounds, TellsOfAClockThatRunsAhead) {
  manager.add_host("h", 8);
  EXPECT_THAT(warnings(), Not(HasSubstr("clocks run ahead")));
  manager.result("update_resource_stats", R"({"name":"h","stats":{},"sampled_at":"2199-01-01T00:00:00Z"})");
  EXPECT_THAT(warnings(), HasSubstr("clocks run ahead, so that heartbeats or reports are of the future: compute/h"));
}

}  // namespace
}  // namespace gantry::scheduling
