// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "core/encoding/uuid.hpp"
#include "tests/scheduling/running_manager.hpp"

namespace gantry::scheduling {
namespace {

using testing::HasSubstr;

std::string text_of(const json::value& object, std::string_view key) {
  return std::string(json::find_string(object.as_object(), key).value_or("(none)"));
}

class KeptDecisions : public testing::Test {
 protected:
  explicit KeptDecisions(const std::string& driver = "filter", const std::string& folder = {})
      : service_(driver, {}, {}, folder) {
    service_.keep_decisions();
    service_.add_host("c1", 4);
    service_.add_host("c2", 8);
    service_.add_host("c3", 16);
  }

  Reply select(const std::string& flavor, const std::string& more = "", const std::string& uuid = "") {
    const std::string uuids = uuid.empty() ? "" : R"(,"instance_uuids":[")" + uuid + R"("])";
    return service_.call("select_destinations", R"({"request_spec":{"num_instances":1,"flavor":)" + flavor +
                                                    R"(,"project_id":"demo")" + more + "}" + uuids + "}");
  }
  static std::string flavor(int vcpus, int memory_mb = 512) {
    return R"({"name":"any","vcpus":)" + std::to_string(vcpus) + R"(,"memory_mb":)" + std::to_string(memory_mb) +
           R"(,"root_gb":1,"ephemeral_gb":0,"swap":0,"extra_specs":{}})";
  }
  json::array list(const std::string& args = "{}") { return service_.result("list_decisions", args).as_array(); }
  json::value latest(const std::string& explain = "false") {
    const auto id = list(R"({"limit":1})").at(0).as_object().at("id").to_number<std::int64_t>();
    return service_.result("show_decision", R"({"id":)" + std::to_string(id) + R"(,"explain":)" + explain + "}");
  }
  json::value why_not(const std::string& host) {
    const auto id = list(R"({"limit":1})").at(0).as_object().at("id").to_number<std::int64_t>();
    return service_.result("why_not", R"({"id":)" + std::to_string(id) + R"(,"host":")" + host + R"("})");
  }

