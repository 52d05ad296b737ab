// SPDX-License-Identifier: Apache-2.0
//
// A driver's fault is told as the driver's fault, in the answer, the log and the counters, and leaves nothing behind. A
// claim that a driver makes beside a pick never takes the pick's claim away.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scheduling/running_manager.hpp"

namespace gantry::scheduling {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto placed_uuid = "0d0d0d0d-0000-4000-8000-000000000001";
constexpr auto other_placed_uuid = "0d0d0d0d-0000-4000-8000-000000000002";

std::string asked(const std::string& flavor, const std::vector<std::string>& uuids = {placed_uuid},
                  const std::string& more = {}) {
  return R"({"request_spec":{"instance_uuids":)" + json::write(json::array(uuids.begin(), uuids.end())) +
         R"(,"flavor":{"name":")" + flavor + R"(","vcpus":1,"memory_mb":600,"root_gb":0})" + more + "}}";
}

// Keeps what it is told, as text.
class RecordingLogger final : public telemetry::Logger {
 public:
  bool enabled(telemetry::Level level) const override { return level >= telemetry::Level::info; }
  using Logger::write;
  void write(telemetry::Level level, std::string_view message, std::span<const telemetry::Field> fields) override {
    if (!enabled(level)) return;
    text.append(message).append(":");
    for (const auto& [key, value] : fields) text.append(" ").append(key).append("=").append(value);
    text += "\n";
  }
  Result<void> reopen() override { return {}; }
  std::string text;
};

class DriversFault : public ::testing::Test {
 protected:
  DriversFault() {
    manager.add_host("a", 16);
    manager.add_host("b", 16);
  }
  Error error_of(const std::string& method, const std::string& args) {
    const auto reply = manager.call(method, args);
    EXPECT_FALSE(reply) << method << args;
    return reply ? Error{} : reply.error();
  }
  std::string run_method(const std::string& the_case) const {
    return R"({"topic":"compute","schedule_method":"run","kwargs":{"case":")" + the_case + R"("}})";
  }
  std::uint64_t counted(const std::string& name, const std::string& label) {
    for (const auto& entry : manager.counters().list()) {
      if (entry.name == name && entry.label == label) return entry.value;
    }
    return 0;
  }
  bool is_sound() { return manager.result("doctor", "{}").at("sound").as_bool(); }

