// SPDX-License-Identifier: Apache-2.0
//
// What a failed commit leaves, where calls follow each other so closely that each has seen what the one before changed.
#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "fault_file_system.hpp"
#include "service.hpp"

namespace gantry::fault {
namespace {

class Undo : public testing::Test {
 protected:
  void SetUp() override {
    service.settings.batches_per_transaction = 1;
    ASSERT_TRUE(service.start());
    for (const auto* host : {"a", "b"}) {
      ASSERT_TRUE(service.call("service_register", R"({"topic":"compute","host":")" + std::string(host) + R"("})"));
      ASSERT_TRUE(service.call("update_resource_stats", report(host)));
    }
    ASSERT_TRUE(service.call("create_aggregate", R"({"name":"rack"})"));
    ASSERT_TRUE(service.call("create_group", R"({"name":"spread","policy":"soft-anti-affinity"})"));
    service.flush();
  }
  void TearDown() override { files().disarm(); }

  // The calls, each submitted before the first is committed; the commit of the first fails.
  std::vector<bool> together(const std::vector<std::pair<std::string, std::string>>& calls) {
    std::promise<void> reached;
    std::promise<void> go_on;
    service.store().submit(
        {},
        [&](const Result<void>&) {
          reached.set_value();
          go_on.get_future().wait();
        },
        nullptr);
    reached.get_future().wait();
    std::vector<bool> answers;
    for (const auto& [method, args] : calls)
      service.send(method, args, [&answers](const Reply& reply) { answers.push_back(static_cast<bool>(reply)); });
    files().arm({1, false, Form::io_error});
    go_on.set_value();
    service.flush();
    EXPECT_TRUE(files().has_struck());
    return answers;
  }
  void expect_memory_as_stored() {
    const auto before = service.shown();
    service.stop();
    ASSERT_TRUE(service.start());
    EXPECT_EQ(service.shown(), before);
  }
  static FaultFileSystem& files() { return FaultFileSystem::installed(); }

  Service service;
};

const std::vector<bool> all_three_failed{false, false, false};

TEST_F(Undo, AChangeOnTopOfAFailedOneIsUndoneInMemoryToo) {
  const auto before = service.shown();
  const auto answers = together({{"add_aggregate_host", R"({"aggregate":"rack","host":"a"})"},
                                 {"add_aggregate_host", R"({"aggregate":"rack","host":"b"})"},
                                 {"update_aggregate", R"({"aggregate":"rack","metadata":{"ssd":"true"}})"}});
  EXPECT_EQ(answers, all_three_failed);
  EXPECT_EQ(service.shown(), before);
  expect_memory_as_stored();
}

TEST_F(Undo, ReportsMergedOverAFailedOneFailWithIt) {
  const auto before = service.shown();
  together({{"update_resource_stats", report("a", R"("x":1)")},
            {"update_resource_stats", report("a", R"("y":1)")},
            {"report_state", R"({"topic":"compute","host":"a"})"}});
  EXPECT_EQ(service.shown(), before);
  expect_memory_as_stored();
}

TEST_F(Undo, AFailedInstanceScheduledTwiceIsAsBeforeBoth) {
  ASSERT_TRUE(service.call("schedule_run_instance", launch({1})));
  ASSERT_TRUE(service.call("update_instance", R"({"uuid":")" + uuid_of(1) + R"(","vm_state":"error"})"));
  const auto before = service.shown();
  together({{"schedule_run_instance", launch({1}, "spread")},
            {"schedule_run_instance", launch({1})},
            {"delete_instance", R"({"instance":")" + uuid_of(1) + R"("})"}});
  EXPECT_EQ(service.shown(), before);
  expect_memory_as_stored();
}

TEST_F(Undo, AFailedDeletionFreesNothingForOthers) {
  ASSERT_TRUE(service.call("update_resource_stats", R"({"name":"a","stats":{"vcpus":1}})"));
  ASSERT_TRUE(service.call("disable_service", R"({"topic":"compute","host":"b"})"));
  ASSERT_TRUE(service.call("schedule_run_instance", launch({1})));
  const auto deletion = R"({"instance":")" + uuid_of(1) + R"("})";
  const auto answers = together({{"delete_instance", deletion}, {"select_destinations", launch({2})}});
  EXPECT_EQ(answers, std::vector<bool>({false, false}));
  EXPECT_EQ(service.list("list_claims").size(), 1U);
  EXPECT_TRUE(service.call("delete_instance", deletion));
  EXPECT_TRUE(service.call("select_destinations", launch({2})));
}

TEST_F(Undo, AcknowledgedCastsWaitAgainWithTheirClaims) {
  ASSERT_TRUE(service.call("schedule_run_instance", launch({1})));
  const auto before = service.shown();
  const auto id = std::string(service.list("list_casts").at(0).at("id").as_string());
  together({{"acknowledge_cast", R"({"id":")" + id + R"("})"},
            {"update_resource_stats", report("a", R"("instances":[")" + uuid_of(1) + R"("])")},
            {"update_resource_stats", report("b", R"("instances":[")" + uuid_of(1) + R"("])")}});
  EXPECT_EQ(service.shown(), before);
  expect_memory_as_stored();
}

TEST_F(Undo, ClaimsWrittenBehindInVainAreStoredLater) {
  service.stop();
  service.manager_settings.housekeeping = std::chrono::milliseconds(5);
  ASSERT_TRUE(service.start());
  files().arm({1, true, Form::io_error});
  ASSERT_TRUE(service.call("select_destinations", launch({1})));
  service.flush();
  EXPECT_TRUE(files().has_struck());
  files().disarm();
  for (int i = 0; i < 2000 && !service.store().has(RecordingStore::Answer::kept, store::Kind::claim); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(service.list("list_claims").size(), 1U);
  expect_memory_as_stored();
}

TEST_F(Undo, ADocumentThatIsTooLargeIsRefusedAloneWithNothingChanged) {
  service.stop();
  service.settings.bytes_per_document = 100'000;
  service.settings.batches_per_transaction = 512;
  ASSERT_TRUE(service.start());
  const auto before = service.shown();
  const auto huge = service.call("update_resource_stats", report("a", R"("x":")" + std::string(200'000, 'x') + '"'));
  ASSERT_FALSE(huge);
  EXPECT_EQ(huge.error().code, ErrorCode::invalid_argument);
  EXPECT_NE(huge.error().message.find("too large"), std::string::npos) << huge.error().message;
  EXPECT_EQ(service.shown(), before);
  EXPECT_TRUE(service.call("update_resource_stats", report("a", R"("y":1)")));
  expect_memory_as_stored();
}

}  // namespace
}  // namespace gantry::fault
