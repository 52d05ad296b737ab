// SPDX-License-Identifier: Apache-2.0
//
// Requests that are decided together with an authority, as the methods of the service answer them.
#include "core/scheduling/decision/authorized_decision.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scheduling/fake_authority.hpp"
#include "tests/scheduling/running_manager.hpp"

namespace gantry::scheduling {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

const std::string one_instance = "0d0d0d0d-0000-4000-8000-000000000001";
const std::string other_instance = "0d0d0d0d-0000-4000-8000-000000000002";

class AuthorizedDecisions : public ::testing::Test {
 protected:
  // Three hosts, h1 with the most memory: the driver prefers it.
  void SetUp() override {
    for (int number = 1; number <= 3; ++number) add_host(number);
    authority_.eligible = {row(1), row(2), row(3)};
    authority_.claimable = authority_.eligible;
    manager_.set_authority(&authority_);
    manager_.restart();
  }

  static std::string row(int number) { return "c0c0c0c0-0000-4000-8000-00000000000" + std::to_string(number); }
  void add_host(int number) {
    const auto name = "h" + std::to_string(number);
    manager_.result("service_register", R"({"topic":"compute","host":")" + name + R"("})");
    manager_.result("update_resource_stats",
                    R"({"name":")" + name + R"(","stats":{"uuid":")" + row(number) +
                        R"(","vcpus":16,"local_gb":1000,"vcpus_used":0,"memory_mb_used":0,"local_gb_used":0,)" +
                        R"("memory_mb":)" + std::to_string(70'000 - (number * 10'000)) + "}}");
  }
  Reply select(const std::vector<std::string>& uuids, const std::string& more = "") {
    std::string list;
    for (const auto& uuid : uuids) list += (list.empty() ? "\"" : ",\"") + uuid + "\"";
    return manager_.call("select_destinations",
                         R"({"request_spec":{"flavor":{"vcpus":1,"memory_mb":512,"root_gb":1},"project_id":"p"},)"
                         R"("instance_uuids":[)" +
                             list + "]" + more + "}");
  }
  static std::vector<std::string> hosts_of(const Reply& reply) {
    std::vector<std::string> hosts;
    EXPECT_TRUE(reply) << (reply ? "" : reply.error().message);
    if (!reply) return hosts;
    for (const auto& destination : reply->as_array()) hosts.emplace_back(destination.at("host").as_string());
    return hosts;
  }

  FakeAuthority authority_;
  RunningManager manager_{"filter"};
};

TEST_F(AuthorizedDecisions, PicksAmongTheRowsThatTheAuthorityAdmits) {
  authority_.claimable = {row(3)};
  EXPECT_THAT(hosts_of(select({one_instance})), ElementsAre("h3"));
  EXPECT_THAT(authority_.held, ElementsAre(Pair(one_instance, row(3))));
}

TEST_F(AuthorizedDecisions, UsesEveryRowAndClaimsNothingWhereTheAuthorityDoesNotBoundTheRequest) {
  authority_.is_bounded = false;
  authority_.claimable = {};
  EXPECT_THAT(hosts_of(select({one_instance})), ElementsAre("h1"));
  const auto reply = select({one_instance}, R"(,"return_objects":true)");
  ASSERT_TRUE(reply) << reply.error().message;
  const auto& data = reply->as_array().at(0).as_array().at(0).at("nova_object.data");
  EXPECT_EQ(data.at("allocation_request"), "null") << "the text, as Nova's";
  EXPECT_TRUE(data.at("allocation_request_version").is_null());
}

TEST_F(AuthorizedDecisions, AnswersWithTheTextOfTheClaim) {
  const auto reply = select({one_instance}, R"(,"return_objects":true,"return_alternates":true)");
  ASSERT_TRUE(reply) << reply.error().message;
  const auto& selections = reply->as_array().at(0).as_array();
  ASSERT_THAT(selections, SizeIs(3));
  for (std::size_t i = 0; i < selections.size(); ++i) {
    const auto& data = selections[i].at("nova_object.data");
    EXPECT_EQ(data.at("allocation_request").as_string(), "claim of " + row(static_cast<int>(i) + 1));
    EXPECT_EQ(data.at("allocation_request_version"), "1.36");
  }
}

