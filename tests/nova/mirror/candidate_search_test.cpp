// SPDX-License-Identifier: Apache-2.0
#include "core/nova/mirror/candidate_search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/nova/placement/candidates.hpp"
#include "tests/nova/mirror/mirror_fixture.hpp"

namespace gantry::nova::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A host with a disk of its own and two network functions, and a host that has the disk of a sharing provider.
ProviderState two_hosts() {
  auto diskless = provider(2, {inventory(vcpu, 8)});
  diskless.aggregates = {21};
  auto storage = provider(3, {inventory(disk_gb, 100)});
  storage.aggregates = {21};
  storage.traits = {shares};
  return state_of({provider(1, {inventory(vcpu, 8), inventory(disk_gb, 100)}), diskless, storage,
                   child(4, 1, 1, {inventory(network_function, 4)}), child(5, 1, 1, {inventory(network_function, 4)})});
}

TEST(CandidateSearch, AHostIsSeenWithItsWholeTreeAndClaimedWhereItGives) {
  const auto state = two_hosts();
  const auto found = find_candidates(state, "limit=1000&resources=DISK_GB%3A10%2CVCPU%3A2").candidates;
  EXPECT_THAT(found.requests_of(uuid_of(1)),
              ElementsAre(R"({"allocations":{")" + uuid_of(1) + R"(":{"resources":{"VCPU":2,"DISK_GB":10}}},)" +
                          R"("mappings":{"":[")" + uuid_of(1) + R"("]}})"));
  EXPECT_TRUE(found.is_seen(uuid_of(4)));
  EXPECT_FALSE(found.is_claimable(uuid_of(4)));
  EXPECT_TRUE(found.is_claimable(uuid_of(2)));
  EXPECT_TRUE(found.is_claimable(uuid_of(3)));
  EXPECT_THAT(found.request_of(uuid_of(2)), HasSubstr(uuid_of(3)));
  EXPECT_EQ(found.request_of(uuid_of(4)), "");
  EXPECT_EQ(found.request_of("unknown"), "");
}

TEST(CandidateSearch, RequestsAreReadAsPlacementsOwn) {
  const auto state = two_hosts();
  const auto found = find_candidates(state,
                                     "group_policy=isolate&resources=VCPU:1&resources_a=SRIOV_NET_VF:1&"
                                     "resources_b=SRIOV_NET_VF:2&same_subtree=_a")
                         .candidates;
  ASSERT_EQ(found.request_count(), 2U);
  std::string body = R"({"provider_summaries":{},"allocation_requests":[)";
  for (const auto& request : found.write_requests()) body += (body.back() == '[' ? "" : ",") + request;
  const auto read = Candidates::read(body + "]}");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->claimable_count(), 3U);
  for (const auto id : {1, 4, 5}) {
    EXPECT_EQ(read->requests_of(uuid_of(id)).size(), 2U);
    EXPECT_EQ(found.requests_of(uuid_of(id)).size(), 2U);
    EXPECT_EQ(read->requests_of(uuid_of(id)).front(), found.request_of(uuid_of(id)));
  }
}

TEST(CandidateSearch, AnUnknownNameIsRefusedAsPlacementRefusesIt) {
  const auto state = two_hosts();
  EXPECT_EQ(claimable(state, "required=CUSTOM_NONE&resources=VCPU:1"), "refused");
  EXPECT_EQ(claimable(state, "required=%21CUSTOM_NONE&resources=VCPU:1"), "refused");
  EXPECT_EQ(claimable(state, "resources=VCPU:1&root_required=%21CUSTOM_NONE"), "refused");
  EXPECT_EQ(claimable(state, "resources=CUSTOM_NONE:1"), "refused");
  EXPECT_EQ(claimable(state, "member_of=" + uuid_of(99) + "&resources=VCPU:1"), "");
  EXPECT_EQ(claimable(state, "in_tree=" + uuid_of(99) + "&resources=VCPU:1"), "");
}

