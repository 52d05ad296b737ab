// SPDX-License-Identifier: Apache-2.0
//
// An instance runs once: asked for again, it is refused, or what an earlier launch has left is ended.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scheduling/running_manager.hpp"

namespace gantry::scheduling {
namespace {

using testing::HasSubstr;

const std::string launched_uuid = "0d0d0d0d-0000-4000-8000-000000000001";

class SingleLaunch : public testing::Test {
 protected:
  SingleLaunch() {
    manager.add_host("one", 4);
    manager.add_host("two", 4);
  }

  static std::string request(int vcpus = 1) {
    return R"({"request_spec":{"instance_uuids":[")" + launched_uuid + R"("],"instance_type":{"vcpus":)" +
           std::to_string(vcpus) + R"(,"memory_mb":512,"root_gb":1}}})";
  }
  // Returns the host; empty: none was found.
  std::string launch() {
    const auto placed = manager.result("schedule_run_instance", request());
    return std::string(json::find_string(placed.at("instances").at(0).as_object(), "host").value_or(""));
  }
  void report(const std::string& more) {
    manager.result("update_instance", R"({"uuid":")" + launched_uuid + R"(",)" + more + "}");
  }
  void report_use(const std::string& host, const std::string& instances) {
    manager.result("update_resource_stats", R"({"name":")" + host + R"(","stats":{"instances":[)" + instances + "]}}");
  }
  void disable(const std::string& host) {
    manager.result("disable_service", R"({"topic":"compute","host":")" + host + R"("})");
  }
  static std::string other(const std::string& host) { return host == "one" ? "two" : "one"; }
  // The methods of the casts that the host is to receive.
  std::vector<std::string> told(const std::string& host) {
    std::vector<std::string> methods;
    const auto casts = manager.result("list_casts", R"({"host":")" + host + R"("})");
    for (const auto& cast : casts.as_array()) methods.emplace_back(std::string_view(cast.at("method").as_string()));
    return methods;
  }
  void receive(const std::string& host, bool acknowledges) {
    const auto casts = manager.result("receive_casts", R"({"topic":"compute","host":")" + host + R"("})");
    for (const auto& cast : casts.as_array())
      if (acknowledges) manager.result("acknowledge_cast", json::write(json::object{{"id", cast.at("id")}}));
  }
  void expect_refused(const std::string& why, int vcpus = 1) {
    const auto refused = manager.call("schedule_run_instance", request(vcpus));
    ASSERT_FALSE(refused) << json::write(*refused);
    EXPECT_EQ(refused.error().code, ErrorCode::failed_precondition);
    EXPECT_THAT(refused.error().message, HasSubstr(why));
  }

  RunningManager manager{"simple"};
};

using Names = std::vector<std::string>;

TEST_F(SingleLaunch, IsRefusedAgainHoweverFarTheFirstHostIs) {
  const auto host = launch();
  disable(host);  // the next decision would go elsewhere
  const std::vector<std::function<void()>> steps{
      [] {},
      [&] { receive(host, false); },
      [&] { manager.restart(); },
      [&] { receive(host, true); },
      [&] { report(R"("vm_state":"building","task_state":"spawning","host":")" + host + '"'); },
      [&] { report_use(host, '"' + launched_uuid + '"'); }};
  for (const auto& step : steps) {
    step();
    expect_refused("instance " + launched_uuid + " is building (spawning) on " + host + "; delete it before");
    expect_refused("is building (spawning) on " + host, 2);
    EXPECT_EQ(told(other(host)), Names());
  }
  report(R"("vm_state":"active")");
  expect_refused("is active on " + host);
  report(R"("vm_state":"error")");
  expect_refused("is in error on " + host + ", where it was active; delete it before");
  manager.restart();
  expect_refused("is in error on " + host);
  EXPECT_EQ(told(other(host)), Names());
}

TEST_F(SingleLaunch, EndsWhatFailedToStartWhereItIsPlacedElsewhere) {
  const auto first = launch();
  receive(first, true);
  report(R"("vm_state":"error")");
  report_use(first, '"' + launched_uuid + '"');
  disable(first);
  EXPECT_EQ(launch(), other(first));
  for (int begun = 0; begun < 2; ++begun) {
    EXPECT_EQ(told(first), Names{"terminate_instance"});
    EXPECT_EQ(told(other(first)), Names{"run_instance"});
    manager.restart();
  }
  expect_refused("is building (spawning) on " + other(first));
}

TEST_F(SingleLaunch, WithdrawsTheUnreceivedCastOfAFailedInstance) {
  const auto first = launch();
  report(R"("vm_state":"error")");
  disable(first);
  launch();
  for (int begun = 0; begun < 2; ++begun) {
    EXPECT_EQ(told(first), Names{"terminate_instance"});
    const auto claims = manager.result("list_claims", "{}");
    ASSERT_EQ(claims.as_array().size(), 1U);
    EXPECT_EQ(claims.at(0).at("host").as_string(), other(first));
    manager.restart();
  }
}

TEST_F(SingleLaunch, LeavesItToAHostToStartAgainWhatFailedThere) {
  const auto host = launch();
  receive(host, true);
  report(R"("vm_state":"error")");
  disable(other(host));
  EXPECT_EQ(launch(), host);
  EXPECT_EQ(told(host), Names{"run_instance"});
}

TEST_F(SingleLaunch, EndsWhatFailedToStartThoughNoOtherHostIsFound) {
  const auto host = launch();
  receive(host, true);
  report(R"("vm_state":"error")");
  disable("one");
  disable("two");
  EXPECT_EQ(launch(), "");
  EXPECT_EQ(told(host), Names{"terminate_instance"});
}

TEST_F(SingleLaunch, IsRefusedWhileAReportListsTheInstanceElsewhere) {
  report_use("two", '"' + launched_uuid + '"');
  expect_refused("instance " + launched_uuid + " is on two, as the host's last report says; end it there before");
  manager.restart();
  expect_refused("is on two");
  report_use("two", "");
  disable("two");
  EXPECT_EQ(launch(), "one");
  report(R"("vm_state":"error")");
  report_use("one", '"' + launched_uuid + '"');
  report_use("two", '"' + launched_uuid + '"');
  expect_refused("is on two");
}

TEST_F(SingleLaunch, PlacesADeletedInstanceAnewAndEndsTheFirst) {
  const auto first = launch();
  receive(first, true);
  manager.result("delete_instance", R"({"instance":")" + launched_uuid + R"("})");
  disable(first);
  EXPECT_EQ(launch(), other(first));
  EXPECT_EQ(told(first), Names{"terminate_instance"});
  EXPECT_EQ(told(other(first)), Names{"run_instance"});
}

TEST_F(SingleLaunch, HoldsOneClaimWhereDestinationsWereSelectedBefore) {
  manager.result("select_destinations", request());
  manager.result("select_destinations", request());
  const auto host = launch();
  const auto claims = manager.result("list_claims", "{}");
  ASSERT_EQ(claims.as_array().size(), 1U);
  EXPECT_EQ(claims.at(0).at("host").as_string(), host);
  EXPECT_EQ(told(host), Names{"run_instance"});
}

}  // namespace
}  // namespace gantry::scheduling