  RunningManager service_;
};

TEST_F(KeptDecisions, TellWhoAskedWhatWasSeenAndWhatWasChosen) {
  ASSERT_TRUE(select(flavor(2)));
  const auto shown = latest();
  EXPECT_EQ(text_of(shown, "outcome"), "placed");
  EXPECT_EQ(text_of(shown, "project_id"), "demo");
  EXPECT_EQ(text_of(shown, "driver"), "filter");
  const auto& object = shown.as_object();
  EXPECT_EQ(object.at("hosts"), 3);
  EXPECT_EQ(text_of(object.at("destinations").at(0), "host"), "c3");
  ASSERT_EQ(object.at("leaders").as_array().size(), 3U);
  EXPECT_EQ(text_of(object.at("leaders").at(1), "host"), "c2");
  EXPECT_FALSE(object.at("steps").as_array().empty());
  EXPECT_EQ(object.at("request").at("flavor").at("vcpus"), 2);
  EXPECT_EQ(object.at("facts").at("known"), true);
}

TEST_F(KeptDecisions, AreFoundByServerHostProjectAndOutcome) {
  const auto uuid = to_text(random_uuid());
  ASSERT_TRUE(select(flavor(2), "", uuid));
  ASSERT_FALSE(select(flavor(64)));
  EXPECT_EQ(list().size(), 2U);
  EXPECT_EQ(list(R"({"instance_uuid":")" + uuid + R"("})").size(), 1U);
  EXPECT_EQ(list(R"({"host":"c3"})").size(), 1U);
  EXPECT_EQ(list(R"({"host":"c1"})").size(), 0U);
  EXPECT_EQ(list(R"({"project_id":"demo"})").size(), 2U);
  EXPECT_EQ(list(R"({"outcome":"no_valid_host"})").size(), 1U);
  const auto reply = service_.call("list_decisions", R"({"outcome":"lost"})");
  ASSERT_FALSE(reply);
  EXPECT_THAT(reply.error().message, HasSubstr("no_valid_host"));
}

TEST_F(KeptDecisions, AreListedPageByPage) {
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(select(flavor(1)));
  const auto first = list(R"({"limit":2})");
  ASSERT_EQ(first.size(), 2U);
  const auto marker = std::to_string(first[1].as_object().at("id").to_number<std::int64_t>());
  const auto second = list(R"({"limit":10,"marker":")" + marker + R"("})");
  EXPECT_EQ(second.size(), 3U);
}

TEST_F(KeptDecisions, TellWhyAHostWasNotChosen) {
  ASSERT_TRUE(select(flavor(6)));
  const auto rejected = why_not("c1");
  EXPECT_EQ(text_of(rejected, "outcome"), "rejected");
  EXPECT_THAT(text_of(rejected, "sentence"), HasSubstr("CoreFilter"));
  const auto passed = why_not("c2");
  EXPECT_EQ(text_of(passed, "outcome"), "passed");
  EXPECT_THAT(text_of(passed, "sentence"), HasSubstr("place 2"));
  EXPECT_EQ(text_of(why_not("c3"), "outcome"), "chosen");
  EXPECT_EQ(text_of(why_not("c9"), "outcome"), "not_there");
}

TEST_F(KeptDecisions, AreMadeAgainOnTheFactsAsTheyWere) {
  ASSERT_TRUE(select(flavor(6)));
  const auto before = why_not("c2");
  service_.result("update_resource_stats", R"({"name":"c2","stats":{"vcpus":8,"vcpus_used":8}})");
  service_.result("disable_service", R"({"topic":"compute","host":"c3"})");
  EXPECT_EQ(why_not("c2"), before);
  service_.restart();
  EXPECT_EQ(why_not("c2"), before);
}

TEST_F(KeptDecisions, AreMadeAgainWithThePicksThatDidNotHold) {
  const auto uuids = [] { return to_text(random_uuid()); };
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(select(flavor(4), "", uuids()));
  for (const auto& each : list()) {
    const auto id = each.as_object().at("id").to_number<std::int64_t>();
    const auto shown = service_.result("show_decision", R"({"id":)" + std::to_string(id) + "}");
    EXPECT_EQ(shown.as_object().at("facts").at("known"), true) << text_of(shown.as_object().at("facts"), "reason");
  }
}

TEST_F(KeptDecisions, TellOfEachHostIfAsked) {
  ASSERT_TRUE(select(flavor(6)));
  const auto shown = latest(R"("hosts")");
  EXPECT_EQ(shown.as_object().at("instances").at(0).at("hosts").as_array().size(), 3U);
}

TEST_F(KeptDecisions, NameTheSmallestChangeWithWhichAHostWouldHaveBeenFound) {
  ASSERT_FALSE(select(flavor(20)));
  const auto shown = latest();
  const auto& changes = shown.as_object().at("relaxations").as_array();
  ASSERT_FALSE(changes.empty());
  EXPECT_EQ(text_of(changes[0], "change"), "4 fewer vcpus");
  EXPECT_EQ(changes[0].as_object().at("hosts"), 1);
}

TEST_F(KeptDecisions, NameAnotherZoneThatWouldHaveHadAHost) {
  ASSERT_FALSE(select(flavor(2), R"(,"availability_zone":"az9")"));
  const auto shown = latest();
  const auto& changes = shown.as_object().at("relaxations").as_array();
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(text_of(changes[0], "change"), "zone nova");
  EXPECT_EQ(changes[0].as_object().at("hosts"), 3);
}

TEST_F(KeptDecisions, NameChangesTogetherWhereNoSingleOneDoes) {
  ASSERT_FALSE(select(flavor(20, 100'000), R"(,"availability_zone":"az9")"));
  const auto shown = latest();
  const auto& changes = shown.as_object().at("relaxations").as_array();
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(text_of(changes[0], "change"), "zone nova and 4 fewer vcpus and 34464 MiB less memory");
}

TEST_F(KeptDecisions, SayWhichFactsAreNoLongerKnown) {
  ASSERT_TRUE(select(flavor(2)));
  ASSERT_EQ(list().size(), 1U);
  for (const auto& entry : std::filesystem::directory_iterator(service_.decisions_directory())) {
    if (entry.path().filename().string().starts_with("facts-")) std::filesystem::remove(entry.path());
  }
  const auto shown = latest();
  EXPECT_EQ(shown.as_object().at("facts").at("known"), false);
  EXPECT_THAT(text_of(shown.as_object().at("facts"), "reason"), HasSubstr("no longer kept"));
  const auto reply = service_.call("why_not", R"({"id":1,"host":"c1"})");
  ASSERT_FALSE(reply);
  EXPECT_THAT(reply.error().message, HasSubstr("no longer kept"));
}

TEST_F(KeptDecisions, AreNoDryRuns) {
  ASSERT_TRUE(service_.call("select_destinations",
                            R"({"dry_run":true,"request_spec":{"num_instances":1,"flavor":)" + flavor(1) + "}}"));
  EXPECT_TRUE(list().empty());
}

TEST_F(KeptDecisions, HoldNoSecrets) {
  const auto reply = service_.call("select_destinations",
                                   R"({"request_spec":{"num_instances":1,"flavor":)" + flavor(1) +
                                       R"(,"instance_properties":{"admin_pass":"tr0ub4dor","auth_token":"hunter2"}}})");
  ASSERT_TRUE(reply);
  const auto shown = json::write(latest());
  EXPECT_EQ(shown.find("tr0ub4dor"), std::string::npos);
  EXPECT_EQ(shown.find("hunter2"), std::string::npos);
}

TEST_F(KeptDecisions, AreUnknownByAWrongIdOrServer) {
  EXPECT_EQ(service_.call("show_decision", R"({"id":99})").error().code, ErrorCode::not_found);
  EXPECT_EQ(service_.call("show_decision", R"({"instance_uuid":"nobody"})").error().code, ErrorCode::not_found);
  EXPECT_EQ(service_.call("show_decision", "{}").error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(service_.call("why_not", R"({"id":1})").error().code, ErrorCode::invalid_argument);
}

class KeptDecisionsOfChance : public KeptDecisions {
 protected:
  KeptDecisionsOfChance() : KeptDecisions("chance") {}
};

TEST_F(KeptDecisionsOfChance, AreMadeAgainWithTheSameSeed) {
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(select(flavor(1)));
  for (const auto& each : list()) {
    const auto id = each.as_object().at("id").to_number<std::int64_t>();
    const auto shown = service_.result("show_decision", R"({"id":)" + std::to_string(id) + "}");
    EXPECT_EQ(shown.as_object().at("facts").at("known"), true) << text_of(shown.as_object().at("facts"), "reason");
  }
}

class DecisionsFromHistory : public KeptDecisions {
 protected:
  DecisionsFromHistory() : KeptDecisions("history", GANTRY_ZOO_DIRECTORY) {}
};

TEST_F(DecisionsFromHistory, AreShownAndSayThatTheyCannotBeRepeated) {
  ASSERT_TRUE(select(flavor(1)));
  const auto shown = latest();
  EXPECT_EQ(text_of(shown, "outcome"), "placed");
  EXPECT_EQ(shown.as_object().at("facts").at("known"), false);
  EXPECT_THAT(text_of(shown.as_object().at("facts"), "reason"),
              HasSubstr("the decisions of driver 'history' cannot be repeated"));
  const auto reply = service_.call("why_not", R"({"id":1,"host":"c2"})");
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::failed_precondition);
  EXPECT_THAT(reply.error().message, HasSubstr("the decisions of driver 'history' cannot be repeated"));
}

TEST_F(DecisionsFromHistory, AreShownInTheStatusOfTheirDriver) {
  const auto status = service_.result("status", "{}");
  EXPECT_EQ(text_of(status.at("drivers").as_array().at(0), "decides_from"), "history");
}

// Two servers of one request, each on one of two equal hosts that have room for one.
class DecisionsAboutTwo : public testing::Test {
 protected:
  DecisionsAboutTwo() : service_("filter", one_for_one()) {
    service_.keep_decisions();
    service_.restart();
    service_.add_host("e1", 4);
    service_.add_host("e2", 4);
    const auto placed = service_.result(
        "schedule_run_instance", R"({"request_spec":{"num_instances":2,"instance_properties":{"display_name":"two"},)"
                                 R"("flavor":{"name":"any","vcpus":3,"memory_mb":1,"root_gb":0,"ephemeral_gb":0,)"
                                 R"("swap":0,"extra_specs":{}}}})");
    for (const auto& instance : placed.at("instances").as_array()) {
      uuids_.push_back(text_of(instance, "uuid"));
      hosts_.push_back(text_of(instance, "host"));
    }
  }
  static fleet::FleetSettings one_for_one() {
    fleet::FleetSettings settings;
    settings.cpu_allocation_ratio = 1;
    return settings;
  }
  json::value why_not(std::size_t server, const std::string& host) {
    return service_.result("why_not", R"({"instance_uuid":")" + uuids_[server] + R"(","host":")" + host + R"("})");
  }

  RunningManager service_;
  std::vector<std::string> uuids_;
  std::vector<std::string> hosts_;
};

TEST_F(DecisionsAboutTwo, TellWhyNotOfTheServerThatIsAskedAbout) {
  ASSERT_NE(hosts_[0], hosts_[1]);
  const auto first = why_not(0, hosts_[1]);
  EXPECT_EQ(text_of(first, "outcome"), "passed");
  EXPECT_THAT(text_of(first, "sentence"),
              HasSubstr(hosts_[0] + " had the same weight and was taken first; " + hosts_[1] + " went to two-2"));
  EXPECT_EQ(first.at("chosen").as_array().size(), 1U);
  const auto second = why_not(1, hosts_[0]);
  EXPECT_EQ(text_of(second, "outcome"), "rejected");
  EXPECT_THAT(text_of(second, "sentence"), HasSubstr("3 vcpus wanted, 1 there; " + hosts_[0] + " went to two-1"));
  EXPECT_EQ(text_of(why_not(1, hosts_[1]), "outcome"), "chosen");
  const auto any = service_.result("why_not", R"({"id":1,"host":")" + hosts_[1] + R"("})");
  EXPECT_EQ(text_of(any, "sentence"), "it was chosen for two-2");
}

TEST_F(DecisionsAboutTwo, ShowOneServerAlone) {
  const auto shown =
      service_.result("show_decision", R"({"id":1,"explain":"hosts","instance":")" + uuids_[1] + R"("})");
  ASSERT_EQ(shown.at("destinations").as_array().size(), 1U);
  EXPECT_EQ(text_of(shown.at("destinations").at(0), "host"), hosts_[1]);
  EXPECT_EQ(shown.at("instances").as_array().size(), 1U);
  for (const auto& step : shown.at("steps").as_array()) {
    const auto* instance = json::find(step.as_object(), "instance");
    EXPECT_TRUE(instance == nullptr || *instance == 1) << json::write(step);
  }
  const auto stranger = service_.call("show_decision", R"({"id":1,"instance":"nobody"})");
  ASSERT_FALSE(stranger);
  EXPECT_EQ(stranger.error().code, ErrorCode::not_found);
}

TEST(DecisionsThatAreNotKept, AreToldToBeSo) {
  RunningManager service("chance");
  const auto reply = service.call("list_decisions", "{}");
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::failed_precondition);
  EXPECT_THAT(reply.error().message, HasSubstr("decisions.keep"));
}

}  // namespace
}  // namespace gantry::scheduling
