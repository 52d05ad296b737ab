// SPDX-License-Identifier: Apache-2.0
//
// Members of server groups: from the claim of a pick on, for every caller, until the instance is gone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <barrier>
#include <map>
#include <set>
#include <thread>

#include "core/encoding/uuid.hpp"
#include "tests/scheduling/running_manager.hpp"

namespace gantry::scheduling {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

std::string member_uuid(int number) {
  auto digits = std::to_string(number);
  return "0d0d0d0d-0000-4000-8000-" + std::string(12 - digits.size(), '0') + digits;
}

std::string list_of(const std::vector<int>& numbers) {
  std::string list;
  for (const auto number : numbers) list += (list.empty() ? "\"" : ",\"") + member_uuid(number) + "\"";
  return "[" + list + "]";
}

constexpr auto by_hint = R"("scheduler_hints":{"group":"web"})";

std::string request(const std::vector<int>& instances, const std::string& group) {
  return R"({"request_spec":{"instance_uuids":)" + list_of(instances) + R"(,"num_instances":)" +
         std::to_string(instances.size()) + R"(,"instance_type":{"vcpus":1,"memory_mb":1,"root_gb":0},)" + group + "}}";
}

// By the driver that decides.
class GroupMembers : public ::testing::TestWithParam<std::string> {
 protected:
  GroupMembers() {
    for (const auto* host : {"h1", "h2", "h3"}) manager.add_host(host, 8);
  }
  std::string make_group() {
    const auto made = manager.result("create_group", R"({"name":"web","policy":"anti-affinity"})");
    return std::string(made.at("uuid").as_string());
  }
  // The hosts of the destinations. Empty: there was no valid host.
  std::vector<std::string> select(const std::vector<int>& instances, const std::string& group = by_hint) {
    const auto reply = manager.call("select_destinations", request(instances, group));
    std::vector<std::string> hosts;
    if (!reply) {
      EXPECT_EQ(reply.error().code, ErrorCode::no_valid_host) << reply.error().message;
      return hosts;
    }
    for (const auto& each : reply->as_array()) hosts.emplace_back(each.at("host").as_string());
    return hosts;
  }
  std::vector<std::string> members() {
    std::vector<std::string> uuids;
    const auto group = manager.result("show_group", R"({"group":"web"})");
    for (const auto& member : group.at("members").as_array()) uuids.emplace_back(member.as_string());
    return uuids;
  }
  void launch(int instance) { manager.result("schedule_run_instance", request({instance}, by_hint)); }
  void report(const std::string& host, const std::vector<int>& instances) {
    manager.result("update_resource_stats",
                   R"({"name":")" + host + R"(","stats":{"instances":)" + list_of(instances) + "}}");
  }
  std::vector<std::string> changes_told() {
    std::vector<std::string> told;
    const auto events = manager.result("events", R"({"after":"first","types":["group.updated"]})");
    for (const auto& event : events.at("events").as_array()) told.push_back(json::write(event.at("changes")));
    return told;
  }

  RunningManager manager{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Each, GroupMembers, ::testing::Values("simple", "filter"),
                         [](const auto& driver) { return driver.param; });

TEST_P(GroupMembers, AreThoseOfClaimsFromCallToCall) {
  make_group();
  std::set<std::string> hosts;
  for (const int instance : {1, 2, 3}) {
    for (const auto& host : select({instance})) hosts.insert(host);
  }
  EXPECT_THAT(hosts, ElementsAre("h1", "h2", "h3"));
  EXPECT_THAT(select({4}), IsEmpty());
  EXPECT_THAT(members(), UnorderedElementsAre(member_uuid(1), member_uuid(2), member_uuid(3)));
  manager.result("release_claims", R"({"instance_uuid":")" + member_uuid(2) + "\"}");
  EXPECT_THAT(members(), UnorderedElementsAre(member_uuid(1), member_uuid(3)));
  EXPECT_EQ(select({4}).size(), 1U);
}

TEST_P(GroupMembers, AreThoseOfClaimsWithinOneCall) {
  make_group();
  EXPECT_THAT(select({1, 2, 3}), UnorderedElementsAre("h1", "h2", "h3"));
  EXPECT_THAT(select({4, 5}), IsEmpty());
}

TEST_P(GroupMembers, AreThoseOfClaimsOfBothKindsOfCalls) {
  make_group();
  const auto first = select({1});
  launch(2);
  const auto second =
      std::string(manager.result("show_instance", R"({"instance":")" + member_uuid(2) + "\"}").at("host").as_string());
  const auto third = select({3});
  ASSERT_EQ(first.size() + third.size(), 2U);
  EXPECT_THAT((std::set<std::string>{first[0], second, third[0]}), ElementsAre("h1", "h2", "h3"));
}

