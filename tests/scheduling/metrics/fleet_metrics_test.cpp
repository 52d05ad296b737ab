// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/metrics/fleet_metrics.hpp"

#include <gmock/gmock.h>

#include "core/scheduling/metrics/host_counts.hpp"
#include "core/scheduling/metrics/nova_metrics.hpp"
#include "tests/scheduling/running_manager.hpp"

namespace gantry::scheduling {
namespace {

using testing::HasSubstr;
using testing::Not;

class FleetMetrics : public testing::Test {
 protected:
  FleetMetrics() : manager_("simple") {}

  // A host whose processors may be given out twice.
  void add_host(const std::string& name, int vcpus) {
    manager_.add_host(name, vcpus);
    manager_.result("update_resource_stats", R"({"name":")" + name + R"(","stats":{"cpu_allocation_ratio":2}})");
  }
  std::string text() {
    const auto state = manager_.state();
    telemetry::MetricText into;
    write_fleet(*state, into);
    return into.text();
  }
  void put_instance(int number, const std::string& vm_state) {
    fleet::Instance instance;
    const auto digits = std::to_string(100 + number);
    instance.uuid = "6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0" + digits;
    instance.vm_state = vm_state;
    manager_.fleet().put_instance(instance);
  }

  RunningManager manager_;
};

TEST_F(FleetMetrics, CountEachHostInOneState) {
  for (const auto* host : {"a", "b", "c", "d"}) add_host(host, 4);
  manager_.result("disable_service", R"({"topic":"compute","host":"b"})");
  manager_.result("force_down_service", R"({"topic":"compute","host":"c"})");
  manager_.result("disable_service", R"({"topic":"compute","host":"d"})");
  manager_.result("force_down_service", R"({"topic":"compute","host":"d"})");
  EXPECT_THAT(text(), HasSubstr("gantry_hosts{topic=\"compute\",state=\"up\"} 1\n"
                                "gantry_hosts{topic=\"compute\",state=\"down\"} 0\n"
                                "gantry_hosts{topic=\"compute\",state=\"disabled\"} 1\n"
                                "gantry_hosts{topic=\"compute\",state=\"forced_down\"} 2\n"));
}

TEST_F(FleetMetrics, CountTheRoomOfHostsThatAreUpAndEnabled) {
  add_host("a", 4);
  add_host("b", 100);
  manager_.result("disable_service", R"({"topic":"compute","host":"b"})");
  manager_.result("update_resource_stats", R"({"name":"a","stats":{"vcpus_used":3}})");
  EXPECT_THAT(text(), HasSubstr("gantry_total_vcpus{topic=\"compute\"} 8\n"));
  EXPECT_THAT(text(), HasSubstr("gantry_free_vcpus{topic=\"compute\"} 5\n"));
}

TEST_F(FleetMetrics, LetAHostBeyondItsLimitTakeNothingFromOthers) {
  add_host("a", 4);
  add_host("b", 4);
  manager_.result("update_resource_stats", R"({"name":"b","stats":{"vcpus_used":50}})");
  EXPECT_THAT(text(), HasSubstr("gantry_free_vcpus{topic=\"compute\"} 8\n"));
}

TEST_F(FleetMetrics, LeaveOutAHostThatHasNotReported) {
  manager_.result("service_register", R"({"topic":"compute","host":"silent","binary":"nova-compute"})");
  EXPECT_THAT(text(), HasSubstr("gantry_total_vcpus{topic=\"compute\"} 0\n"));
}

TEST_F(FleetMetrics, NameABoundedNumberOfTopics) {
  for (int i = 10; i < 90; ++i)
    manager_.result("service_register", R"({"topic":"topic)" + std::to_string(i) + R"(","host":"h","binary":"b"})");
  const auto found = text();
  EXPECT_THAT(found, HasSubstr("gantry_hosts{topic=\"topic10\",state=\"up\"} 1\n"));
  EXPECT_THAT(found, Not(HasSubstr("topic89")));
  EXPECT_THAT(found, HasSubstr("gantry_hosts{topic=\"other\",state=\"up\"} 31\n"));
}

TEST_F(FleetMetrics, NameABoundedNumberOfStatesOfInstances) {
  for (int i = 0; i < 30; ++i) put_instance(i, "state" + std::to_string(10 + i));
  const auto found = text();
  EXPECT_THAT(found, HasSubstr("gantry_instances{state=\"state10\"} 1\n"));
  EXPECT_THAT(found, Not(HasSubstr("state39")));
  EXPECT_THAT(found, HasSubstr("gantry_instances{state=\"other\"} 10\n"));
}

TEST_F(FleetMetrics, FollowInstancesThroughTheirStates) {
  put_instance(1, "building");
  put_instance(2, "building");
  put_instance(1, "active");
  EXPECT_THAT(text(), HasSubstr("gantry_instances{state=\"active\"} 1\ngantry_instances{state=\"building\"} 1\n"));
  manager_.fleet().remove_instance("6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0101");
  EXPECT_THAT(text(), Not(HasSubstr("active")));
}

TEST_F(FleetMetrics, CountClaimsAndCastsAsTheListsDo) {
  add_host("a", 4);
  manager_.result("select_destinations",
                  R"({"request_spec":{"num_instances":2,"flavor":{"vcpus":1}},"instance_uuids":)"
                  R"(["6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a01","6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a02"]})");
  EXPECT_EQ(manager_.fleet().claim_count(), 2U);
  manager_.result("release_claims", R"({"instance_uuid":"6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a01"})");
  EXPECT_EQ(manager_.fleet().claim_count(), manager_.fleet().claims().size());
  EXPECT_THAT(text(), HasSubstr("gantry_claims 1\n"));
}

TEST_F(FleetMetrics, KnowTheFullestHosts) {
  add_host("a", 4);
  add_host("b", 4);
  add_host("c", 4);
  manager_.result("update_resource_stats", R"({"name":"b","stats":{"vcpus_used":6}})");
  manager_.result("update_resource_stats", R"({"name":"c","stats":{"vcpus_used":2}})");
  const auto moment = manager_.fleet().pin(steady_nanoseconds());
  const auto fullest = fullest_hosts(moment, *moment.view("compute"), 2);
  ASSERT_EQ(fullest.size(), 2U);
  EXPECT_EQ(fullest[0].host, "b");
  EXPECT_DOUBLE_EQ(fullest[0].vcpus, 0.75);
  EXPECT_EQ(fullest[1].host, "c");
}

TEST(NovaMetrics, TellTheStateOfBrokerAndDatabases) {
  const auto status = *json::parse_object(
      R"({"mode":"serve","facts":{"databases":[{"name":"api","connected":true,"last_refresh_ms":250},)"
      R"({"name":"cell1","connected":false,"last_refresh_ms":null}]},"mirror":{"connected":true,"last_refresh_ms":10},)"
      R"("rpc":{"connected":true,"paused":false,"under_way":3,"replies_waiting":1}})");
  telemetry::MetricText into;
  write_nova(status, into);
  for (const auto* line : {"gantry_nova_info{mode=\"serve\"} 1\n", "gantry_nova_broker_connected 1\n",
                           "gantry_nova_paused 0\n", "gantry_nova_requests_under_way 3\n",
                           "gantry_nova_replies_waiting 1\n", "gantry_nova_database_connected{database=\"api\"} 1\n",
                           "gantry_nova_database_connected{database=\"cell1\"} 0\n",
                           "gantry_nova_database_connected{database=\"placement\"} 1\n",
                           "gantry_nova_database_refresh_seconds{database=\"api\"} 0.25\n"})
    EXPECT_THAT(into.text(), HasSubstr(line));
  EXPECT_THAT(into.text(), Not(HasSubstr("refresh_seconds{database=\"cell1\"}")));
}

TEST(NovaMetrics, SayNothingOfAStatusWithoutMembers) {
  telemetry::MetricText into;
  write_nova({}, into);
  EXPECT_EQ(into.text(), "");
}

}  // namespace
}  // namespace gantry::scheduling