TEST(CandidateSearch, AQuestionOfAnotherFormIsLeftToPlacement) {
  const auto state = two_hosts();
  for (const auto* const query : {"",
                                  "resources",
                                  "resources=",
                                  "resources=VCPU",
                                  "resources=VCPU:x",
                                  "resources=VCPU:-1",
                                  "resources=vcpu:1",
                                  "resources=VCPU:1,VCPU:2",
                                  "resources=VCPU:9999999999999999999",
                                  "resources=VCPU:1&resources=VCPU:2",
                                  "resources=VCPU:1&limit=0",
                                  "resources=VCPU:1&limit=x",
                                  "resources=VCPU:1&color=red",
                                  "resources=VCPU:1&a=%zz",
                                  "resources=VCPU:1&required=in:CUSTOM_GOLD",
                                  "resources=VCPU:1&required=%21%21CUSTOM_GOLD",
                                  "resources=VCPU:1&member_of=x",
                                  "resources=VCPU:1&in_tree=x",
                                  "resources=VCPU:1&group_policy=other",
                                  "resources=VCPU:1&resources_%2B=VCPU:1",
                                  "resources=VCPU:1&same_subtree=",
                                  "resources=VCPU:1&root_required="})
    EXPECT_EQ(claimable(state, query), "ask") << query;
}

TEST(CandidateSearch, AQuestionThatContradictsItselfIsRefused) {
  const auto state = two_hosts();
  for (const auto* const query :
       {"limit=5", "required=CUSTOM_GOLD", "resources=VCPU:0", "resources=VCPU:1&required_a=CUSTOM_GOLD",
        "resources1=VCPU:1&resources2=VCPU:1", "resources=VCPU:1&required=CUSTOM_GOLD,%21CUSTOM_GOLD",
        "resources=VCPU:1&root_required=CUSTOM_GOLD,%21CUSTOM_GOLD", "resources=VCPU:1&same_subtree=_a"})
    EXPECT_EQ(claimable(state, query), "refused") << query;
}

TEST(CandidateSearch, AnAnswerThatDependsOnPlacementsOrderIsLeftToPlacement) {
  const auto state = two_hosts();
  EXPECT_EQ(claimable(state, "group_policy=isolate&resources1=VCPU:1&resources=VCPU:1"), "ask");
  EXPECT_EQ(claimable(state, "group_policy=none&resources1=VCPU:1&resources=VCPU:1"), "1 2");
  EXPECT_EQ(claimable(state, "resources=DISK_GB:1&resources1=VCPU:1"), "ask");
}

TEST(CandidateSearch, AGroupWithoutResourcesFindsProvidersByWhatItRequires) {
  auto golden = provider(1, {inventory(vcpu, 8)});
  golden.traits = {gold};
  const auto state =
      state_of({golden, child(2, 1, 1, {inventory(network_function, 4)}), provider(3, {inventory(vcpu, 8)})});
  const std::string query = "group_policy=none&resources1=VCPU:1&same_subtree=1,2&required2=";
  EXPECT_EQ(claimable(state, query + "CUSTOM_GOLD"), "1");
  EXPECT_EQ(claimable(state, query + "%21CUSTOM_GOLD"), "");
}

TEST(CandidateSearch, TooManyCombinationsAreLeftToPlacement) {
  std::vector<ProviderFact> providers{provider(1, {})};
  for (std::int64_t id = 2; id <= 30; ++id)
    providers.push_back(child(id, 1, 1, {inventory(vcpu, 8), inventory(disk_gb, 8), inventory(network_function, 8)}));
  const auto state = state_of(std::move(providers));
  EXPECT_NE(claimable(state, "resources=VCPU:1,DISK_GB:1"), "ask");
  EXPECT_EQ(claimable(state, "resources=VCPU:1,DISK_GB:1,SRIOV_NET_VF:1"), "ask");
  EXPECT_EQ(claimable(state, "group_policy=none&resources1=VCPU:1&resources2=DISK_GB:1&resources3=SRIOV_NET_VF:1"),
            "ask");
}

TEST(CandidateSearch, AnEmptyStateHasNoCandidates) {
  EXPECT_EQ(claimable(state_of({}), "resources=VCPU:1"), "");
  EXPECT_EQ(claimable(state_of({}), "resources=VCPU:1&root_required=%21CUSTOM_GOLD"), "");
}

}  // namespace
}  // namespace gantry::nova::testing
