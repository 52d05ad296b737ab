// SPDX-License-Identifier: Apache-2.0
//
// Members of server groups that are deleted while their host still reports them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <mutex>
#include <utility>

#include "tests/scheduling/passing_store.hpp"
#include "tests/scheduling/running_manager.hpp"

namespace gantry::scheduling {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Once told to, answers the next batch only after the batch behind it has come.
class LateStore final : public PassingStore {
 public:
  using PassingStore::PassingStore;

  // Returns what is ready as soon as the next batch is on its way to the disk.
  std::future<void> answer_late() {
    const std::lock_guard lock(mutex_);
    first_ = std::make_shared<std::promise<void>>();
    return first_->get_future();
  }
  void submit(store::Batch batch, store::Done done, store::Undo undo) override {
    const std::lock_guard lock(mutex_);
    const auto first = std::exchange(first_, nullptr);
    const auto second = std::exchange(second_, nullptr);
    if (first) {
      second_ = std::make_shared<std::promise<void>>();
      const auto behind = second_->get_future().share();
      done = [behind, done = std::move(done)](Result<void> stored) {
        behind.wait();
        done(std::move(stored));
      };
    }
    PassingStore::submit(std::move(batch), std::move(done), std::move(undo));
    if (first) first->set_value();
    if (second) second->set_value();
  }

 private:
  std::mutex mutex_;
  std::shared_ptr<std::promise<void>> first_;
  std::shared_ptr<std::promise<void>> second_;
};

class DeletedMembers : public ::testing::Test {
 protected:
  static constexpr auto uuid = "0d0d0d0d-0000-4000-8000-000000000001";
  static std::string named(const std::string& key) { return "{\"" + key + "\":\"" + uuid + "\"}"; }

  DeletedMembers() {
    manager.add_host("h1", 8);
    manager.result("create_group", R"({"name":"web","policy":"soft-anti-affinity"})");
  }
  void ask(const std::string& method) {
    manager.result(method, R"({"request_spec":{"instance_uuids":[")" + std::string(uuid) +
                               R"("],"instance_type":{"vcpus":1,"memory_mb":1,"root_gb":0}},)" +
                               R"("filter_properties":{"scheduler_hints":{"group":"web"}}})");
  }
  void report(const std::string& instances) {
    manager.result("update_resource_stats", R"({"name":"h1","stats":{"instances":[)" + instances + "]}}");
  }
  // The host reports these instances after the call was made and before its transaction is durable.
  void report_during(const std::string& method, const std::string& args, const std::string& instances) {
    auto begun = store->answer_late();
    auto called = std::async(std::launch::async, [&] { manager.result(method, args); });
    begun.wait();
    report(instances);
    called.wait();
  }
  std::vector<std::string> members() {
    std::vector<std::string> uuids;
    const auto group = manager.result("show_group", R"({"group":"web"})");
    for (const auto& member : group.at("members").as_array()) uuids.emplace_back(member.as_string());
    return uuids;
  }

  LateStore* store = nullptr;
  RunningManager manager{"simple", {}, [this](std::unique_ptr<store::Store> real) {
                           auto late = std::make_unique<LateStore>(std::move(real));
                           store = late.get();
                           return late;
                         }};
};

TEST_F(DeletedMembers, StayAwayThoughTheirHostStillListsThem) {
  ask("schedule_run_instance");
  ASSERT_THAT(members(), ElementsAre(uuid));
  report_during("delete_instance", named("instance"), "\"" + std::string(uuid) + "\"");
  EXPECT_THAT(members(), IsEmpty());
  manager.restart();
  EXPECT_THAT(members(), IsEmpty());
}

TEST_F(DeletedMembers, LeaveWithTheirHostsReportThoughTheirClaimIsBeingReleased) {
  ask("select_destinations");
  report("\"" + std::string(uuid) + "\"");
  ASSERT_THAT(members(), ElementsAre(uuid));
  ask("select_destinations");
  report_during("release_claims", named("instance_uuid"), "");
  EXPECT_THAT(members(), IsEmpty());
}

}  // namespace
}  // namespace gantry::scheduling
