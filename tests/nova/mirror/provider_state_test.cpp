// SPDX-License-Identifier: Apache-2.0
#include "core/nova/mirror/provider_state.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/nova/mirror/joint_room.hpp"
#include "tests/nova/mirror/mirror_fixture.hpp"

namespace gantry::nova::testing {
namespace {

using ::testing::HasSubstr;

ProviderChanges put(std::vector<ProviderFact> providers, std::vector<std::int64_t> removed = {}) {
  ProviderChanges changes;
  changes.providers = std::move(providers);
  changes.removed = std::move(removed);
  return changes;
}

TEST(ProviderState, AClaimAndAReleaseShowAtTheNextQuestion) {
  auto state = state_of({provider(1, {inventory(vcpu, 4)}), provider(2, {inventory(vcpu, 4)})});
  EXPECT_EQ(claimable(state, "resources=VCPU:3"), "1 2");
  ASSERT_TRUE(state.set_used(1, vcpu, 2));
  EXPECT_EQ(claimable(state, "resources=VCPU:3"), "2");
  ASSERT_TRUE(state.set_used(1, vcpu, 1));
  EXPECT_EQ(claimable(state, "resources=VCPU:3"), "1 2");
}

TEST(ProviderState, TheUseOfAnUnknownInventoryIsRefused) {
  auto state = state_of({provider(1, {inventory(vcpu, 4)})});
  EXPECT_EQ(state.set_used(1, disk_gb, 1).error().code, ErrorCode::not_found);
  EXPECT_EQ(state.set_used(9, vcpu, 1).error().code, ErrorCode::not_found);
}

TEST(ProviderState, AChangedProviderLosesWhatItHad) {
  auto golden = provider(1, {inventory(vcpu, 4), inventory(disk_gb, 10)});
  golden.traits = {gold};
  golden.aggregates = {21};
  auto state = state_of({golden});
  const auto in_aggregate = "resources=VCPU:1&member_of=" + uuid_of(21);
  EXPECT_EQ(claimable(state, "required=CUSTOM_GOLD&resources=VCPU:1"), "1");
  EXPECT_EQ(claimable(state, in_aggregate), "1");
  ASSERT_TRUE(state.apply(put({provider(1, {inventory(vcpu, 4)})})));
  EXPECT_EQ(claimable(state, "resources=VCPU:1"), "1");
  EXPECT_EQ(claimable(state, "required=CUSTOM_GOLD&resources=VCPU:1"), "");
  EXPECT_EQ(claimable(state, in_aggregate), "");
  EXPECT_EQ(claimable(state, "resources=DISK_GB:1,VCPU:1"), "");
}

TEST(ProviderState, ANewProviderTakesTheRowOfARemovedOne) {
  auto state = state_of({provider(1, {inventory(vcpu, 4)}), provider(2, {inventory(vcpu, 4)})});
  ASSERT_TRUE(state.apply(put({provider(3, {inventory(disk_gb, 4)})}, {1})));
  EXPECT_EQ(state.shape().rows(), 2U);
  EXPECT_EQ(claimable(state, "resources=VCPU:1"), "2");
  EXPECT_EQ(claimable(state, "resources=DISK_GB:1"), "3");
}

TEST(JointRoom, IsWhatPlacementWouldLeaveAfterEachClaim) {
  auto state = state_of({provider(1, {inventory(vcpu, 4)}), provider(2, {inventory(vcpu, 4)})});
  const auto claim = [](std::int64_t id, int amount) {
    return R"({"allocations":{")" + uuid_of(id) + R"(":{"resources":{"VCPU":)" + std::to_string(amount) + "}}}}";
  };
  const auto fit = [&state](std::vector<std::string> claims) { return have_room_together(state, claims); };
  EXPECT_TRUE(fit({claim(1, 2), claim(1, 2), claim(2, 4)}));
  EXPECT_FALSE(fit({claim(1, 2), claim(1, 3)}));
  ASSERT_TRUE(state.set_used(1, vcpu, 1));
  EXPECT_FALSE(fit({claim(1, 2), claim(1, 2)}));
  EXPECT_FALSE(fit({claim(9, 1)})) << "the provider is unknown";
  EXPECT_FALSE(fit({"{}"}));
}

TEST(ProviderState, ProvidersMayComeBeforeTheirRoot) {
  const auto state = state_of(
      {child(5, 4, 3, {inventory(network_function, 1)}), child(4, 3, 3, {}), provider(3, {inventory(vcpu, 4)})});
  EXPECT_EQ(claimable(state, "resources=SRIOV_NET_VF:1,VCPU:1"), "5 3");
}

TEST(ProviderState, ProvidersThatDoNotFitTogetherLeaveTheStateAsItWas) {
  auto state = state_of({provider(1, {inventory(vcpu, 4)}), child(2, 1, 1, {})});
  const auto refused = [&state](ProviderChanges changes) {
    const auto done = state.apply(std::move(changes));
    return done ? std::string() : done.error().message;
  };
  EXPECT_THAT(refused(put({child(4, 9, 1, {})})), HasSubstr("its parent is unknown"));
  EXPECT_THAT(refused(put({child(4, 1, 9, {})})), HasSubstr("its root is unknown"));
  EXPECT_THAT(refused(put({child(4, 1, 4, {})})), HasSubstr("its root is not the root of its parent"));
  EXPECT_THAT(refused(put({child(1, 2, 1, {})})), HasSubstr("it is its own ancestor"));
  EXPECT_THAT(refused(put({}, {1})), HasSubstr("its root is unknown"));
  EXPECT_THAT(refused(put({provider(0, {})})), HasSubstr("id is not positive"));
  auto namesake = provider(4, {});
  namesake.uuid = uuid_of(1);
  EXPECT_THAT(refused(put({namesake})), HasSubstr("another provider has its uuid"));
  EXPECT_EQ(claimable(state, "resources=VCPU:1"), "1");
  EXPECT_EQ(state.shape().size(), 2U);
}

TEST(ProviderState, ANameThatIsGoneIsUnknown) {
  auto state = state_of({provider(1, {inventory(vcpu, 4)})});
  const std::string query = "required=%21CUSTOM_GOLD&resources=VCPU:1";
  EXPECT_EQ(claimable(state, query), "1");
  ProviderChanges changes;
  changes.traits = NameFacts{{shares, "MISC_SHARES_VIA_AGGREGATE"}};
  ASSERT_TRUE(state.apply(std::move(changes)));
  EXPECT_EQ(claimable(state, query), "refused");
}

TEST(ProviderState, CandidatesOutliveAChange) {
  auto state = state_of({provider(1, {inventory(vcpu, 4)})});
  const auto answer = find_candidates(state, "resources=VCPU:1");
  ASSERT_TRUE(state.apply(put({provider(2, {inventory(vcpu, 4)})}, {1})));
  EXPECT_TRUE(answer.candidates.is_claimable(uuid_of(1)));
  EXPECT_FALSE(answer.candidates.is_claimable(uuid_of(2)));
  EXPECT_THAT(answer.candidates.request_of(uuid_of(1)), HasSubstr(uuid_of(1)));
}

// The database rounds 1.3 down in four bytes, and refuses what Python would allow.
TEST(ProviderState, AnAmountFitsByTheArithmeticOfTheDatabaseAndOfPython) {
  auto narrow = inventory(vcpu, 10);
  narrow.allocation_ratio = 1.3;
  narrow.stored_ratio = static_cast<double>(1.3F);
  narrow.max_unit = 100;
  auto wide = inventory(disk_gb, 1000);
  wide.allocation_ratio = 1.001;
  wide.stored_ratio = static_cast<double>(1.001F);
  wide.max_unit = 2000;
  const auto state = state_of({provider(1, {narrow, wide}), child(2, 1, 1, {inventory(network_function, 4)})});
  EXPECT_EQ(claimable(state, "resources=VCPU:13"), "");
  EXPECT_EQ(claimable(state, "resources=VCPU:12"), "1");
  EXPECT_EQ(claimable(state, "resources=DISK_GB:1001"), "");
  EXPECT_EQ(claimable(state, "resources=DISK_GB:1000"), "1");
  EXPECT_EQ(claimable(state, "resources=DISK_GB:1001,SRIOV_NET_VF:1"), "");
  EXPECT_EQ(claimable(state, "resources=DISK_GB:1000,SRIOV_NET_VF:1"), "1 2");
  EXPECT_EQ(claimable(state, "group_policy=none&resources1=VCPU:12&resources2=VCPU:1"), "1");
}

}  // namespace
}  // namespace gantry::nova::testing
