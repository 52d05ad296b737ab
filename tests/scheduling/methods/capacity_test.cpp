// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scheduling/fake_authority.hpp"
#include "tests/scheduling/running_manager.hpp"

namespace gantry::scheduling {
namespace {

using ::testing::HasSubstr;

constexpr auto small_flavor = R"({"name":"small","vcpus":2,"memory_mb":512,"root_gb":1})";

// An answer about one flavor.
json::object ask_capacity(RunningManager& manager, const std::string& flavor = small_flavor,
                          const std::string& more = "") {
  const auto answer = manager.result("capacity", R"({"flavors":[)" + flavor + "]" + more + "}");
  return answer.at("flavors").as_array().at(0).as_object();
}

std::string group_text(const json::object& flavor) {
  std::string text;
  for (const auto& group : flavor.at("groups").as_array()) {
    text += std::string(group.at("name").as_string()) + "=" + json::write(group.at("count")) + "/" +
            json::write(group.at("hosts")) + " ";
  }
  return text;
}

class Capacity : public ::testing::Test {
 protected:
  Capacity() {
    manager.add_host("c1", 8);
    manager.add_host("c2", 5);
    manager.add_host("c3", 1);
  }
  void add_aggregate(const std::string& name, const std::string& zone, const std::vector<std::string>& hosts) {
    manager.result("create_aggregate", R"({"name":")" + name + R"(","availability_zone":)" + zone + "}");
    for (const auto& host : hosts)
      manager.result("add_aggregate_host", R"({"aggregate":")" + name + R"(","host":")" + host + R"("})");
  }
  std::uint64_t driver_calls() {
    return manager.result("status", "{}").at("drivers").as_array().at(0).at("calls").to_number<std::uint64_t>();
  }

