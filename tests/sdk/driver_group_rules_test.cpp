// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <gantry/driver.hpp>
#include <gantry/driver/group_rules.hpp>
#include <gantry/testing/fake_host.hpp>

namespace gantry {
namespace {

using ::testing::ElementsAre;

// Places each instance on the first row that the group's rule leaves.
class FirstAllowed final : public driver {
 public:
  code select_destinations(call& call, const request& request) override {
    narrowing found = candidates(call, request);
    group_rules group(request);
    for (std::uint32_t instance = 0; instance < request.instances(); ++instance) {
      group.narrow(call, found.rows());
      if (found.rows().none()) return call.fail(code::no_valid_host, group.reason());
      const std::uint32_t row = found.rows().nth(0);
      call.log(level::info, std::to_string(group.members_on(row)) + " members");
      EXPECT_TRUE(group.allows(row));
      if (const code done = call.pick(instance, row, {}, {}, {}, group.bound()); done != code::ok) return done;
      group.placed(row);
    }
    return code::ok;
  }
  code schedule_run_instance(call& call, const request& request) override { return select_destinations(call, request); }
};

constexpr gantry_driver_info first_allowed = {
    GANTRY_MAGIC, sizeof(gantry_driver_info),          GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR, raw("test"),
    raw("1"),     &detail::operations_of<FirstAllowed>};

// Decides on a, b1 and b2 (two nodes of the host b) and c, with the members of the group on some of them.
class GroupRules : public ::testing::Test {
 protected:
  GroupRules() : host_({{"a"}, {"b", "b1"}, {"b", "b2"}, {"c"}}) {}
  testing::outcome decide(const std::string& policy, std::vector<std::uint32_t> member_rows,
                          std::uint32_t instances = 1, const std::string& rules = "{}") {
    testing::fake_request request;
    request.instances = instances;
    request.group.emplace();
    request.group->policy = policy;
    request.group->rules = rules;
    request.group->member_rows = std::move(member_rows);
    request.group->hosts = named_;
    return host_.create(first_allowed)->select_destinations(request);
  }
  static std::vector<std::uint32_t> rows(const testing::outcome& outcome) {
    std::vector<std::uint32_t> found;
    for (const auto& pick : outcome.picks) found.push_back(pick.row);
    return found;
  }
  std::vector<std::string> named_;
  testing::fake_host host_;
};

TEST_F(GroupRules, KeepMembersApartByHostNotByNode) {
  EXPECT_THAT(rows(decide("anti-affinity", {1}, 2)), ElementsAre(0, 3));
  const auto full = decide("anti-affinity", {0, 2, 3});
  EXPECT_EQ(full.code, GANTRY_NO_VALID_HOST);
  EXPECT_EQ(full.sentence, "they hold a member of the group");
}

TEST_F(GroupRules, AllowAsManyMembersOnAHostAsTheGroupSays) {
  EXPECT_THAT(rows(decide("anti-affinity", {0}, 2, R"({"max_server_per_host":2})")), ElementsAre(0, 1));
  EXPECT_THAT(rows(decide("anti-affinity", {0}, 2, R"({"max_server_per_host":"2"})")), ElementsAre(0, 1));
  EXPECT_THAT(rows(decide("anti-affinity", {0}, 1, R"({"max_server_per_host":"none"})")), ElementsAre(1));
  EXPECT_THAT(rows(decide("anti-affinity", {0}, 1, "no JSON")), ElementsAre(1));
}

TEST_F(GroupRules, KeepMembersTogetherFromTheFirstOneOn) {
  EXPECT_THAT(rows(decide("affinity", {2})), ElementsAre(1));
  EXPECT_THAT(rows(decide("affinity", {}, 3)), ElementsAre(0, 0, 0));
}

TEST_F(GroupRules, CountHostsThatTheRequestNames) {
  named_ = {"a", "elsewhere"};
  EXPECT_THAT(rows(decide("anti-affinity", {})), ElementsAre(1));
  EXPECT_THAT(rows(decide("affinity", {})), ElementsAre(0));
}

TEST_F(GroupRules, ExcludeNoHostForASoftPolicyAndCountItsMembers) {
  const auto outcome = decide("soft-anti-affinity", {0}, 2);
  EXPECT_THAT(rows(outcome), ElementsAre(0, 0));
  ASSERT_EQ(outcome.logs.size(), 2U);
  EXPECT_EQ(outcome.logs[0].message, "1 members");
  EXPECT_EQ(outcome.logs[1].message, "2 members");
}

TEST_F(GroupRules, TellTheHostWhatToCheckAgainAtThePick) {
  EXPECT_EQ(decide("anti-affinity", {}, 1, R"({"max_server_per_host":3})").picks.at(0).group_limit, 3U);
  EXPECT_TRUE(decide("affinity", {}).picks.at(0).together);
}

}  // namespace
}  // namespace gantry