TEST_P(GroupMembers, AreThoseOfClaimsForAGroupThatOnlyRequestsKnow) {
  const std::string carried =
      R"("instance_group":{"uuid":"6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a99","policy":"anti-affinity","policies":["anti-affinity"],"members":[],"hosts":[]})";
  std::set<std::string> hosts;
  for (const int instance : {1, 2, 3}) {
    for (const auto& host : select({instance}, carried)) hosts.insert(host);
  }
  EXPECT_THAT(hosts, ElementsAre("h1", "h2", "h3"));
  EXPECT_THAT(select({4}, carried), IsEmpty());
}

// The property: no host ever has two.
TEST_P(GroupMembers, NeverMeetOnAHostWhenManyAskAtOnce) {
  constexpr int callers = 6;
  for (int round = 0; round < 8; ++round) {
    const auto made = manager.result("create_group", R"({"name":"web","policy":"anti-affinity"})");
    const auto uuid = std::string(made.at("uuid").as_string());
    const auto carried = R"("instance_group":{"uuid":")" + uuid +
                         R"(","policy":"anti-affinity","policies":["anti-affinity"],"members":[],"hosts":[]})";
    std::barrier start(callers);
    std::vector<std::thread> threads;
    for (int caller = 0; caller < callers; ++caller) {
      threads.emplace_back([&, instance = round * callers + caller + 1] {
        const auto asked = request({instance}, instance % 2 == 0 ? by_hint : carried);
        start.arrive_and_wait();
        static_cast<void>(manager.call(instance % 3 == 0 ? "schedule_run_instance" : "select_destinations", asked));
      });
    }
    for (auto& thread : threads) thread.join();
    std::map<std::string, int> on_host;
    const auto claims = manager.result("list_claims", "{}");
    for (const auto& claim : claims.as_array()) ++on_host[std::string(claim.at("host").as_string())];
    EXPECT_EQ(on_host.size(), 3U);
    for (const auto& [host, count] : on_host) EXPECT_EQ(count, 1) << host;
    for (const auto& claim : claims.as_array())
      manager.result("release_claims", R"({"instance_uuid":)" + json::write(claim.at("consumer")) + "}");
    const auto instances = manager.result("list_instances", "{}");
    for (const auto& instance : instances.as_array())
      manager.result("delete_instance", R"({"instance":)" + json::write(instance.at("uuid")) + "}");
    manager.result("delete_group", R"({"group":"web"})");
  }
}

TEST_P(GroupMembers, LeaveWhenTheirServerIsDeletedAndEventsSaySo) {
  make_group();
  launch(1);
  EXPECT_THAT(members(), ElementsAre(member_uuid(1)));
  manager.result("delete_instance", R"({"instance":")" + member_uuid(1) + "\"}");
  EXPECT_THAT(members(), IsEmpty());
  EXPECT_THAT(changes_told(), ElementsAre(HasSubstr(R"("added":{"count":1,"first":[")" + member_uuid(1)),
                                          HasSubstr(R"("removed":{"count":1,"first":[")" + member_uuid(1))));
  manager.restart();
  EXPECT_THAT(members(), IsEmpty());
}

TEST_P(GroupMembers, LeaveWhenTheirHostSaysThatTheyAreGone) {
  make_group();
  launch(1);
  const auto host =
      std::string(manager.result("show_instance", R"({"instance":")" + member_uuid(1) + "\"}").at("host").as_string());
  const auto about = R"({"host_name":")" + host + R"(","instance_)";
  manager.result("update_instance_info",
                 about + R"(info":[{"uuid":")" + member_uuid(1) + R"(","vm_state":"soft-delete"}]})");
  EXPECT_THAT(members(), IsEmpty()) << "Nova does not count it either";
  manager.result("update_instance_info",
                 about + R"(info":[{"uuid":")" + member_uuid(1) + R"(","vm_state":"active"}]})");
  EXPECT_THAT(members(), ElementsAre(member_uuid(1))) << "it was restored";
  manager.result("delete_instance_info", about + R"(uuid":")" + member_uuid(1) + "\"}");
  EXPECT_THAT(members(), IsEmpty());
}