  FakeAuthority authority;
  RunningManager manager{"simple"};
};

TEST_F(Capacity, AddsUpTheInstancesThatEachHostTakes) {
  const auto small = ask_capacity(manager);
  EXPECT_EQ(small.at("name").as_string(), "small");
  EXPECT_EQ(small.at("count").to_number<int>(), 4 + 2);
  EXPECT_EQ(small.at("hosts").to_number<int>(), 2);
  EXPECT_TRUE(small.at("exact").as_bool());
  EXPECT_EQ(group_text(small), "");
}

TEST_F(Capacity, AnswersForEachFlavorInTheirOrder) {
  const auto answer = manager.result("capacity", std::string(R"({"flavors":[{"name":"huge","vcpus":9},)") +
                                                     small_flavor + R"(,{"name":"one","vcpus":1}]})");
  std::string counts;
  for (const auto& flavor : answer.at("flavors").as_array()) counts += json::write(flavor.at("count")) + " ";
  EXPECT_EQ(counts, "0 6 14 ");
  EXPECT_EQ(answer.at("driver").as_string(), "simple");
  EXPECT_TRUE(answer.at("exact").as_bool());
}

TEST_F(Capacity, LeavesOutHostsThatTheDriverWouldNotChoose) {
  manager.result("disable_service", R"({"topic":"compute","host":"c1","reason":"new disk"})");
  EXPECT_EQ(ask_capacity(manager).at("count").to_number<int>(), 2);
  manager.result("force_down_service", R"({"topic":"compute","host":"c2"})");
  EXPECT_EQ(ask_capacity(manager).at("count").to_number<int>(), 0);
}

TEST_F(Capacity, CountsByZone) {
  add_aggregate("racks-1", R"("north")", {"c1"});
  add_aggregate("racks-2", R"("south")", {"c3"});
  EXPECT_EQ(group_text(ask_capacity(manager, small_flavor, R"(,"by":"zone")")), "north=4/1 nova=2/1 south=0/0 ");
}

TEST_F(Capacity, CountsAHostInEachOfItsAggregates) {
  add_aggregate("ssd", "null", {"c1", "c2"});
  add_aggregate("gpu", "null", {"c2"});
  EXPECT_EQ(group_text(ask_capacity(manager, small_flavor, R"(,"by":"aggregate")")), "=0/0 gpu=2/1 ssd=6/2 ");
}

TEST_F(Capacity, ReadsWhatElseTheRequestsSay) {
  add_aggregate("racks-1", R"("north")", {"c2"});
  const auto north = R"(,"request_spec":{"availability_zone":"north","num_instances":7})";
  EXPECT_EQ(ask_capacity(manager, small_flavor, north).at("count").to_number<int>(), 2);
}

TEST_F(Capacity, IsAsManyAsAreReallyPlaced) {
  const auto count = ask_capacity(manager).at("count").to_number<int>();
  const auto select = [this](int number) {
    const auto digits = std::to_string(1000 + number);
    return static_cast<bool>(manager.call(
        "select_destinations", std::string(R"({"request_spec":{"flavor":)") + small_flavor +
                                   R"(},"instance_uuids":["0d0d0d0d-0000-4000-8000-00000000)" + digits + "\"]}"));
  };
  for (int placed = 0; placed < count; ++placed) {
    EXPECT_EQ(ask_capacity(manager).at("count").to_number<int>(), count - placed);
    ASSERT_TRUE(select(placed));
  }
  EXPECT_EQ(ask_capacity(manager).at("count").to_number<int>(), 0);
  EXPECT_FALSE(select(count));
}

TEST_F(Capacity, IsKeptUntilTheFleetChanges) {
  ask_capacity(manager);
  const auto calls = driver_calls();
  ask_capacity(manager);
  manager.result("report_state", R"({"topic":"compute","host":"c1"})");
  EXPECT_EQ(ask_capacity(manager).at("count").to_number<int>(), 6);
  EXPECT_EQ(driver_calls(), calls);
  manager.result("update_resource_stats", R"({"name":"c1","stats":{"vcpus_used":3}})");
  EXPECT_EQ(ask_capacity(manager).at("count").to_number<int>(), 2 + 2);
  EXPECT_GT(driver_calls(), calls);
}

TEST_F(Capacity, TellsFlavorsApart) {
  EXPECT_EQ(ask_capacity(manager).at("count").to_number<int>(), 6);
  EXPECT_EQ(ask_capacity(manager, R"({"name":"small","vcpus":5})").at("count").to_number<int>(), 2);
}

TEST_F(Capacity, RefusesQuestionsThatHaveNoAnswer) {
  const auto refusal = [this](const std::string& args) {
    const auto reply = manager.call("capacity", args);
    EXPECT_FALSE(reply);
    return reply ? std::string() : reply.error().message;
  };
  EXPECT_THAT(refusal(R"({"flavors":[]})"), HasSubstr("a list of 1 to 1000 objects, found a list of 0"));
  EXPECT_THAT(refusal(R"({"flavors":"m1.tiny"})"), HasSubstr("argument 'flavors'"));
  EXPECT_THAT(refusal(R"({"flavors":[5]})"), HasSubstr("found a list with 5"));
  EXPECT_THAT(refusal(R"({"flavors":[{"name":"odd","vcpus":"many"}]})"),
              ::testing::AllOf(HasSubstr("flavor 'odd'"), HasSubstr("flavor.vcpus")));
  EXPECT_THAT(refusal(R"({"flavors":[{"vcpus":1}],"request_spec":{"scheduler_hints":{"group":"g"}}})"),
              HasSubstr("no server group"));
  EXPECT_THAT(refusal(R"({"flavors":[{"vcpus":1}],"by":"rack"})"), HasSubstr("argument 'by'"));
}

TEST(CapacityWithoutLimits, HasNoCount) {
  RunningManager manager("chance");
  manager.add_host("c1", 8);
  const auto flavor = ask_capacity(manager, small_flavor, R"(,"by":"zone")");
  EXPECT_TRUE(flavor.at("count").is_null());
  EXPECT_TRUE(flavor.at("unbounded").as_bool());
  EXPECT_EQ(flavor.at("hosts").to_number<int>(), 1);
  EXPECT_EQ(group_text(flavor), "nova=null/1 ");
}

TEST_F(Capacity, IsNotExactWhereAnAuthorityHasASay) {
  manager.set_authority(&authority);
  manager.restart();
  const auto small = ask_capacity(manager);
  EXPECT_EQ(small.at("count").to_number<int>(), 6);
  EXPECT_FALSE(small.at("exact").as_bool());
  EXPECT_THAT(std::string(small.at("reason").as_string()), HasSubstr("placement has a say"));
}

TEST(CapacityOfADriverThatDoesNotCount, IsCountedByDeciding) {
  RunningManager manager("puppet", {}, {}, GANTRY_ZOO_DIRECTORY);
  manager.add_host("c1", 8);
  const auto flavor = ask_capacity(manager, R"({"name":"within_1000","memory_mb":300})");
  EXPECT_EQ(flavor.at("count").to_number<int>(), 3);
  EXPECT_TRUE(flavor.at("exact").as_bool());
  EXPECT_TRUE(manager.result("list_claims", "{}").as_array().empty());
}

TEST(CapacityOfADriverThatDecidesFromHistory, IsNotExact) {
  RunningManager manager("history", {}, {}, GANTRY_ZOO_DIRECTORY);
  manager.add_host("c1", 8);
  const auto flavor = ask_capacity(manager);
  EXPECT_EQ(flavor.at("count").to_number<int>(), 1);
  EXPECT_FALSE(flavor.at("exact").as_bool());
  EXPECT_THAT(std::string(flavor.at("reason").as_string()),
              HasSubstr("the decisions of driver 'history' cannot be repeated"));
}

TEST(CapacityOfADriverThatDoesNotCount, IsAtLeastWhatThereWasTimeFor) {
  RunningManager manager("puppet", {}, {}, GANTRY_ZOO_DIRECTORY);
  manager.add_host("c1", 8);
  const auto answer = manager.result("capacity", R"({"flavors":[{"name":"all_in_turn"}]})");
  const auto& flavor = answer.at("flavors").as_array().at(0);
  EXPECT_FALSE(answer.at("exact").as_bool());
  EXPECT_FALSE(flavor.at("exact").as_bool());
  EXPECT_GE(flavor.at("count").to_number<int>(), 64);
  EXPECT_THAT(std::string(flavor.at("reason").as_string()),
              ::testing::AllOf(HasSubstr("at least so many"), HasSubstr("gantry.capacity/1")));
}

}  // namespace
}  // namespace gantry::scheduling
