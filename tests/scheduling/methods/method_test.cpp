// SPDX-License-Identifier: Apache-2.0
//
// Methods of the service from the call to the answer, decided by a test's driver and kept in a store of memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/drivers/abi/abi_text.hpp"
#include "core/scheduling/service/service_manager.hpp"
#include "tests/drivers/loaded_zoo.hpp"

namespace gantry::scheduling {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::string uuid = "00000000-0000-4000-8000-000000000007";

class MemoryStore final : public store::Store {
 public:
  Result<void> load(store::Kind, const store::Visitor&) override { return {}; }
  void undo_under(std::mutex*) override {}
  void submit(store::Batch batch, store::Done done, store::Undo) override {
    for (auto& change : batch) {
      documents[{change.kind, change.key}] = change.document.value_or("");
    }
    if (done) done({});
  }
  void flush() override {}
  std::string describe() const override { return "memory"; }
  std::map<std::pair<store::Kind, std::string>, std::string> documents;
};

class MethodTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NE(zoo_.driver(), nullptr) << zoo_.error();
    fleet::ComputeNode merged;
    fleet::ClaimChanges changes;
    fleet_.put_compute_node({"compute", "h1", "n1", *json::parse_object(R"({"vcpus":8})"), now_nanoseconds(), 1},
                            merged, changes);
    auto made = make_manager({fleet_, store_, zoo_.set(), telemetry::Logger::none(),
                              std::make_shared<telemetry::Counters>(), ManagerSettings{}});
    ASSERT_TRUE(made) << made.error().message;
    manager_ = *std::move(made);
  }
  Reply ask(const std::string& method, std::string_view args) {
    MethodCall call;
    call.method = method;
    call.args = *json::parse_object(args);
    call.request_id = "req-1";
    call.deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    Reply answer = json::value(nullptr);
    manager_->handle(std::move(call), [&answer](Reply reply) { answer = std::move(reply); });
    return answer;
  }
  Reply schedule(const std::string& method, const std::string& kwargs = "{}") {
    return ask("schedule", R"({"topic":"compute","schedule_method":")" + method + R"(","kwargs":)" + kwargs + "}");
  }
  Reply select(const std::string& flavor) {
    return ask("select_destinations", R"({"request_spec":{"num_instances":1,"instance_uuids":[")" + uuid +
                                          R"("],"instance_type":{"name":")" + flavor + R"(","vcpus":1}}})");
  }
  // Consumers whose claims wait for a cast.
  std::vector<std::string> waiting() const {
    std::vector<std::string> consumers;
    for (const auto& claim : fleet_.claims()) {
      if (claim.cast_waits) consumers.push_back(claim.consumer);
    }
    return consumers;
  }

  fleet::Fleet fleet_{fleet::FleetSettings{}};
  MemoryStore store_;
  drivers::LoadedZoo zoo_{"decider"};
  std::unique_ptr<Manager> manager_;
};

TEST_F(MethodTest, KeepsEachOfTwoClaimsOnOneHostUntilItsOwnCastIsAcknowledged) {
  ASSERT_TRUE(schedule("pair"));
  EXPECT_THAT(waiting(), ElementsAre("first", "second"));
  const auto casts = *ask("list_casts", "{}");
  ASSERT_EQ(casts.as_array().size(), 2U);
  std::string of_first;
  for (const auto& [key, document] : store_.documents) {
    if (key.first == store::Kind::cast && document.find(R"("consumer":"first")") != std::string::npos) {
      of_first = key.second;
    }
  }
  ASSERT_TRUE(ask("acknowledge_cast", R"({"id":")" + of_first + R"("})"));
  EXPECT_THAT(waiting(), ElementsAre("second"));
}

TEST_F(MethodTest, RefusesACastForAConsumerWithoutAClaimAndGivesAllBack) {
  const Reply reply = schedule("stranger");
  ASSERT_FALSE(reply);
  EXPECT_THAT(reply.error().message, AllOf(HasSubstr("'stranger'"), HasSubstr("claimed nothing")));
  EXPECT_TRUE(fleet_.claims().empty());
}

TEST_F(MethodTest, HidesSecretArgumentsFromTheDriver) {
  const Reply reply = schedule(
      "echo", R"({"size":1,"admin_password":"p","Injected-Files":[1],"x":{"X-Auth-Token":"t","adminPass":"p","y":2}})");
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(json::write_canonical(reply->as_object()), R"({"size":1,"x":{"y":2}})");
}

TEST_F(MethodTest, LetsADriverAskAboutAnInstance) {
  fleet::Instance instance;
  instance.uuid = uuid;
  instance.host = "h1";
  instance.node = "n1";
  instance.vm_state = "active";
  instance.flavor =
      *json::parse_object(R"({"name":"m1.tiny","vcpus":2,"memory_mb":512,"root_gb":1,"ephemeral_gb":2,"swap":512})");
  EXPECT_FALSE(schedule("where"));
  fleet_.put_instance(instance);
  const Reply reply = schedule("where");
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(json::write_canonical(*reply), R"(["m1.tiny","active",2,512,3.5])");
}