TEST_P(GroupMembers, StayWhileTheirHostListsThemThoughNoRecordKnowsThem) {
  make_group();
  const auto host = select({1}).at(0);
  report(host, {1});
  EXPECT_EQ(manager.result("list_claims", "{}").as_array().size(), 0U);
  EXPECT_THAT(members(), ElementsAre(member_uuid(1)));
  manager.restart();
  EXPECT_THAT(members(), ElementsAre(member_uuid(1)));
  report(host, {});
  EXPECT_THAT(members(), IsEmpty());
}

TEST_P(GroupMembers, FollowReportsThatAreImportedAsThoseThatAreSent) {
  make_group();
  const auto host = select({1}).at(0);
  const auto import = [&](const std::vector<int>& instances) {
    manager.result("import", R"({"tables":{"compute_nodes":[{"host":")" + host + R"(","instances":)" +
                                 list_of(instances) + "}]}}");
  };
  import({1});
  EXPECT_EQ(manager.result("list_claims", "{}").as_array().size(), 0U);
  EXPECT_THAT(members(), ElementsAre(member_uuid(1)));
  EXPECT_THAT(changes_told(), ElementsAre(HasSubstr(R"("added":{"count":1,"first":[")" + member_uuid(1))));
  manager.restart();
  EXPECT_THAT(members(), ElementsAre(member_uuid(1)));
  import({});
  EXPECT_THAT(members(), IsEmpty());
  EXPECT_THAT(changes_told(), ElementsAre(HasSubstr(R"("removed":{"count":1,"first":[")" + member_uuid(1))));
}

TEST_P(GroupMembers, WhoseInstancesNothingKnowsLeaveAtARestart) {
  const auto uuid = make_group();
  launch(1);
  ASSERT_EQ(select({2}).size(), 1U);
  // As a version wrote it that left the deleted in their groups.
  manager.run_sql("UPDATE server_groups SET document = replace(document, '\"members\":[', '\"members\":[\"" +
                  member_uuid(9) + "\",')");
  manager.restart();
  EXPECT_THAT(members(), UnorderedElementsAre(member_uuid(1), member_uuid(2)));
  EXPECT_THAT(manager.fleet().group(uuid)->members, ElementsAre(member_uuid(1)));
}

TEST_P(GroupMembers, OfTwoProjectsThatUseOneNameAreToldApart) {
  for (const auto* project : {"blue", "red"}) {
    const auto uuid = member_uuid(project == std::string_view("blue") ? 100 : 200);
    manager.fleet().put_group({uuid, "web", project, "ann", "anti-affinity", {}, {}});
  }
  const auto refused = manager.call("select_destinations", request({1}, by_hint));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::failed_precondition);
  EXPECT_THAT(refused.error().message, AllOf(HasSubstr("2 server groups are named 'web'"), HasSubstr(member_uuid(100)),
                                             HasSubstr(member_uuid(200)), HasSubstr("by its uuid")));
  manager.result("select_destinations",
                 request({1}, std::string(by_hint) + R"(,"instance_properties":{"project_id":"red"})"));
  EXPECT_THAT(manager.fleet().members_of(member_uuid(100)), IsEmpty());
  EXPECT_THAT(manager.fleet().members_of(member_uuid(200)), ElementsAre(member_uuid(1)));
}

TEST_P(GroupMembers, AreBoundInNumber) {
  const auto uuid = make_group();
  auto group = *manager.fleet().group(uuid);
  for (int number = 0; number < 10'000; ++number) group.members.push_back(to_text(random_uuid()));
  manager.fleet().put_group(group);
  const auto reply = manager.call("schedule_run_instance", request({1}, by_hint));
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::resource_exhausted);
  EXPECT_THAT(reply.error().message,
              AllOf(HasSubstr("server group 'web' would have 10001 members"), HasSubstr("at most 10000")));
}

}  // namespace
}  // namespace gantry::scheduling
