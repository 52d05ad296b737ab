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

// A host with devices, each a provider of its own or several of one provider.
ProviderState with_devices(std::int64_t providers, std::int64_t devices) {
  std::vector<ProviderFact> all{provider(1, {inventory(vcpu, 8)})};
  for (std::int64_t id = 2; id < 2 + providers; ++id)
    all.push_back(child(id, 1, 1, {inventory(network_function, devices)}));
  return state_of(std::move(all));
}

std::string asking_for_devices(int groups) {
  std::string query = "group_policy=none&resources=VCPU:1";
  for (int at = 0; at < groups; ++at) query += "&resources_" + std::to_string(at) + "=SRIOV_NET_VF:1";
  return query;
}

// For each group the providers and their room: "2:1 3:1; 2:1 3:1".
std::vector<std::string> choices(const MirrorCandidates& found, const std::vector<std::string>& suffixes) {
  std::vector<std::string> all;
  found.each_choices(uuid_of(1), suffixes, [&](const MirrorCandidates::Choices& choices) {
    auto& text = all.emplace_back();
    for (const auto& group : choices) {
      if (&group != &choices.front()) text += "; ";
      for (const auto& each : group)
        text += (&each == &group.front() ? "" : " ") + std::to_string(found.shape().id(each.row)) + ":" +
                std::to_string(each.room);
    }
  });
  return all;
}

TEST(CandidateSearch, EqualDevicesAreLeftOpenInOneRequest) {
  const auto found = find_candidates(with_devices(8, 1), asking_for_devices(8)).candidates;
  EXPECT_EQ(found.request_count(), 1U) << "placement lists 40,320";
  EXPECT_EQ(found.claimable().size(), 9U);
  EXPECT_THAT(choices(found, {"_6", "_7"}),
              ElementsAre("2:1 3:1 4:1 5:1 6:1 7:1 8:1 9:1; 2:1 3:1 4:1 5:1 6:1 7:1 8:1 9:1"));
  const auto chosen = found.request_of(uuid_of(1), {{"_0", uuid_of(9)}, {"_1", uuid_of(2)}});
  EXPECT_THAT(chosen, HasSubstr(R"("_0":[")" + uuid_of(9) + R"("])"));
  EXPECT_THAT(chosen, HasSubstr(R"("_1":[")" + uuid_of(2) + R"("])"));
  EXPECT_THAT(chosen, HasSubstr(R"("_7":[)")) << "the groups that nobody has chosen for get a provider too";
  EXPECT_EQ(found.request_of(uuid_of(1), {{"_0", uuid_of(9)}, {"_1", uuid_of(9)}}), "") << "it has one device";
  EXPECT_THAT(found.request_of(uuid_of(1)), HasSubstr(R"("_7":[)"));
}

TEST(CandidateSearch, AProviderServesAsManyOpenGroupsAsItHasRoomFor) {
  const auto found = find_candidates(with_devices(4, 3), asking_for_devices(6)).candidates;
  EXPECT_EQ(found.request_count(), 1U);
  EXPECT_THAT(choices(found, {"_0"}), ElementsAre("2:3 3:3 4:3 5:3"));
  EXPECT_EQ(claimable(with_devices(4, 1), asking_for_devices(6)), "") << "six groups and four devices";
}

TEST(CandidateSearch, AGroupThatIsAloneIsServedByTheProviderItself) {
  const auto found = find_candidates(with_devices(2, 1), "resources_0=SRIOV_NET_VF:1").candidates;
  int sets = 0;
  found.each_choices(uuid_of(2), {"_0"}, [&](const MirrorCandidates::Choices& choices) {
    ++sets;
    ASSERT_EQ(choices.size(), 1U);
    ASSERT_EQ(choices[0].size(), 1U);
    EXPECT_EQ(found.shape().id(choices[0][0].row), 2);
  });
  EXPECT_EQ(sets, 1);
  EXPECT_EQ(found.request_of(uuid_of(2), {{"_0", uuid_of(2)}}), found.request_of(uuid_of(2)));
  EXPECT_EQ(found.request_of(uuid_of(2), {{"_0", uuid_of(3)}}), "");
  EXPECT_EQ(found.request_of(uuid_of(2), {{"_1", uuid_of(2)}}), "");
}

