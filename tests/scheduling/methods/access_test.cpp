// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/methods/access.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/scheduling/running_manager.hpp"

namespace gantry::scheduling {
namespace {

using ::testing::HasSubstr;

using Names = std::vector<std::string>;

Names callable_by(Role role) {
  Caller caller;
  caller.role = role;
  Names names;
  for (const auto& method : method_table())
    if (check_role(caller, method.name)) names.emplace_back(method.name);
  return names;
}

Names reading_methods() {
  Names names;
  for (const auto& method : method_table())
    if (method.effect == Effect::reads) names.emplace_back(method.name);
  return names;
}

Names sorted(Names names) {
  std::sort(names.begin(), names.end());
  return names;
}

TEST(Roles, LetAReaderCallWhatReadsAndSelectDestinations) {
  auto names = reading_methods();
  std::erase(names, "list_tokens");
  names.emplace_back("select_destinations");
  EXPECT_EQ(callable_by(Role::reader), sorted(names));
}

TEST(Roles, LetAServiceCallWhatAReaderMayAndItsOwnMethods) {
  auto names = callable_by(Role::reader);
  for (const auto* name :
       {"acknowledge_cast", "create_group", "delete_group", "delete_instance", "nova_select_destinations",
        "receive_casts", "release_claims", "report_state", "schedule", "schedule_run_instance", "service_register",
        "update_instance", "update_resource_stats", "update_service_capabilities", "update_aggregates",
        "update_instance_info", "delete_instance_info", "sync_instance_info"})
    names.emplace_back(name);
  EXPECT_EQ(callable_by(Role::service), sorted(names));
}

TEST(Roles, LetAnAgentCallTheMethodsOfAgents) {
  EXPECT_EQ(callable_by(Role::agent),
            (Names{"acknowledge_cast", "list_instances", "receive_casts", "report_state", "service_register",
                   "stats_wanted", "update_instance", "update_resource_stats", "update_service_capabilities"}));
}

TEST(Roles, LetAnAdminCallEveryMethod) {
  EXPECT_EQ(callable_by(Role::admin).size(), method_table().size());
}

TEST(Roles, RefuseAMethodThatDoesNotExistToEveryoneButAnAdmin) {
  Caller caller;
  caller.role = Role::service;
  EXPECT_FALSE(check_role(caller, "no_such_method"));
  caller.role = Role::admin;
  EXPECT_TRUE(check_role(caller, "no_such_method"));
}

struct ScopedCall {
  const char* method;
  const char* args;
  const char* denial;  // the end of the refusal; "" if the call is within the scope
};

class Scope : public ::testing::TestWithParam<ScopedCall> {
 protected:
  Scope() {
    caller->token_id = "abc";
    manager.add_host("h1", 8);
    manager.add_host("h2", 8);
    manager.result("schedule_run_instance", R"({"request_spec":{"instance_uuids":[")" + std::string(uuid) +
                                                R"("],"instance_type":{"vcpus":1,"memory_mb":64}}})");
    manager.result("update_instance", R"({"uuid":")" + std::string(uuid) + R"(","host":"h2"})");
  }

  void expect_denial_of(const ScopedCall& call) {
    const auto reply = manager.call(call.method, call.args, {}, caller);
    const bool is_denied = !reply && reply.error().code == ErrorCode::permission_denied;
    EXPECT_EQ(is_denied, *call.denial != '\0');
    if (is_denied) {
      EXPECT_THAT(reply.error().message, HasSubstr(call.denial));
    }
  }

  static constexpr auto uuid = "0d0d0d0d-0000-4000-8000-000000000001";
  RunningManager manager{"simple"};
  std::shared_ptr<Caller> caller = std::make_shared<Caller>();
};

class ScopeOfAnAgent : public Scope {};