TEST_F(AuthorizedDecisions, TakesTheNextHostWhereTheAuthorityRefusesThePick) {
  authority_.refused = {{one_instance, row(1)}, {one_instance, row(2)}};
  EXPECT_THAT(hosts_of(select({one_instance})), ElementsAre("h3"));
  EXPECT_THAT(authority_.claims,
              ElementsAre(Pair(one_instance, row(1)), Pair(one_instance, row(2)), Pair(one_instance, row(3))));
  EXPECT_THAT(authority_.held, ElementsAre(Pair(one_instance, row(3))));
}

TEST_F(AuthorizedDecisions, LeavesAHostThatOneInstanceLostToTheNext) {
  authority_.refused = {{one_instance, row(1)}};
  EXPECT_THAT(hosts_of(select({one_instance, other_instance})), ElementsAre("h2", "h1"));
  EXPECT_THAT(authority_.held, ElementsAre(Pair(one_instance, row(2)), Pair(other_instance, row(1))));
}

TEST_F(AuthorizedDecisions, ClaimsWhatTheAuthorityHasNotTriedBehindARefusal) {
  authority_.stops_at_a_refusal = true;
  authority_.refused = {{one_instance, row(1)}};
  EXPECT_THAT(hosts_of(select({one_instance, other_instance})), ElementsAre("h2", "h1"));
  EXPECT_THAT(authority_.held, ElementsAre(Pair(one_instance, row(2)), Pair(other_instance, row(1))));
}

TEST_F(AuthorizedDecisions, GivesEverythingBackIfOneInstanceHasNoHost) {
  for (int number = 1; number <= 3; ++number) authority_.refused.insert({other_instance, row(number)});
  const auto reply = select({one_instance, other_instance});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::no_valid_host);
  EXPECT_THAT(authority_.held, IsEmpty());
}

TEST_F(AuthorizedDecisions, FailsAndGivesEverythingBackIfAClaimFails) {
  for (int number = 1; number <= 3; ++number) authority_.failing.insert({other_instance, row(number)});
  const auto reply = select({one_instance, other_instance});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().message, "it cannot be asked");
  EXPECT_THAT(authority_.held, IsEmpty());
}

TEST_F(AuthorizedDecisions, RefusesARequestOnlyAfterItHasAskedAnew) {
  authority_.is_anew = false;
  authority_.claimable = {};
  authority_.claimable_anew = {row(2)};
  EXPECT_THAT(hosts_of(select({one_instance})), ElementsAre("h2"));
  EXPECT_THAT(authority_.questions, ElementsAre(false, true));
}

TEST_F(AuthorizedDecisions, AsksOnceForARefusalThatRestsOnNewFacts) {
  authority_.claimable = {};
  EXPECT_FALSE(select({one_instance}));
  EXPECT_THAT(authority_.questions, ElementsAre(false));
}

TEST_F(AuthorizedDecisions, AsksAnewAsLongAsOthersTakeWhatTheAuthorityNames) {
  for (int number = 1; number <= 3; ++number) authority_.refused.insert({one_instance, row(number)});
  authority_.change = [this](json::object&) {
    if (authority_.questions.size() == 4) authority_.refused.erase({one_instance, row(2)});
  };
  EXPECT_THAT(hosts_of(select({one_instance})), ElementsAre("h2"));
  EXPECT_THAT(authority_.questions, ElementsAre(false, true, true, true));
}

TEST_F(AuthorizedDecisions, EndsWhenTheAuthorityNamesNoMore) {
  for (int number = 1; number <= 3; ++number) authority_.refused.insert({one_instance, row(number)});
  authority_.change = [this](json::object&) {
    if (authority_.questions.size() == 3) authority_.claimable_anew = {"none"};
  };
  EXPECT_FALSE(select({one_instance}));
  EXPECT_EQ(authority_.questions.size(), 3U);
}