// Each way to serve the groups, as placement would list them.
std::set<std::vector<std::int64_t>> enumerated(const std::vector<std::int64_t>& devices, std::size_t groups) {
  std::set<std::vector<std::int64_t>> all{{}};
  for (std::size_t group = 0; group < groups; ++group) {
    std::set<std::vector<std::int64_t>> longer;
    for (const auto& begun : all) {
      for (std::size_t at = 0; at < devices.size(); ++at) {
        const auto id = static_cast<std::int64_t>(at) + 2;
        if (std::ranges::count(begun, id) >= devices[at]) continue;
        auto next = begun;
        next.push_back(id);
        longer.insert(std::move(next));
      }
    }
    all = std::move(longer);
  }
  return all;
}

TEST(CandidateSearch, OpenGroupsStandForWhatAListWouldHave) {
  unsigned chance = 7;
  const auto draw = [&chance](unsigned bound) { return (chance = chance * 1664525U + 1013904223U) / 65536U % bound; };
  int open = 0;
  for (int round = 0; round < 60; ++round) {
    std::vector<ProviderFact> providers{provider(1, {inventory(vcpu, 8)})};
    std::vector<std::int64_t> devices(4 + draw(3));
    for (std::size_t at = 0; at < devices.size(); ++at) {
      devices[at] = 1 + draw(3);
      providers.push_back(child(static_cast<std::int64_t>(at) + 2, 1, 1, {inventory(network_function, devices[at])}));
    }
    const auto groups = 3 + draw(3);
    const auto found = find_candidates(state_of(std::move(providers)), asking_for_devices(static_cast<int>(groups)));
    std::vector<std::string> suffixes;
    for (unsigned group = 0; group < groups; ++group) suffixes.push_back("_" + std::to_string(group));
    std::set<std::vector<std::int64_t>> all;
    const auto add = [&](auto&& self, const MirrorCandidates::Choices& choices,
                         std::vector<std::int64_t> chosen) -> void {
      if (chosen.size() == choices.size()) {
        EXPECT_TRUE(all.insert(chosen).second) << "a candidate twice";
        return;
      }
      for (const auto& [row, room] : choices[chosen.size()]) {
        const auto id = found.candidates.shape().id(row);
        if (std::ranges::count(chosen, id) >= room) continue;
        auto longer = chosen;
        longer.push_back(id);
        self(self, choices, std::move(longer));
      }
    };
    found.candidates.each_choices(uuid_of(1), suffixes, [&](const MirrorCandidates::Choices& choices) {
      open += choices[0].size() > 1 ? 1 : 0;
      add(add, choices, {});
    });
    EXPECT_EQ(all, enumerated(devices, groups)) << "round " << round;
  }
  EXPECT_GT(open, 50);
}

TEST(CandidateSearch, AFewCandidatesAreListed) {
  const auto found = find_candidates(with_devices(2, 1), asking_for_devices(2)).candidates;
  EXPECT_THAT(choices(found, {"_0", "_1"}), ElementsAre("2:4294967295; 3:4294967295", "3:4294967295; 2:4294967295"));
  EXPECT_THAT(found.request_of(uuid_of(1), {{"_0", uuid_of(3)}}), HasSubstr(R"("_1":[")" + uuid_of(2) + R"("])"));
  EXPECT_THAT(choices(found, {"_2"}), ::testing::IsEmpty()) << "the question has no such group";
}

TEST(CandidateSearch, AnEmptyStateHasNoCandidates) {
  EXPECT_EQ(claimable(state_of({}), "resources=VCPU:1"), "");
  EXPECT_EQ(claimable(state_of({}), "resources=VCPU:1&root_required=%21CUSTOM_GOLD"), "");
}

}  // namespace
}  // namespace gantry::nova::testing
