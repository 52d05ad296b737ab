// SPDX-License-Identifier: Apache-2.0
//
// Changes of aggregates and rules of groups that are refused because they are mostly mistakes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scheduling/running_manager.hpp"

namespace gantry::scheduling {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class GuardedManager : public ::testing::Test {
 protected:
  std::string refusal(const std::string& method, const std::string& args, ErrorCode code) {
    const auto reply = manager.call(method, args);
    EXPECT_FALSE(reply) << method << " " << args;
    if (reply) return {};
    EXPECT_EQ(reply.error().code, code) << reply.error().message;
    return reply.error().message;
  }
  RunningManager manager{"simple"};
};

class GuardedAggregate : public GuardedManager {
 protected:
  GuardedAggregate() {
    manager.add_host("h1", 8);
    manager.add_host("h2", 8);
    manager.result("create_aggregate", R"({"name":"fast","availability_zone":"az1"})");
  }
  std::string stopped(const std::string& method, const std::string& args) {
    const auto message = refusal(method, args, ErrorCode::failed_precondition);
    EXPECT_THAT(message, HasSubstr("--force"));
    const auto forced = args.substr(0, args.size() - 1) + R"(,"force":true})";
    manager.result(method, forced);
    return message;
  }
  std::string add(const std::string& host) {
    return manager.call("add_aggregate_host", R"({"aggregate":"fast","host":")" + host + R"("})") ? "added" : "refused";
  }
  // An instance on h1 or h2, whichever simple takes; its host.
  std::string launch() {
    const auto placed = manager.result(
        "schedule_run_instance", R"({"request_spec":{"num_instances":1,"instance_type":{"vcpus":1,"memory_mb":1}}})");
    return std::string(placed.at("instances").at(0).at("host").as_string());
  }
};

TEST_F(GuardedAggregate, TakesNoHostThatNobodyKnowsUnlessForced) {
  EXPECT_THAT(stopped("add_aggregate_host", R"({"aggregate":"fast","host":"hh1"})"),
              AllOf(HasSubstr("host 'hh1': expected a host of topic compute, found none of that name"),
                    HasSubstr("gantry host list")));
  EXPECT_EQ(add("h1"), "added");
  EXPECT_EQ(add("hh1"), "added") << "it is in already";
}

TEST_F(GuardedAggregate, WithHostsIsNotDeletedUnlessForced) {
  ASSERT_EQ(add("h1"), "added");
  ASSERT_EQ(add("h2"), "added");
  EXPECT_THAT(stopped("delete_aggregate", R"({"aggregate":"fast"})"),
              HasSubstr("aggregate 'fast': expected no hosts, found h1, h2; take them out first"));
  manager.result("create_aggregate", R"({"name":"empty"})");
  manager.result("delete_aggregate", R"({"aggregate":"empty"})");
}

TEST_F(GuardedAggregate, KeepsTheZoneOfHostsWithInstancesUnlessForced) {
  const auto host = launch();
  const auto args = R"({"aggregate":"fast","host":")" + host + R"("})";
  EXPECT_THAT(stopped("add_aggregate_host", args),
              HasSubstr("host '" + host + "' would go from zone 'nova' to zone 'az1' with 1 instance on it"));
  EXPECT_THAT(stopped("update_aggregate", R"({"aggregate":"fast","metadata":{"availability_zone":"az2"}})"),
              HasSubstr("from zone 'az1' to zone 'az2' with 1 instance"));
  manager.result("update_aggregate", R"({"aggregate":"fast","metadata":{"ssd":"true"}})");
  manager.result("create_aggregate", R"({"name":"same","availability_zone":"az2"})");
  manager.result("add_aggregate_host", R"({"aggregate":"same","host":")" + host + R"("})");
  manager.result("remove_aggregate_host", R"({"aggregate":"same","host":")" + host + R"("})");
  EXPECT_THAT(stopped("remove_aggregate_host", args),
              HasSubstr("from zone 'az2' to zone 'nova' with 1 instance on it"));
}

TEST_F(GuardedAggregate, WithoutInstancesMayChangeItsZone) {
  ASSERT_EQ(add("h1"), "added");
  manager.result("update_aggregate", R"({"aggregate":"fast","metadata":{"availability_zone":"az2"}})");
  manager.result("remove_aggregate_host", R"({"aggregate":"fast","host":"h1"})");
}

TEST_F(GuardedAggregate, HasANameThatCanBeTyped) {
  EXPECT_THAT(refusal("create_aggregate", R"({"name":"a\u0000b"})", ErrorCode::invalid_argument),
              HasSubstr("argument 'name': expected text without control characters, found 0x00 at byte 1"));
  EXPECT_THAT(refusal("update_aggregate", R"({"aggregate":"fast","name":"a\n"})", ErrorCode::invalid_argument),
              HasSubstr("found 0x0a"));
  EXPECT_THAT(refusal("create_aggregate", R"({"name":"a","availability_zone":"z\u007f"})", ErrorCode::invalid_argument),
              HasSubstr("argument 'availability_zone'"));
  EXPECT_THAT(refusal("create_group", R"({"name":"\u0000","policy":"affinity"})", ErrorCode::invalid_argument),
              HasSubstr("argument 'name'"));
}

class GuardedGroup : public GuardedManager {
 protected:
  std::string refused(const std::string& policy, const std::string& rules) {
    return refusal("create_group", R"({"name":"g","policy":")" + policy + R"(","rules":)" + rules + "}",
                   ErrorCode::invalid_argument);
  }
};

TEST_F(GuardedGroup, HasOnlyRulesThatNovaKnows) {
  for (const auto* count : {"\"two\"", "0", "-1", "\"0\"", "1.5", "true", "null", "[]", "1e12"}) {
    EXPECT_THAT(refused("anti-affinity", R"({"max_server_per_host":)" + std::string(count) + "}"),
                HasSubstr("max_server_per_host"))
        << count;
  }
  EXPECT_THAT(refused("anti-affinity", R"({"bogus":2})"),
              HasSubstr("argument 'rules': expected max_server_per_host alone, found 'bogus'"));
  for (const auto* policy : {"affinity", "soft-affinity", "soft-anti-affinity"}) {
    EXPECT_THAT(refused(policy, R"({"max_server_per_host":2})"),
                AllOf(HasSubstr("with policy anti-affinity alone"), HasSubstr(std::string("found policy ") + policy)));
  }
  manager.result("create_group", R"({"name":"g1","policy":"anti-affinity","rules":{"max_server_per_host":2}})");
  manager.result("create_group", R"({"name":"g2","policy":"anti-affinity","rules":{"max_server_per_host":"3"}})");
  manager.result("create_group", R"({"name":"g3","policy":"affinity","rules":{}})");
}

// Which hosts the aggregate has.
class ManyHosts : public GuardedManager {
 protected:
  ManyHosts() {
    for (const auto* host : {"h1", "h2", "h3"}) manager.add_host(host, 8);
    manager.result("create_aggregate", R"({"name":"fast"})");
  }
  std::string hosts() { return json::write(manager.result("show_aggregate", R"({"aggregate":"fast"})").at("hosts")); }
  // Returns the hosts in the last event of a change to an aggregate.
  json::object told() {
    const auto events = manager.result("events", R"({"after":"first","types":["aggregate.updated"]})");
    return events.at("events").as_array().back().at("changes").at("hosts").as_object();
  }
};

TEST_F(ManyHosts, ComeAndGoInOneCall) {
  manager.result("add_aggregate_host", R"({"aggregate":"fast","hosts":["h1","h2","h2","h3"]})");
  EXPECT_EQ(hosts(), R"(["h1","h2","h3"])");
  EXPECT_EQ(json::write(told()), R"({"added":{"count":3,"first":["h1","h2","h3"]}})");
  manager.result("remove_aggregate_host", R"({"aggregate":"fast","hosts":["h3","h1"]})");
  EXPECT_EQ(hosts(), R"(["h2"])");
  EXPECT_EQ(json::write(told()), R"({"removed":{"count":2,"first":["h3","h1"]}})");
  manager.restart();
  EXPECT_EQ(hosts(), R"(["h2"])");
}

TEST_F(ManyHosts, ComeAllOrNone) {
  refusal("add_aggregate_host", R"({"aggregate":"fast","hosts":["h1","nobody"]})", ErrorCode::failed_precondition);
  EXPECT_EQ(hosts(), "[]");
  manager.result("add_aggregate_host", R"({"aggregate":"fast","hosts":["h1"]})");
  refusal("remove_aggregate_host", R"({"aggregate":"fast","hosts":["h1","h2"]})", ErrorCode::not_found);
  EXPECT_EQ(hosts(), R"(["h1"])");
  refusal("add_aggregate_host", R"({"aggregate":"fast"})", ErrorCode::invalid_argument);
  refusal("add_aggregate_host", R"({"aggregate":"fast","host":"h1","hosts":["h2"]})", ErrorCode::invalid_argument);
}

TEST_F(ManyHosts, AreBoundInNumber) {
  std::string names;
  for (int number = 0; number < 10'001; ++number) names.append(R"(,"n)").append(std::to_string(number)).append("\"");
  const auto most = R"({"aggregate":"fast","force":true,"hosts":[)" + names.substr(1, names.rfind(',') - 1) + "]}";
  manager.result("add_aggregate_host", most);
  EXPECT_THAT(refusal("add_aggregate_host", R"({"aggregate":"fast","force":true,"hosts":[)" + names.substr(1) + "]}",
                      ErrorCode::invalid_argument),
              HasSubstr("at most 10000 texts, found 10001"));
}

TEST_F(ManyHosts, AreToldOfByCountAndFirstNames) {
  std::string names;
  for (int number = 100; number < 600; ++number) names.append(R"(,"n)").append(std::to_string(number)).append("\"");
  manager.result("add_aggregate_host", R"({"aggregate":"fast","force":true,"hosts":[)" + names.substr(1) + "]}");
  const auto added = told().at("added").as_object();
  EXPECT_EQ(added.at("count").to_number<int>(), 500);
  EXPECT_EQ(added.at("first").as_array().size(), 10U);
  manager.result("add_aggregate_host", R"({"aggregate":"fast","host":"h1"})");
  EXPECT_EQ(json::write(told()), R"({"added":{"count":1,"first":["h1"]}})");
  EXPECT_EQ(manager.result("list_hosts", R"({"aggregate":"fast"})").as_array().size(), 1U);
}

}  // namespace
}  // namespace gantry::scheduling
