// SPDX-License-Identifier: Apache-2.0
//
// What the service does while its disk is full.
#include <gmock/gmock.h>

#include <chrono>

#include "fault_file_system.hpp"
#include "service.hpp"

namespace gantry::fault {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class FullDisk : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(service.start());
    for (const auto* host : {"a", "b"}) {
      ASSERT_TRUE(service.call("service_register", R"({"topic":"compute","host":")" + std::string(host) + R"("})"));
      ASSERT_TRUE(service.call("update_resource_stats", report(host)));
    }
    ASSERT_TRUE(service.call("schedule_run_instance", launch({1})));
  }
  void TearDown() override { FaultFileSystem::installed().disarm(); }

  void expect_refused(const std::string& method, const std::string& args) {
    const auto refused = service.call(method, args, "key of " + method);
    ASSERT_FALSE(refused) << method;
    EXPECT_EQ(refused.error().code, ErrorCode::resource_exhausted) << refused.error().message;
    EXPECT_THAT(refused.error().message,
                AllOf(HasSubstr("nothing was changed"), HasSubstr(service.settings.path), HasSubstr("no space left")));
  }
  void expect_changes_refused_and_reads_answered() {
    const auto before = service.shown();
    expect_refused("create_group", R"({"name":"g","policy":"affinity"})");
    expect_refused("schedule_run_instance", launch({2}));
    expect_refused("delete_instance", R"({"instance":")" + uuid_of(1) + R"("})");
    expect_refused("update_resource_stats", report("a", R"("x":1)"));
    EXPECT_EQ(service.shown(), before);
    expect_heartbeats_taken();
    const auto chosen =
        service.call("select_destinations", R"({"request_spec":{"num_instances":2,"instance_type":{"vcpus":1}}})");
    ASSERT_TRUE(chosen) << chosen.error().message;
    EXPECT_EQ(chosen->as_array().size(), 2U);
    EXPECT_TRUE(service.call("show_instance", R"({"instance":")" + uuid_of(1) + R"("})"));
  }
  void expect_heartbeats_taken() {
    for (const auto* host : {"a", "b"}) {
      const auto name = std::string(host) + R"("})";
      EXPECT_TRUE(service.call("report_state", R"({"topic":"compute","host":")" + name));
      EXPECT_TRUE(service.call("service_register", R"({"topic":"compute","host":")" + name));
      EXPECT_TRUE(service.call("update_resource_stats", report(host)));
    }
  }
  int reports_of_a() { return service.list("list_services").at(0).at("report_count").to_number<int>(); }
  void expect_changes_work_and_are_kept() {
    // With the keys of before: a refusal is not an answer that is repeated.
    EXPECT_TRUE(service.call("create_group", R"({"name":"g","policy":"affinity"})", "key of create_group"));
    EXPECT_TRUE(service.call("schedule_run_instance", launch({2}), "key of schedule_run_instance"));
    const auto shown = service.shown();
    service.stop();
    ASSERT_TRUE(service.start());
    EXPECT_EQ(service.shown(), shown);
  }

  Service service;
};

TEST_F(FullDisk, RefusesChangesWhileReadsGoOnUntilThereIsRoom) {
  FaultFileSystem::installed().arm({1, true, Form::disk_full});
  // Reading needs no disk here, but SQLite's locks would fail as well.
  FaultFileSystem::installed().fail_only_what_takes_space();
  expect_changes_refused_and_reads_answered();
  FaultFileSystem::installed().disarm();
  expect_changes_work_and_are_kept();
}

TEST_F(FullDisk, HeartbeatsOfTheFullDiskAreStoredWhenThereIsRoom) {
  service.stop();
  service.manager_settings.heartbeats = std::chrono::milliseconds(20);
  ASSERT_TRUE(service.start());
  FaultFileSystem::installed().arm({1, true, Form::disk_full});
  FaultFileSystem::installed().fail_only_what_takes_space();
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!service.store().has(RecordingStore::Answer::failed, store::Kind::heartbeat)) {
    expect_heartbeats_taken();
    ASSERT_LT(std::chrono::steady_clock::now(), end) << "no batch of heartbeats was tried";
  }
  expect_heartbeats_taken();
  const int counted = reports_of_a();
  FaultFileSystem::installed().disarm();
  service.stop();
  ASSERT_TRUE(service.start());
  EXPECT_EQ(reports_of_a(), counted);
}

TEST_F(FullDisk, AStoreThatMayNotGrowRefusesChangesUntilItMay) {
  service.stop();
  service.settings.pages = 40;
  ASSERT_TRUE(service.start());
  int kept = 0;
  const auto fill = [&](int number) {
    return service.call("update_service_capabilities", R"({"service_name":"volume","host":"h)" +
                                                           std::to_string(number) + R"(","capabilities":{"x":")" +
                                                           std::string(3000, 'x') + R"("}})");
  };
  while (kept < 100 && fill(kept)) ++kept;
  ASSERT_LT(kept, 100);
  expect_refused("update_service_capabilities",
                 R"({"service_name":"volume","host":"more","capabilities":{"x":")" + std::string(9000, 'x') + R"("}})");
  EXPECT_TRUE(service.call("select_destinations", R"({"request_spec":{"instance_type":{"vcpus":1}}})"));
  service.stop();
  service.settings.pages = 0;
  ASSERT_TRUE(service.start());
  EXPECT_TRUE(fill(kept));
  expect_changes_work_and_are_kept();
}

}  // namespace
}  // namespace gantry::fault
