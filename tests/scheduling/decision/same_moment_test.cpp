// SPDX-License-Identifier: Apache-2.0
//
// Changes of one thing at the same moment: the store has them in the order in which memory has, so that a restart shows
// what was shown before it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <barrier>
#include <thread>

#include "tests/scheduling/held_store.hpp"
#include "tests/scheduling/running_manager.hpp"

namespace gantry::scheduling {
namespace {

constexpr int rounds = 12;

struct Change {
  std::string method;
  std::string args;
};

std::string uuid_of(int number) {
  auto digits = std::to_string(number);
  return "0d0d0d0d-0000-4000-8000-" + std::string(12 - digits.size(), '0') + digits;
}

std::string launch(const std::string& uuid, const std::string& hints = "{}") {
  return R"({"request_spec":{"instance_uuids":[")" + uuid +
         R"("],"instance_type":{"vcpus":1,"memory_mb":1,"root_gb":0}},"filter_properties":{"scheduler_hints":)" +
         hints + "}}";
}

std::unique_ptr<store::Store> held(std::unique_ptr<store::Store> store) {
  return std::make_unique<HeldStore>(std::move(store));
}

class SameMoment : public testing::Test {
 protected:
  SameMoment() { manager.add_host("h1", 1000); }

  void make(const std::vector<Change>& changes) {
    std::barrier start(static_cast<std::ptrdiff_t>(changes.size()));
    std::vector<std::thread> clients;
    clients.reserve(changes.size());
    for (const auto& change : changes) {
      clients.emplace_back([&] {
        start.arrive_and_wait();
        static_cast<void>(manager.call(change.method, change.args));
      });
    }
    for (auto& client : clients) client.join();
  }
  std::string everything() {
    std::string all;
    for (const auto* list :
         {"list_instances", "list_groups", "list_aggregates", "list_hosts", "list_services", "list_claims"}) {
      all += json::write(manager.result(list, "{}")) + "\n";
    }
    auto casts = manager.result("list_casts", "{}");
    for (auto& cast : casts.as_array()) cast.as_object().erase("age");  // in seconds, so it grows meanwhile
    all += json::write(casts) + "\n";
    return all + json::write(manager.result("show_host", R"({"name":"h1"})").at("stats"));
  }
  void expect_the_same_after_a_restart() {
    const auto shown = everything();
    manager.restart();
    EXPECT_EQ(everything(), shown);
  }

  RunningManager manager{"simple", {}, held};
};

TEST_F(SameMoment, KeepsEveryMemberThatJoinsAGroup) {
  for (int round = 0; round < rounds; ++round) {
    const auto name = "spread-" + std::to_string(round);
    manager.result("create_group", R"({"name":")" + name + R"(","policy":"affinity"})");
    std::vector<Change> changes;
    for (int at = 0; at < 2; ++at)
      changes.push_back({"schedule_run_instance", launch(uuid_of(round * 2 + at), R"({"group":")" + name + R"("})")});
    make(changes);
  }
  expect_the_same_after_a_restart();
  const auto groups = manager.result("list_groups", "{}");
  for (const auto& group : groups.as_array())
    EXPECT_EQ(group.at("members").as_array().size(), 2U) << json::write(group);
}

TEST_F(SameMoment, KeepsEveryHostThatIsAddedToAnAggregate) {
  for (int round = 0; round < rounds; ++round) {
    const auto name = "rack-" + std::to_string(round);
    manager.result("create_aggregate", R"({"name":")" + name + R"("})");
    const auto host = R"({"force":true,"aggregate":")" + name + R"(","host":"h)";
    make({{"add_aggregate_host", host + R"(1"})"}, {"add_aggregate_host", host + R"(2"})"}});
  }
  expect_the_same_after_a_restart();
  const auto racks = manager.result("list_aggregates", "{}");
  for (const auto& rack : racks.as_array()) {
    EXPECT_EQ(rack.at("hosts").as_array().size(), 2U) << json::write(rack);
  }
}

TEST_F(SameMoment, LeavesAServerDeletedThatItsAgentReportsMeanwhile) {
  for (int round = 0; round < rounds; ++round) {
    const auto uuid = uuid_of(round);
    manager.result("schedule_run_instance", launch(uuid));
    make({{"delete_instance", R"({"instance":")" + uuid + R"("})"},
          {"update_instance", R"({"uuid":")" + uuid + R"(","vm_state":"active"})"}});
  }
  expect_the_same_after_a_restart();
  EXPECT_TRUE(manager.result("list_instances", "{}").as_array().empty());
}

TEST_F(SameMoment, MergesBothReportsOfOneHost) {
  const auto host = [](int round) { return "r" + std::to_string(round); };
  for (int round = 0; round < rounds; ++round) {
    const auto report = [&](const std::string& key) {
      return Change{"update_resource_stats", R"({"name":")" + host(round) + R"(","stats":{")" + key + R"(":1}})"};
    };
    make({report("first"), report("second")});
  }
  expect_the_same_after_a_restart();
  for (int round = 0; round < rounds; ++round) {
    const auto shown = manager.result("show_host", R"({"name":")" + host(round) + R"("})");
    EXPECT_EQ(shown.at("stats").as_object().size(), 2U) << json::write(shown);
  }
}

TEST_F(SameMoment, LeavesOneClaimOfAFailedServerThatIsRescheduledWhileItsCastIsAcknowledged) {
  for (int round = 0; round < rounds; ++round) {
    const auto uuid = uuid_of(round);
    manager.result("schedule_run_instance", launch(uuid));
    const auto casts = manager.result("list_casts", "{}");
    const auto id = std::string(casts.as_array().back().at("id").as_string());
    manager.result("update_instance", R"({"uuid":")" + uuid + R"(","vm_state":"error"})");
    make({{"acknowledge_cast", R"({"id":")" + id + R"("})"},
          {"schedule_run_instance", launch(uuid)},
          {"release_claims", R"({"instance_uuid":")" + uuid + R"("})"}});
  }
  expect_the_same_after_a_restart();
}

}  // namespace
}  // namespace gantry::scheduling