TEST_P(ScopeOfAnAgent, EndsAtItsOwnHost) {
  caller->role = Role::agent;
  caller->host = "h1";
  expect_denial_of(GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Calls, ScopeOfAnAgent,
    testing::Values(
        ScopedCall{"stats_wanted", "{}", ""}, ScopedCall{"report_state", R"({"topic":"compute","host":"h1"})", ""},
        ScopedCall{"report_state", R"({"topic":"compute","host":"h2"})", "found 'h2'"},
        ScopedCall{"report_state", R"({"topic":"compute"})", "found none"},
        ScopedCall{"update_resource_stats", R"({"name":["h1","node"],"stats":{}})", ""},
        ScopedCall{"update_resource_stats", R"({"name":["h2","h1"],"stats":{}})", "found 'h2'"},
        ScopedCall{"update_service_capabilities", R"({"service_name":"volume","host":"h2","capabilities":{}})",
                   "found 'h2'"},
        ScopedCall{"receive_casts", R"({"topic":"compute","hosts":["h1"]})", ""},
        ScopedCall{"receive_casts", R"({"topic":"compute","host":"h1","hosts":["h1","h2"]})", "found 'h2'"},
        ScopedCall{"acknowledge_cast", R"({"id":"gone"})", ""}, ScopedCall{"list_instances", R"({"host":"h1"})", ""},
        ScopedCall{"list_instances", "{}", "found none"},
        ScopedCall{"update_instance", R"({"uuid":"0d0d0d0d-0000-4000-8000-000000000001","host":"h1"})", "found 'h2'"},
        ScopedCall{"update_instance", R"({"uuid":"0d0d0d0d-0000-4000-8000-000000000002"})", "found none"}));

class ScopeOfAService : public Scope {};

TEST_P(ScopeOfAService, EndsAtItsOwnTopics) {
  caller->role = Role::service;
  caller->topics = {"volume"};
  expect_denial_of(GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Calls, ScopeOfAService,
    testing::Values(
        ScopedCall{"list_instances", "{}", ""}, ScopedCall{"delete_group", R"({"group":"web"})", "found 'compute'"},
        ScopedCall{"update_instance", R"({"uuid":"0d0d0d0d-0000-4000-8000-000000000001"})", "found 'compute'"},
        ScopedCall{"delete_instance", R"({"instance":"web"})", "found 'compute'"},
        ScopedCall{"release_claims", R"({"instance_uuid":"0d0d0d0d-0000-4000-8000-000000000001"})", "found 'compute'"},
        ScopedCall{"release_claims", R"({"instance_uuid":"nobody"})", ""},
        ScopedCall{"update_aggregates", R"({"aggregates":[]})", "found 'compute'"},
        ScopedCall{"sync_instance_info", R"({"host_name":"h1"})", "found 'compute'"},
        ScopedCall{"schedule_run_instance", R"({"request_spec":{"num_instances":1}})", "found 'compute'"},
        ScopedCall{"select_destinations", R"({"request_spec":{"num_instances":1}})", "found 'compute'"},
        ScopedCall{"nova_select_destinations", R"({"unique_id":"1","spec_obj":{}})", "found 'compute'"},
        ScopedCall{"select_destinations", R"({"request_spec":{"num_instances":1,"flavor":{"vcpus":1}},"dry_run":true})",
                   ""},
        ScopedCall{"service_register", R"({"topic":"volume","host":"s1"})", ""},
        ScopedCall{"service_register", R"({"topic":"compute","host":"h1"})",
                   "expected a topic of its own ('volume'), found 'compute'"},
        ScopedCall{"schedule", R"({"topic":"volume","schedule_method":"create_volume"})", ""},
        ScopedCall{"schedule", R"({"topic":"compute","schedule_method":"create_volume"})", "found 'compute'"},
        ScopedCall{"update_resource_stats", R"({"name":"s1","topic":"volume","stats":{}})", ""},
        ScopedCall{"update_resource_stats", R"({"name":"s1","stats":{}})", "found 'compute'"},
        ScopedCall{"update_service_capabilities", R"({"service_name":"compute","host":"h1","capabilities":{}})",
                   "found 'compute'"},
        ScopedCall{"acknowledge_cast", R"({"id":"gone"})", ""}));

class ScopeOfAReader : public Scope {};

TEST_P(ScopeOfAReader, AllowsNoChange) {
  caller->role = Role::reader;
  expect_denial_of(GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Calls, ScopeOfAReader,
    testing::Values(ScopedCall{"list_instances", "{}", ""},
                    ScopedCall{"select_destinations",
                               R"({"request_spec":{"num_instances":1,"flavor":{"vcpus":1}},"dry_run":true})", ""},
                    ScopedCall{"select_destinations", R"({"request_spec":{"num_instances":1,"flavor":{"vcpus":1}}})",
                               "expected dry_run: true"}));

TEST_F(Scope, HoldsAnAgentToTheCastsOfItsTopicsAndItsHost) {
  caller->role = Role::agent;
  const auto casts = manager.result("list_casts", "{}").as_array();
  ASSERT_EQ(casts.size(), 1U);
  caller->host = std::string(casts[0].at("host").as_string());
  const auto acknowledge = R"({"id":")" + std::string(casts[0].at("id").as_string()) + R"("})";
  caller->topics = {"volume"};
  expect_denial_of(
      {"acknowledge_cast", acknowledge.c_str(), "expected a topic of its own ('volume'), found 'compute'"});
  caller->topics = {"compute"};
  caller->host = "h3";
  expect_denial_of({"acknowledge_cast", acknowledge.c_str(), "expected its own host 'h3'"});
  caller->host = std::string(casts[0].at("host").as_string());
  expect_denial_of({"acknowledge_cast", acknowledge.c_str(), ""});
}

}  // namespace
}  // namespace gantry::scheduling