TEST_F(AuthorizedDecisions, EndsThoughTheAuthorityNamesWhatItRefusesForEver) {
  for (int number = 1; number <= 3; ++number) authority_.refused.insert({one_instance, row(number)});
  EXPECT_FALSE(select({one_instance}));
  EXPECT_EQ(authority_.questions.size(), 10U);
}

TEST_F(AuthorizedDecisions, AsksAnewOnceForInstancesThatMayStandInEachOthersWay) {
  for (int number = 1; number <= 3; ++number) authority_.refused.insert({other_instance, row(number)});
  EXPECT_FALSE(select({one_instance, other_instance}));
  EXPECT_THAT(authority_.questions, ElementsAre(false, true));
}

TEST_F(AuthorizedDecisions, DecidesTheRequestAsTheAuthorityHasChangedIt) {
  authority_.change = [](json::object& spec) { spec["ignore_hosts"] = json::array{"h1"}; };
  EXPECT_THAT(hosts_of(select({one_instance})), ElementsAre("h2"));
}

TEST_F(AuthorizedDecisions, ClaimsNothingInADryRun) {
  EXPECT_THAT(hosts_of(select({one_instance}, R"(,"dry_run":true)")), ElementsAre("h1"));
  EXPECT_THAT(authority_.claims, IsEmpty());
}

TEST_F(AuthorizedDecisions, KeepsADecisionForTheQuestionWhy) {
  authority_.refused = {{one_instance, row(1)}};
  EXPECT_THAT(hosts_of(select({one_instance})), ElementsAre("h2"));
  const auto record = manager_.result("recent_decision", R"({"instance_uuid":")" + one_instance + R"("})");
  EXPECT_EQ(record.at("outcome"), "placed");
  EXPECT_EQ(record.at("project_id"), "p");
  EXPECT_EQ(record.at("destinations").as_array().at(0).at("host"), "h2");
  EXPECT_EQ(record.at("candidates").at("claimable"), 3);
  EXPECT_EQ(record.at("steps").as_array().at(0).at("name"), "placement");
}

TEST_F(AuthorizedDecisions, KeepsTheReasonWhyAnInstanceHasNoHost) {
  authority_.claimable = {};
  EXPECT_FALSE(select({one_instance}));
  const auto record = manager_.result("recent_decision", R"({"instance_uuid":")" + one_instance + R"("})");
  EXPECT_EQ(record.at("outcome"), "no_valid_host");
  EXPECT_THAT(std::string(record.at("reason").as_string()), HasSubstr("Nobody has room"));
}

TEST_F(AuthorizedDecisions, KnowsNoDecisionAboutAnInstanceThatItWasNotAskedAbout) {
  const auto reply = manager_.call("recent_decision", R"({"instance_uuid":")" + other_instance + R"("})");
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::not_found);
}

TEST_F(AuthorizedDecisions, RefuseMethodsThatWouldChangeFactsOfTheTopic) {
  for (const auto& [method, args] : {std::pair{"update_resource_stats", R"({"name":"h9","stats":{"vcpus":1}})"},
                                     std::pair{"create_aggregate", R"({"name":"a"})"},
                                     std::pair{"disable_service", R"({"topic":"compute","host":"h1"})"},
                                     std::pair{"schedule_run_instance", R"({"request_spec":{}})"}}) {
    const auto reply = manager_.call(method, args);
    ASSERT_FALSE(reply) << method;
    EXPECT_EQ(reply.error().code, ErrorCode::failed_precondition) << method;
    EXPECT_THAT(reply.error().message, HasSubstr("hosts of topic compute come from a test")) << method;
  }
}

TEST_F(AuthorizedDecisions, TakeFactsOfOtherTopics) {
  EXPECT_TRUE(manager_.call("service_register", R"({"topic":"volume","host":"v1"})"));
}

TEST_F(AuthorizedDecisions, ShowTheAuthorityInTheStatus) {
  EXPECT_EQ(manager_.result("status", "{}").at("nova").at("host"), "a test");
}

}  // namespace
}  // namespace gantry::scheduling
