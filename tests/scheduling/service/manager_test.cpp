// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "tests/scheduling/running_manager.hpp"

namespace gantry::scheduling {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

constexpr auto uuid = "0d0d0d0d-0000-4000-8000-000000000001";
constexpr auto other_uuid = "0d0d0d0d-0000-4000-8000-000000000002";

std::string request(const std::string& uuids, int vcpus, const std::string& hints = "{}") {
  return R"({"request_spec":{"instance_uuids":[)" + uuids + R"(],"instance_type":{"vcpus":)" + std::to_string(vcpus) +
         R"(,"memory_mb":512,"root_gb":1}},"filter_properties":{"scheduler_hints":)" + hints + "}}";
}

std::string quoted_uuid(const std::string& text) {
  return '"' + text + '"';
}

class ServiceManager : public ::testing::Test {
 protected:
  ServiceManager() {
    manager.add_host("small", 2);
    manager.add_host("large", 4);
  }
  json::array list(const std::string& method) { return manager.result(method, "{}").as_array(); }

  RunningManager manager{"simple"};
};

TEST_F(ServiceManager, KeepsTheEarlierPlacementAfterAFailedRequest) {
  manager.result("schedule_run_instance", request(quoted_uuid(uuid), 1));
  manager.result("update_instance", R"({"uuid":")" + std::string(uuid) + R"(","vm_state":"error"})");
  const auto instances = list("list_instances");
  const auto refused = manager.call("schedule_run_instance", request(quoted_uuid(uuid), 1, R"({"group":"nobody"})"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(list("list_instances"), instances);
  EXPECT_EQ(list("list_casts").size(), 1U);
}

TEST_F(ServiceManager, WithdrawsAnUnreceivedLaunchWhenItsInstanceIsDeleted) {
  manager.result("schedule_run_instance", request(quoted_uuid(uuid), 1));
  manager.result("delete_instance", R"({"instance":")" + std::string(uuid) + R"("})");
  manager.restart();
  const auto casts = list("list_casts");
  ASSERT_EQ(casts.size(), 1U);
  EXPECT_EQ(casts[0].at("method").as_string(), "terminate_instance");
  EXPECT_TRUE(list("list_claims").empty());
}

TEST_F(ServiceManager, RefusesToScheduleAnInstanceByTwoRequestsAtOnce) {
  std::vector<std::thread> clients;
  for (int client = 0; client < 4; ++client) {
    clients.emplace_back([this] {
      for (int i = 0; i < 20; ++i) {
        const auto reply = manager.call("schedule_run_instance", request(quoted_uuid(uuid), 1));
        if (!reply) {
          EXPECT_THAT(reply.error().message,
                      AnyOf(HasSubstr("being scheduled by another request"), HasSubstr("is building (spawning) on ")));
        }
      }
    });
  }
  for (auto& client : clients) client.join();
  EXPECT_EQ(list("list_casts").size(), 1U);
  EXPECT_EQ(list("list_claims").size(), 1U);
}

TEST_F(ServiceManager, StoresNothingForADryRunOrASelectionWithoutUuids) {
  auto dry = *json::parse_object(request(quoted_uuid(uuid), 1));
  dry["dry_run"] = true;
  manager.result("select_destinations", json::write(dry), "key-1");
  manager.result("select_destinations", R"({"request_spec":{"num_instances":1,"instance_type":{"vcpus":1}}})", "key-2");
  EXPECT_EQ(manager.stored(store::Kind::claim), 0U);
  EXPECT_EQ(manager.stored(store::Kind::idempotency), 0U);
}

TEST_F(ServiceManager, AppliesNoLateRepeatOverANewerChange) {
  manager.result("create_aggregate", R"({"name":"old"})");
  const auto renamed = manager.result("update_aggregate", R"({"aggregate":"old","name":"new"})", "rename");
  EXPECT_EQ(manager.result("update_aggregate", R"({"aggregate":"old","name":"new"})", "rename"), renamed);
  manager.add_host("h9", 4);
  const auto disabled = manager.result("disable_service", R"({"topic":"compute","host":"h9"})", "disable");
  manager.result("enable_service", R"({"topic":"compute","host":"h9"})", "enable");
  EXPECT_EQ(manager.result("disable_service", R"({"topic":"compute","host":"h9"})", "disable"), disabled);
  EXPECT_EQ(manager.result("list_services", R"({"host":"h9"})").at(0).at("status").as_string(), "enabled");
}

TEST_F(ServiceManager, GivesARetriedLaunchTheFirstAnswerAlsoAfterARestart) {
  const auto args = R"({"request_spec":{"num_instances":1,"instance_type":{"vcpus":1}}})";
  const auto first = manager.result("schedule_run_instance", args, "key");
  EXPECT_EQ(manager.result("schedule_run_instance", args, "key"), first);
  manager.restart();
  EXPECT_EQ(manager.result("schedule_run_instance", args, "key"), first);
  EXPECT_EQ(list("list_instances").size(), 1U);
}

TEST_F(ServiceManager, GivesARetriedSelectionTheFirstAnswerAlsoAfterARestart) {
  const auto args = request(quoted_uuid(uuid), 1);
  const auto first = manager.result("select_destinations", args, "key");
  EXPECT_EQ(manager.result("select_destinations", args, "key"), first);
  manager.restart();
  EXPECT_EQ(manager.result("select_destinations", args, "key"), first);
  const auto other = manager.call("select_destinations", request(quoted_uuid(uuid), 2), "key");
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("was used before for another call"));
}

TEST_F(ServiceManager, AgesAClaimFromTheAcknowledgementOfItsCastAlsoAfterARestart) {
  manager.result("schedule_run_instance", request(quoted_uuid(uuid), 1));
  const auto waiting = list("list_claims");
  ASSERT_EQ(waiting.size(), 1U);
  EXPECT_TRUE(waiting[0].at("cast_waits").as_bool());
  const auto id = std::string(list("list_casts")[0].at("id").as_string());
  manager.result("acknowledge_cast", R"({"id":")" + id + R"("})");
  const auto aging = list("list_claims");
  EXPECT_FALSE(aging[0].at("cast_waits").as_bool());
  EXPECT_GT(aging[0].at("created_at").as_string(), waiting[0].at("created_at").as_string());
  manager.restart();
  EXPECT_EQ(list("list_claims"), aging);
}

TEST_F(ServiceManager, IgnoresAReportThatALaterOneOvertook) {
  const auto report = [this](const std::string& used, const std::string& more) {
    manager.result("update_resource_stats", R"({"name":"small","stats":{"vcpus_used":)" + used + R"(})" + more + "}");
    return json::write(manager.result("show_host", R"({"name":"small"})").at("stats").at("vcpus_used"));
  };
  EXPECT_EQ(report("1", R"(,"sampled_at":"2026-01-01T09:00:00Z")"), "1") << "its clock has been set back";
  EXPECT_EQ(report("2", R"(,"sampled_at":"2026-01-01T09:00:10Z")"), "2");
  EXPECT_EQ(report("3", R"(,"sampled_at":"2026-01-01T09:00:09Z")"), "2");
  EXPECT_EQ(report("4", ""), "4") << "one without a time is as new as its arrival";
}

TEST_F(ServiceManager, ReadsAReportOfTheGreatestDepthAtTheNextStart) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  manager.result("update_resource_stats", R"({"name":"small","stats":{"cpu_info":")" + nested(60) + R"("}})");
  manager.result("update_resource_stats", R"({"name":"small","stats":{"metrics":)" + nested(60) + "}}");
  manager.restart();
  EXPECT_EQ(list("list_hosts").size(), 2U);
}

TEST_F(ServiceManager, StoresWithEachInstanceItsOwnPartOfTheDecision) {
  manager.result("schedule_run_instance", request(quoted_uuid(uuid) + "," + quoted_uuid(other_uuid), 1));
  const auto shown = manager.result("show_instance", R"({"instance":")" + std::string(other_uuid) + R"("})");
  const auto& destinations = shown.at("decision").at("destinations").as_array();
  ASSERT_EQ(destinations.size(), 1U);
  EXPECT_EQ(destinations[0].at("instance_uuid").as_string(), other_uuid);
}

TEST_F(ServiceManager, RefusesALaunchOfManyInstancesWhoseCastsWouldNotFit) {
  auto args = *json::parse_object(R"({"request_spec":{"num_instances":1000,"instance_type":{"vcpus":1}}})");
  args["injected_files"] = json::value(std::string(100'000, 'x'));
  const auto refused = manager.call("schedule_run_instance", json::write(args));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::resource_exhausted);
  EXPECT_THAT(refused.error().message, HasSubstr("ask for fewer at a time"));
  EXPECT_TRUE(list("list_instances").empty());
}

TEST_F(ServiceManager, RefusesToListInstancesOfAStateThatThereIsNoneOf) {
  const auto refused = manager.call("list_instances", R"({"vm_state":"bogus"})");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
  EXPECT_THAT(refused.error().message, HasSubstr("expected building, active or error, found 'bogus'"));
}

TEST_F(ServiceManager, NamesTheCellOfAHostInASelectionOrNone) {
  RunningManager of_nova{"filter"};
  const auto selection = [&of_nova] {
    const auto found = of_nova.result("select_destinations",
                                      R"({"request_spec":{"instance_type":{"vcpus":1}},"return_objects":true})");
    return found.at(0).at(0).at("nova_object.data").as_object();
  };
  of_nova.add_host("h1", 4);
  EXPECT_FALSE(selection().contains("cell_uuid"));
  of_nova.result("update_resource_stats", R"({"name":"h1","stats":{"vcpus":4,"vcpus_used":0,"memory_mb":100000,)"
                                          R"("memory_mb_used":0,"local_gb":1000,"local_gb_used":0,)"
                                          R"("cell_uuid":"2b5dd8a2-63d5-4d7e-8f0c-4a34c8a4b0c1"}})");
  EXPECT_EQ(selection().at("cell_uuid"), "2b5dd8a2-63d5-4d7e-8f0c-4a34c8a4b0c1");
}

// A resize that may go to another cell names the instance's own, which is preferred.
TEST_F(ServiceManager, NamesTheCellOfEachHostWhereTheRequestNamesAnother) {
  constexpr auto here = "2b5dd8a2-63d5-4d7e-8f0c-4a34c8a4b0c1";
  constexpr auto there = "2b5dd8a2-63d5-4d7e-8f0c-4a34c8a4b0c2";
  RunningManager of_nova{"filter"};
  for (const auto* host : {"h1", "h2"}) {
    of_nova.add_host(host, 4);
    of_nova.result("update_resource_stats",
                   R"({"name":")" + std::string(host) + R"(","stats":{"cell_uuid":")" + there + R"("}})");
  }
  const std::string destination =
      R"("requested_destination":{"cell":{"uuid":")" + std::string(here) + R"("},"allow_cross_cell_move":true})";
  const std::string legacy = R"({"instance_type":{"vcpus":1},)" + destination + "}";
  const std::string object =
      R"({"nova_object.name":"RequestSpec","nova_object.namespace":"nova",)"
      R"("nova_object.version":"1.14","nova_object.data":{"num_instances":1,"flavor":{"vcpus":1},)" +
      destination + "}}";
  for (const auto& spec : {legacy, object}) {
    for (const std::string wish : {R"("return_objects":true)", R"("return_objects":true,"return_alternates":true)"}) {
      const auto found = of_nova.result("select_destinations", R"({"request_spec":)" + spec + "," + wish + "}");
      const auto& choices = found.at(0).as_array();
      EXPECT_EQ(choices.size(), wish.find("alternates") == std::string::npos ? 1U : 2U) << json::write(found);
      for (const auto& choice : choices)
        EXPECT_EQ(choice.at("nova_object.data").at("cell_uuid"), there) << json::write(choice);
    }
  }
}

TEST_F(ServiceManager, NamesTheCellOfTheRequestForAHostThatReportsNone) {
  RunningManager of_nova{"filter"};
  of_nova.add_host("h1", 4);
  const auto found = of_nova.result("select_destinations",
                                    R"({"request_spec":{"instance_type":{"vcpus":1},"requested_destination":{"cell":)"
                                    R"({"uuid":"2b5dd8a2-63d5-4d7e-8f0c-4a34c8a4b0c1"}}},"return_objects":true})");
  EXPECT_EQ(found.at(0).at(0).at("nova_object.data").at("cell_uuid"), "2b5dd8a2-63d5-4d7e-8f0c-4a34c8a4b0c1");
}

TEST_F(ServiceManager, RefusesTheNameOfAnotherAggregate) {
  manager.result("create_aggregate", R"({"name":"fast"})");
  manager.result("create_aggregate", R"({"name":"slow"})");
  const auto refused = manager.call("update_aggregate", R"({"aggregate":"slow","name":"fast"})");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::already_exists);
  manager.result("update_aggregate", R"({"aggregate":"slow","name":"slow"})");
}

TEST_F(ServiceManager, ReportsTheProgressOfAStart) {
  std::vector<std::string> said;
  manager.listen_to_progress([&said](const std::string& text) { said.push_back(text); });
  manager.restart();
  EXPECT_THAT(said, testing::Contains("reading the store: 2 documents of kind service"));
}

TEST_F(ServiceManager, KeepsNamesWithSlashesApart) {
  manager.result("service_register", R"({"topic":"a","host":"b/c"})");
  manager.result("service_register", R"({"topic":"a/b","host":"c"})");
  EXPECT_EQ(manager.stored(store::Kind::service), 4U);
}

}  // namespace
}  // namespace gantry::scheduling
