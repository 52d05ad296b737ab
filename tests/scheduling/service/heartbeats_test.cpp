// SPDX-License-Identifier: Apache-2.0
//
// Heartbeats and reports that say nothing new: what they cost, and what is left of them after an end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "tests/scheduling/passing_store.hpp"
#include "tests/scheduling/running_manager.hpp"

namespace gantry::scheduling {
namespace {

// Counts the batches that cost a commit.
class CountingStore final : public PassingStore {
 public:
  CountingStore(std::unique_ptr<store::Store> store, std::atomic<int>& commits)
      : PassingStore(std::move(store)), commits_(commits) {}
  void submit(store::Batch batch, store::Done done, store::Undo undo) override {
    if (!batch.empty()) ++commits_;
    PassingStore::submit(std::move(batch), std::move(done), std::move(undo));
  }

 private:
  std::atomic<int>& commits_;
};

class HeartbeatsOf : public ::testing::Test {
 protected:
  static constexpr auto service = R"({"topic":"compute","host":"h1","binary":"nova-compute"})";
  static constexpr auto beat = R"({"topic":"compute","host":"h1"})";
  static std::string report(const std::string& more = {}) {
    return R"({"name":"h1","stats":{"vcpus":8,"memory_mb":1024.0,"load":0.25,"cpu_info":"{\"arch\":\"x86_64\"}")" +
           more + "}}";
  }
  static std::string capabilities(const std::string& value) {
    return R"({"service_name":"compute","host":"h1","capabilities":{"ssd":)" + value + "}}";
  }
  int commits_of(const std::string& method, const std::string& args) {
    const int before = commits;
    manager.result(method, args);
    return commits - before;
  }
  int reports() { return manager.result("list_services", "{}").as_array().at(0).at("report_count").to_number<int>(); }
  std::string updated_at() {
    return json::write(manager.result("show_host", R"({"name":"h1"})").at("row").at("updated_at"));
  }

  std::atomic<int> commits{0};
  RunningManager manager{"chance", {}, [this](std::unique_ptr<store::Store> store) {
                           return std::make_unique<CountingStore>(std::move(store), commits);
                         }};
};

TEST_F(HeartbeatsOf, AKnownServiceCostNoCommit) {
  EXPECT_EQ(commits_of("service_register", service), 1);
  EXPECT_EQ(commits_of("report_state", beat), 0);
  EXPECT_EQ(commits_of("service_register", service), 0);
  EXPECT_EQ(commits_of("service_register", R"({"topic":"compute","host":"h1","binary":"another"})"), 1);
  EXPECT_EQ(reports(), 4);
}

TEST_F(HeartbeatsOf, AHostWhoseReportSaysNothingNewCostNoCommit) {
  EXPECT_EQ(commits_of("update_resource_stats", report()), 1);
  const auto first = updated_at();
  EXPECT_EQ(commits_of("update_resource_stats", report()), 0);
  EXPECT_NE(updated_at(), first);
  EXPECT_EQ(commits_of("update_resource_stats", report(R"(,"rack":"r1")")), 1);
  EXPECT_EQ(commits_of("update_resource_stats", R"({"name":"h1","stats":{}})"), 0);
  EXPECT_EQ(commits_of("update_resource_stats", report(R"(,"rack":null)")), 1);
  EXPECT_EQ(commits_of("update_service_capabilities", capabilities("true")), 1);
  EXPECT_EQ(commits_of("update_service_capabilities", capabilities("true")), 0);
  EXPECT_EQ(commits_of("update_service_capabilities", capabilities("false")), 1);
}

TEST_F(HeartbeatsOf, AReportThatEndsAClaimIsStored) {
  manager.add_host("h1", 8);
  manager.result("select_destinations", R"({"request_spec":{"instance_uuids":["0d0d0d0d-0000-4000-8000-000000000001"],)"
                                        R"("instance_type":{"vcpus":1,"memory_mb":1,"root_gb":1}}})");
  ASSERT_EQ(manager.result("list_claims", "{}").as_array().size(), 1U);
  const auto listed = R"({"name":"h1","stats":{"instances":["0d0d0d0d-0000-4000-8000-000000000001"]}})";
  EXPECT_EQ(commits_of("update_resource_stats", listed), 1);
  EXPECT_EQ(manager.result("list_claims", "{}").as_array().size(), 0U);
  EXPECT_EQ(manager.stored(store::Kind::claim), 0U);
}

TEST_F(HeartbeatsOf, ARunAreThereAfterItsEnd) {
  manager.result("service_register", service);
  manager.result("update_resource_stats", report());
  for (int i = 0; i < 3; ++i) {
    manager.result("report_state", beat);
    manager.result("update_resource_stats", report());
  }
  const auto when = updated_at();
  const auto seen = json::write(manager.result("list_services", "{}"));
  manager.restart();
  EXPECT_EQ(updated_at(), when);
  EXPECT_EQ(json::write(manager.result("list_services", "{}")), seen);
}

TEST_F(HeartbeatsOf, ARemovedServiceAreGoneWithIt) {
  manager.result("service_register", service);
  manager.result("update_resource_stats", report());
  manager.result("report_state", beat);
  manager.result("update_resource_stats", report());
  EXPECT_EQ(manager.stored(store::Kind::heartbeat), 2U);
  manager.result("report_state", beat);
  manager.result("remove_service", R"({"topic":"compute","host":"h1"})");
  manager.result("remove_host", R"({"name":"h1"})");
  EXPECT_EQ(manager.stored(store::Kind::heartbeat), 0U);
  manager.result("service_register", service);
  EXPECT_EQ(reports(), 1);
}

TEST_F(HeartbeatsOf, AServiceThatTheDoctorExaminesAreNoFinding) {
  manager.result("service_register", service);
  manager.result("update_resource_stats", report());
  manager.result("report_state", beat);
  manager.result("update_resource_stats", report());
  EXPECT_EQ(json::write(manager.result("doctor", "{}").at("findings")), "[]");
  manager.restart();
  manager.result("report_state", beat);
  EXPECT_EQ(json::write(manager.result("doctor", "{}").at("findings")), "[]");
}

}  // namespace
}  // namespace gantry::scheduling