  std::shared_ptr<RecordingLogger> logger = std::make_shared<RecordingLogger>();
  std::string& log = logger->text;
  RunningManager manager{"puppet", {}, {}, GANTRY_ZOO_DIRECTORY, logger};
};

TEST_F(DriversFault, AFailureAfterAPickIsNotLoggedAsScheduled) {
  for (const auto* flavor : {"pick_and_42", "pick_and_internal", "pick_and_deadline", "nan_limit", "pick_twice"}) {
    for (const auto* method : {"select_destinations", "schedule_run_instance"}) {
      log.clear();
      error_of(method, asked(flavor));
      EXPECT_THAT(log, AllOf(HasSubstr("the driver failed"), HasSubstr("driver=puppet"), HasSubstr("instances=0/1"),
                             Not(HasSubstr("scheduled:")), Not(HasSubstr("no valid host"))))
          << flavor << method;
    }
  }
  log.clear();
  error_of("select_destinations", asked("pick_and_no_host"));
  EXPECT_THAT(log, AllOf(HasSubstr("no valid host"), HasSubstr("not after all"), Not(HasSubstr("scheduled:"))));
}

TEST_F(DriversFault, NoInstanceIsBuildingAfterACallThatFailed) {
  for (const auto* flavor : {"pick_and_42", "pick_and_internal", "pick_and_deadline", "nothing", "bad_row_then_ok"}) {
    const auto error = error_of("schedule_run_instance", asked(flavor));
    EXPECT_THAT(error.message,
                AllOf(HasSubstr("driver 'puppet', schedule_run_instance"), Not(HasSubstr("No valid host"))))
        << flavor;
    EXPECT_TRUE(manager.result("list_instances", "{}").as_array().empty()) << flavor;
    EXPECT_TRUE(manager.result("list_casts", "{}").as_array().empty()) << flavor;
    EXPECT_TRUE(manager.fleet().claims().empty()) << flavor;
  }
  EXPECT_EQ(error_of("schedule_run_instance", asked("pick_and_deadline")).code, ErrorCode::deadline_exceeded);
}

TEST_F(DriversFault, SilenceAboutAnInstanceIsTheDriversFault) {
  EXPECT_THAT(error_of("schedule_run_instance", asked("nothing")).message,
              HasSubstr("neither picked a host for instance 0 nor refused it"));
  EXPECT_THAT(error_of("select_destinations", asked("nothing")).message,
              HasSubstr("neither picked a host for instance 0, nor said that there is no valid host"));
}

TEST_F(DriversFault, MisuseIsNamedLoggedAndCounted) {
  const auto error = error_of("select_destinations", asked("nan_limit"));
  EXPECT_EQ(error.code, ErrorCode::internal);
  EXPECT_EQ(error.message,
            "driver 'puppet', select_destinations: broke the ABI's rules: pick: expected a finite number that is not "
            "negative for limits.vcpu, found NaN; this is a fault of the driver");
  EXPECT_THAT(log, AllOf(HasSubstr("a driver broke the ABI's rules"), HasSubstr("found NaN")));
  EXPECT_EQ(counted("misuses", "puppet"), 1U);
  EXPECT_EQ(error_of("schedule", run_method("bad_reply")).code, ErrorCode::internal);
  EXPECT_EQ(counted("misuses", "puppet"), 2U);
}

TEST_F(DriversFault, WhatTheCallerDidWrongIsStillTheCallers) {
  const auto error = error_of("select_destinations", asked("callers_fault"));
  EXPECT_EQ(error.code, ErrorCode::invalid_argument);
  EXPECT_EQ(counted("misuses", "puppet"), 0U);
}

TEST_F(DriversFault, ARefusedInstanceDoesNotTouchTheNextOne) {
  const auto answer = manager.result("schedule_run_instance", asked("second_only", {placed_uuid, other_placed_uuid}));
  const auto& instances = answer.at("instances").as_array();
  EXPECT_EQ(instances[0].at("vm_state").as_string(), "error");
  EXPECT_EQ(instances[0].at("fault").as_string(), "No valid host was found. too big");
  EXPECT_EQ(instances[1].at("vm_state").as_string(), "building");
  EXPECT_EQ(instances[1].at("host").as_string(), "a");
  EXPECT_EQ(instances[1].at("fault").as_string(), "");
  EXPECT_EQ(manager.result("list_casts", "{}").as_array().size(), 1U);
  ASSERT_EQ(manager.fleet().claims().size(), 1U);
  EXPECT_EQ(manager.fleet().claims()[0].consumer, other_placed_uuid);
}

TEST_F(DriversFault, ADriversClaimLeavesTheInstanceItsBooking) {
  manager.result("schedule_run_instance", asked("within_1000"));
  manager.result("schedule", run_method("claim_for_instance"));
  for (int begun = 0; begun < 2; ++begun) {
    const auto claims = json::write(manager.result("list_claims", R"({"host":"a"})"));
    EXPECT_THAT(claims, AllOf(HasSubstr("widgets"), HasSubstr("memory_mb"), HasSubstr("vcpu"), HasSubstr("instances")));
    const auto second = manager.result("schedule_run_instance", asked("within_1000", {other_placed_uuid}));
    EXPECT_EQ(second.at("instances").at(0).at("vm_state").as_string(), "error") << "the host is full";
    EXPECT_TRUE(is_sound());
    manager.restart();
  }
  EXPECT_EQ(manager.result("release_claims", R"({"instance_uuid":")" + std::string(placed_uuid) + R"("})")
                .at("released")
                .to_number<int>(),
            2);
}

TEST_F(DriversFault, ANewPlacementKeepsWhatADriverClaimedForTheInstance) {
  manager.result("schedule_run_instance", asked("pick"));
  manager.result("update_instance", R"({"vm_state":"error","uuid":")" + std::string(placed_uuid) + R"("})");
  manager.result("schedule", run_method("claim_for_instance"));
  manager.result("schedule_run_instance", asked("down_host"));
  const auto claims = json::write(manager.result("list_claims", R"({"host":"a"})"));
  EXPECT_THAT(claims, AllOf(HasSubstr("widgets"), Not(HasSubstr("memory_mb"))));
  EXPECT_THAT(json::write(manager.result("list_claims", R"({"host":"b"})")), HasSubstr("memory_mb"));
  EXPECT_TRUE(is_sound());
  manager.result("delete_instance", R"({"instance":")" + std::string(placed_uuid) + R"("})");
  EXPECT_TRUE(manager.fleet().claims().empty());
}

// The driver sees the nearer of two deadlines: the caller's, and call_timeout from the beginning of the call.
TEST_F(DriversFault, ADriverSeesTheDeadlineOfItsCaller) {
  manager.set_patience(std::chrono::seconds(5));
  const auto left = manager.result("schedule", run_method("time_left")).to_number<double>();
  EXPECT_GT(left, 0);
  EXPECT_LE(left, 5);
}

TEST_F(DriversFault, ADriverSeesTheCallTimeout) {
  manager.manager_settings().call_timeout = std::chrono::seconds(7);
  manager.restart();
  manager.set_patience(std::chrono::hours(1));
  const auto left = manager.result("schedule", run_method("time_left")).to_number<double>();
  EXPECT_GT(left, 0);
  EXPECT_LE(left, 7);
}

TEST_F(DriversFault, TheClaimsOfAMethodArePagedOneByOne) {
  manager.result("schedule", run_method("claim_twice"));
  const auto first = manager.result("list_claims", R"({"limit":1})").as_array();
  ASSERT_EQ(first.size(), 1U);
  const auto marker = "a/compute/a//" + std::string(first[0].at("id").as_string());
  const auto rest = manager.result("list_claims", R"({"marker":")" + marker + R"("})").as_array();
  ASSERT_EQ(rest.size(), 1U);
  EXPECT_NE(rest[0].at("id"), first[0].at("id"));
}

TEST_F(DriversFault, NamesOfADriversCountersLeaveTheCoresTheirPlace) {
  for (int at = 0; at < 5000; ++at) manager.counters().add("driver.made up " + std::to_string(at), "puppet", 1);
  manager.counters().add("errors", "a new one", 1);
  EXPECT_EQ(counted("errors", "a new one"), 1U);
  manager.counters().add("driver.of another", "chance", 1);
  EXPECT_EQ(counted("driver.of another", "chance"), 1U);
}

TEST_F(DriversFault, AllLimitsOfADriverReachTheCallerInEitherForm) {
  const auto plain = json::write(manager.result("select_destinations", asked("limits")));
  EXPECT_THAT(plain, AllOf(HasSubstr(R"("numa_topology":1)"), HasSubstr(R"("own":2)")));
  const auto objects =
      json::write(manager.result("select_destinations", R"({"return_objects":true,)" + asked("limits").substr(1)));
  EXPECT_THAT(objects, AllOf(HasSubstr("SchedulerLimits"), HasSubstr(R"("numa_topology":1)"), HasSubstr(R"("own":2)")));
}

TEST_F(DriversFault, AnInstanceJoinsTheGroupThatItsRequestCarries) {
  const auto group = manager.result("create_group", R"({"name":"spread","policy":"anti-affinity"})");
  const auto uuid = std::string(group.at("uuid").as_string());
  manager.result(
      "schedule_run_instance",
      asked("pick", {placed_uuid}, R"(,"instance_group":{"uuid":")" + uuid + R"(","policy":"anti-affinity"})"));
  EXPECT_THAT(json::write(manager.result("show_group", R"({"group":"spread"})")), HasSubstr(placed_uuid));
}

}  // namespace
}  // namespace gantry::scheduling
