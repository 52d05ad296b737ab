// SPDX-License-Identifier: Apache-2.0
//
// Each rule of the doctor, broken; and a manager that works while it is examined, found sound.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "core/encoding/uuid.hpp"
#include "tests/scheduling/running_manager.hpp"

namespace gantry::scheduling {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto uuid = "0d0d0d0d-0000-4000-8000-000000000001";
constexpr auto other_uuid = "0d0d0d0d-0000-4000-8000-000000000002";

std::string launch(const std::string& instance, int vcpus = 1) {
  return R"({"request_spec":{"instance_uuids":[")" + instance + R"("],"instance_type":{"vcpus":)" +
         std::to_string(vcpus) + R"(,"memory_mb":64,"root_gb":1}},"admin_password":"hunter2"})";
}

std::string selection(const std::string& instance, int vcpus = 1) {
  return R"({"request_spec":{"instance_uuids":[")" + instance + R"("],"instance_type":{"vcpus":)" +
         std::to_string(vcpus) + R"(,"memory_mb":1}}})";
}

// One of everything that is stored.
void populate(RunningManager& manager) {
  manager.add_host("h1", 8);
  manager.add_host("h2", 8);
  manager.result("update_service_capabilities",
                 R"({"service_name":"compute","host":"h1","capabilities":{"gpu":true}})");
  manager.result("report_state", R"({"topic":"compute","host":"h1"})");
  manager.result("create_aggregate", R"({"name":"rack","metadata":{"ssd":"true"}})");
  manager.result("create_group", R"({"name":"spread","policy":"anti-affinity"})");
  manager.result("schedule_run_instance", launch(uuid), "first");
  manager.result("select_destinations", selection(other_uuid));
  manager.result("create_token", R"({"name":"reader","role":"reader","sha256":")" + std::string(64, 'a') + R"("})");
}

class Doctor : public ::testing::Test {
 protected:
  Doctor() { populate(manager); }
  json::object examined() { return manager.result("doctor", "{}").as_object(); }
  // The findings of a rule, as text.
  std::string found(std::string_view rule, const char* member = "findings") {
    const auto answer = examined();
    std::string text;
    for (const auto& finding : answer.at(member).as_array()) {
      if (finding.at("rule").as_string() == rule) text += json::write(finding) + "\n";
    }
    return text;
  }
  fleet::Claim claim_of(const std::string& instance) {
    for (auto& claim : manager.fleet().claims()) {
      if (claim.consumer == instance) return claim;
    }
    ADD_FAILURE() << "no claim of " << instance;
    return {};
  }
  RunningManager manager{"simple"};
};

TEST_F(Doctor, FindsNoFaultInAManagerThatHasOneOfEverything) {
  for (int begun = 0; begun < 2; ++begun) {
    const auto answer = examined();
    EXPECT_TRUE(answer.at("sound").as_bool()) << json::write(answer);
    EXPECT_EQ(answer.at("checked").at("hosts").to_number<int>(), 2);
    EXPECT_EQ(answer.at("checked").at("claims").to_number<int>(), 2);
    EXPECT_EQ(answer.at("checked").at("casts").to_number<int>(), 1);
    const auto& documents = answer.at("checked").at("documents").as_object();
    EXPECT_EQ(documents.size(), 11U);
    for (const auto& [kind, count] : documents) {
      // The first heartbeat is written behind.
      const bool is_behind = kind == "heartbeat" && begun == 0;
      EXPECT_GT(count.to_number<int>(), is_behind ? -1 : 0) << kind;
    }
    manager.restart();
  }
}

struct Altered {
  const char* kind;
  const char* table;
};

class DoctorComparesStore : public Doctor, public ::testing::WithParamInterface<Altered> {};

TEST_P(DoctorComparesStore, FindsADocumentThatDiffersIsMissingOrIsTooMany) {
  const std::string table = GetParam().table;
  const auto kind = HasSubstr(std::string(R"("kind":")") + GetParam().kind + '"');
  manager.run_sql("UPDATE " + table +
                  " SET document = json_set(document, '$.surplus', 1) WHERE key = (SELECT min(key) FROM " + table +
                  ")");
  EXPECT_THAT(found("store"), testing::AllOf(kind, HasSubstr("differs in surplus"))) << table;
  manager.run_sql("UPDATE " + table + " SET key = key || 'x' WHERE key = (SELECT min(key) FROM " + table + ")");
  const auto moved = found("store");
  EXPECT_THAT(moved, testing::AllOf(kind, HasSubstr("in memory alone"), HasSubstr("in the store alone"))) << table;
  EXPECT_FALSE(examined().at("sound").as_bool());
}

INSTANTIATE_TEST_SUITE_P(EachKind, DoctorComparesStore,
                         testing::Values(Altered{"service", "services"}, Altered{"compute_node", "compute_nodes"},
                                         Altered{"capabilities", "capabilities"}, Altered{"aggregate", "aggregates"},
                                         Altered{"group", "server_groups"}, Altered{"instance", "instances"},
                                         Altered{"claim", "claims"}, Altered{"cast", "casts"},
                                         Altered{"idempotency", "idempotency_keys"}, Altered{"token", "tokens"}),
                         [](const auto& altered) { return std::string(altered.param.table); });

TEST_F(Doctor, NeverShowsTheValuesOfADifference) {
  manager.run_sql("UPDATE casts SET document = json_set(document, '$.args.admin_password', 'secret2')");
  const auto answer = json::write(examined());
  EXPECT_THAT(answer, HasSubstr("differs in args"));
  EXPECT_THAT(answer, testing::AllOf(Not(HasSubstr("hunter2")), Not(HasSubstr("secret2"))));
}

TEST_F(Doctor, NamesADocumentThatCannotBeRead) {
  manager.run_sql("UPDATE instances SET document = '{'");
  EXPECT_THAT(found("store"), HasSubstr("cannot be read"));
}

TEST_F(Doctor, FindsAnInstanceThatLostTheClaimOfItsPickToAnother) {
  auto claim = claim_of(uuid);
  EXPECT_EQ(found("instance_claim"), "");
  // The claim of a driver's method stands where the pick's stood.
  claim.items = {{"widgets", 2}};
  manager.fleet().load_claim(claim);
  EXPECT_THAT(found("instance_claim"), testing::AllOf(HasSubstr(uuid), HasSubstr(claim.host), HasSubstr("its pick")));
  manager.result("update_resource_stats",
                 R"({"name":")" + claim.host + R"(","stats":{"instances":[")" + uuid + R"("]}})");
  EXPECT_EQ(found("instance_claim"), "") << "the host shows it, and so its claims have ended";
}

TEST_F(Doctor, FindsAHostWhoseClaimsGoBeyondTheirLimits) {
  auto claim = claim_of(uuid);
  claim.consumer = other_uuid;
  claim.durable = false;
  claim.cast_waits = false;
  for (auto& item : claim.items) item.amount = item.resource == "vcpu" ? 8 : 0;
  manager.fleet().load_claim(claim);
  EXPECT_THAT(found("limits"), testing::AllOf(HasSubstr("vcpu"), HasSubstr("9 claimed"), HasSubstr("at most 8")));
}

TEST_F(Doctor, FindsAHostWhoseInstancesAndClaimsGoBeyondTheLimits) {
  const auto host = claim_of(uuid).host;
  // The instance runs, its report has ended its claim; then somebody claims all of the host.
  manager.result("update_resource_stats",
                 R"({"name":")" + host + R"(","stats":{"vcpus_used":1,"instances":[")" + std::string(uuid) + R"("]}})");
  EXPECT_EQ(found("limits"), "");
  auto second = std::string(uuid);
  second.back() = '9';
  manager.result("disable_service",
                 R"({"topic":"compute","host":")" + std::string(host == "h1" ? "h2" : "h1") + R"("})");
  manager.result("schedule_run_instance", launch(second, 6));
  EXPECT_EQ(found("limits"), "");
  auto wrong = claim_of(second);
  ASSERT_EQ(wrong.host, host);
  for (auto& item : wrong.items) {
    if (item.resource == "vcpu") item.amount = 8;
  }
  manager.fleet().load_claim(wrong);
  EXPECT_THAT(found("limits"), HasSubstr("1 of that by instances that were placed here"));
}

TEST_F(Doctor, RemarksOnAHostThatReportsMoreUseThanItsLimits) {
  manager.result("update_resource_stats", R"({"name":")" + claim_of(uuid).host + R"(","stats":{"vcpus_used":100}})");
  EXPECT_THAT(found("limits", "remarks"), HasSubstr("100 reported in use"));
  EXPECT_TRUE(examined().at("sound").as_bool());
}

TEST_F(Doctor, FindsADurableClaimWithoutItsInstance) {
  auto claim = claim_of(uuid);
  claim.consumer = other_uuid;
  claim.cast_waits = false;
  claim.items = {{"instances", 1}};
  manager.fleet().load_claim(claim);
  EXPECT_THAT(found("claim_instance"), testing::AllOf(HasSubstr(other_uuid), HasSubstr("no such instance")));
}

TEST_F(Doctor, FindsAClaimThatWaitsForACastThatIsNotThere) {
  auto claim = claim_of(other_uuid);
  claim.cast_waits = true;
  manager.fleet().load_claim(claim);
  EXPECT_THAT(found("claim_cast"), HasSubstr(other_uuid));
}

TEST_F(Doctor, FindsAPlacedInstanceWithoutAHostOrOnOneThatIsUnknown) {
  auto instance = *manager.fleet().instance(uuid);
  instance.host = "nowhere";
  manager.fleet().put_instance(instance);
  EXPECT_THAT(found("instance_host"), testing::AllOf(HasSubstr(uuid), HasSubstr("nowhere")));
  instance.host.clear();
  manager.fleet().put_instance(instance);
  EXPECT_THAT(found("instance_host"), HasSubstr(R"("found":"none")"));
  instance.vm_state = "error";
  manager.fleet().put_instance(instance);
  EXPECT_EQ(found("instance_host"), "") << "in error it needs none";
}

TEST_F(Doctor, FindsALaunchWithoutItsInstance) {
  manager.fleet().remove_instance(uuid);
  EXPECT_THAT(found("cast_instance"), HasSubstr(uuid));
}

TEST_F(Doctor, ChecksNoLimitsWhereADriverSetsNone) {
  RunningManager unlimited("chance");
  unlimited.add_host("h1", 1);
  for (const char digit : {'1', '2', '3'}) {
    auto instance = std::string(uuid);
    instance.back() = digit;
    unlimited.result("schedule_run_instance", launch(instance));
  }
  const auto answer = unlimited.result("doctor", "{}");
  EXPECT_TRUE(answer.at("sound").as_bool()) << json::write(answer);
  EXPECT_TRUE(answer.at("remarks").as_array().empty());
}

// What a fleet does all day, by one client.
void work(RunningManager& manager, int client, const std::atomic<bool>& over, std::atomic<int>& turns) {
  for (int turn = 0; !over; ++turn, ++turns) {
    const auto instance = to_text(random_uuid());
    const auto host = std::string(turn % 2 == 0 ? "h1" : "h2");
    static_cast<void>(manager.call("schedule_run_instance", launch(instance), "key-" + instance));
    static_cast<void>(manager.call("report_state", R"({"topic":"compute","host":")" + host + R"("})"));
    static_cast<void>(manager.call("select_destinations", selection(to_text(random_uuid()), 0)));
    const auto casts = manager.call("receive_casts", R"({"topic":"compute","hosts":["h1","h2"],"limit":4})");
    for (const auto& cast : casts->as_array())
      static_cast<void>(
          manager.call("acknowledge_cast", R"({"id":")" + std::string(cast.at("id").as_string()) + R"("})"));
    static_cast<void>(manager.call("update_instance", R"({"uuid":")" + instance + R"(","vm_state":"active"})"));
    static_cast<void>(manager.call("update_resource_stats", R"({"name":")" + host + R"(","stats":{"client":)" +
                                                                std::to_string(client * 1000 + turn) +
                                                                R"(,"instances":[")" + instance + R"("]}})"));
    static_cast<void>(manager.call("delete_instance", R"({"instance":")" + instance + R"("})"));
  }
}

TEST_F(Doctor, FindsNoFaultInABusyManager) {
  std::atomic<bool> over = false;
  std::atomic<int> turns = 0;
  std::vector<std::thread> clients;
  for (int client = 0; client < 3; ++client) clients.emplace_back([&, client] { work(manager, client, over, turns); });
  for (int times = 0; times < 20 || turns < 60; ++times) {
    const auto answer = examined();
    EXPECT_TRUE(answer.at("sound").as_bool()) << json::write(answer);
  }
  over = true;
  for (auto& client : clients) client.join();
  EXPECT_TRUE(examined().at("sound").as_bool());
}

TEST_F(Doctor, TakesNoArguments) {
  const auto refused = manager.call("doctor", R"({"deep":true})");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("doctor has no argument 'deep'"));
}

}  // namespace
}  // namespace gantry::scheduling