TEST_F(MethodTest, OmitsTheMessageOfAnOvercomeFailureFromNoValidHost) {
  EXPECT_THAT(schedule("recovered").error().message, Not(HasSubstr("cache")));
  EXPECT_THAT(select("recovered").error().message, AllOf(HasSubstr("No valid host"), Not(HasSubstr("cache"))));
  EXPECT_THAT(select("half").error().message, HasSubstr("not after all"));
}

TEST_F(MethodTest, KeepsTheDurableClaimOfAWaitingInstanceAfterAFailedSelection) {
  fleet::Claim accepted;
  accepted.consumer = uuid;
  accepted.topic = "compute";
  accepted.host = "h1";
  accepted.node = "n1";
  accepted.items = {{"vcpu", 1, 8}};
  accepted.durable = true;
  accepted.cast_waits = true;
  accepted.created_at = 5;
  fleet_.load_claim(accepted);
  ASSERT_FALSE(select("half"));
  ASSERT_EQ(fleet_.claims().size(), 1U);
  EXPECT_EQ(json::write(to_json(fleet_.claims()[0])), json::write(to_json(accepted)));
}

TEST_F(MethodTest, PutsTheInstancesThatAHostTells) {
  const std::string list = R"({"nova_object.name":"InstanceList","nova_object.data":{"objects":[
    {"nova_object.name":"Instance","nova_object.data":{"uuid":")" +
                           uuid + R"(","display_name":"web","vm_state":"active",
     "host":"h1","flavor":{"nova_object.name":"Flavor","nova_object.data":{"name":"m1.tiny","vcpus":1}}}}]}})";
  ASSERT_TRUE(ask("update_instance_info", R"({"host_name":"h1","instance_info":)" + list + "}"));
  const auto found = fleet_.instance(uuid);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->host, "h1");
  EXPECT_EQ(found->name, "web");
  EXPECT_EQ(json::write(found->flavor), R"({"name":"m1.tiny","vcpus":1})");
  EXPECT_NE(store_.documents[(std::pair{store::Kind::instance, uuid})], "");
}

TEST_F(MethodTest, ForgetsAnInstanceThatItsHostHasDeletedAndReleasesItsClaims) {
  fleet::Claim claim;
  claim.consumer = uuid;
  claim.topic = "compute";
  claim.host = "h1";
  claim.node = "n1";
  claim.items = {{"vcpu", 1, 8}};
  claim.durable = true;
  fleet_.load_claim(claim);
  ASSERT_TRUE(ask("update_instance_info", R"({"host_name":"h1","instance_info":[{"uuid":")" + uuid + R"("}]})"));
  const std::string gone = R"(","instance_uuid":")" + uuid + R"("})";
  ASSERT_TRUE(ask("delete_instance_info", R"({"host_name":"h2)" + gone));
  EXPECT_TRUE(fleet_.instance(uuid)) << "a former host cannot delete what has moved";
  ASSERT_TRUE(ask("delete_instance_info", R"({"host_name":"h1)" + gone));
  EXPECT_FALSE(fleet_.instance(uuid));
  EXPECT_TRUE(fleet_.claims().empty());
  EXPECT_TRUE(ask("delete_instance_info", R"({"host_name":"h1)" + gone)) << "a repeat is no error";
}

TEST_F(MethodTest, DropsTheInstancesThatAHostDoesNotHaveAnyMore) {
  const std::string other = "00000000-0000-4000-8000-000000000008";
  const std::string starting = "00000000-0000-4000-8000-000000000009";
  ASSERT_TRUE(ask("update_instance_info",
                  R"({"host_name":"h1","instance_info":[{"uuid":")" + uuid + R"(","vm_state":"active"},{"uuid":")" +
                      other + R"(","vm_state":"stopped"},{"uuid":")" + starting + R"(","vm_state":"building"}]})"));
  const Reply reply = ask("sync_instance_info", R"({"host_name":"h1","instance_uuids":[")" + uuid +
                                                    R"(","11111111-0000-4000-8000-000000000001"]})");
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(json::write(*reply), R"({"removed":1,"unknown":["11111111-0000-4000-8000-000000000001"]})");
  EXPECT_TRUE(fleet_.instance(uuid));
  EXPECT_FALSE(fleet_.instance(other));
  EXPECT_TRUE(fleet_.instance(starting));
}

TEST_F(MethodTest, PutsAggregatesWhole) {
  ASSERT_TRUE(ask("update_aggregates",
                  R"({"aggregates":[{"id":7,"name":"rack7","hosts":["h1","h2"],"metadata":{"rack":"7"}}]})"));
  ASSERT_TRUE(ask("update_aggregates", R"({"aggregates":{"nova_object.name":"Aggregate","nova_object.data":
      {"id":7,"uuid":null,"name":"rack7","hosts":["h2"],"metadata":{}}}})"));
  const auto aggregate = fleet_.aggregate(7);
  ASSERT_TRUE(aggregate);
  EXPECT_THAT(aggregate->hosts, ElementsAre("h2"));
  EXPECT_TRUE(aggregate->metadata.empty());
  EXPECT_THAT(ask("update_aggregates", R"({"aggregates":[{"name":"x"}]})").error().message, HasSubstr("positive id"));
}

}  // namespace
}  // namespace gantry::scheduling
