// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/encoding/uuid.hpp"
#include "tests/fleet/snapshot.hpp"

namespace gantry::fleet::testing {
namespace {

constexpr double unbounded = std::numeric_limits<double>::quiet_NaN();

class FleetClaims : public ::testing::Test {
 protected:
  FleetClaims() {
    put(fleet_, report("h1", "n1", R"({"vcpus":8,"vcpus_used":2,"memory_mb":1000,"memory_mb_used":100,
                                       "local_gb_used":5,"free_ram_mb":900,"free_disk_gb":95})"));
  }
  json::object row(Nanoseconds now = noon) { return row_of(fleet_.pin(now), "h1", "n1"); }
  std::vector<Claim> report_again(std::string_view stats, Nanoseconds sampled_at) {
    ComputeNode merged;
    ClaimChanges changes;
    fleet_.put_compute_node(report("h1", "n1", stats, sampled_at), merged, changes);
    auto ended = erased_by(changes);
    changes.commit();
    return ended;
  }
  Fleet fleet_{FleetSettings{}};
};

TEST_F(FleetClaims, ClaimsAddToUseAndReduceFreeAmounts) {
  Claim wanted;
  wanted.consumer = text_of(1);
  wanted.items = {{"vcpu", 1, 8}, {"memory_mb", 200, 1500}, {"disk_gb", 10, unbounded}, {"instances", 1, unbounded}};
  wanted.created_at = noon;
  ASSERT_EQ(claim(fleet_, "h1", "n1", wanted), ClaimOutcome::held);
  EXPECT_EQ(row().at("vcpus_used"), 3.0);
  EXPECT_EQ(row().at("memory_mb_used"), 300.0);
  EXPECT_EQ(row().at("local_gb_used"), 15.0);
  EXPECT_EQ(row().at("free_ram_mb"), 700.0);
  EXPECT_EQ(row().at("free_disk_gb"), 85.0);
  EXPECT_EQ(row().at("claims.vcpu"), 1.0);
  EXPECT_EQ(row().at("claims.memory_mb"), 200.0);
  EXPECT_EQ(row().at("claims.disk_gb"), 10.0);
  EXPECT_EQ(row().at("claims.instances"), 1.0);
}

TEST_F(FleetClaims, EndOnceARecordIsNewerAndTheInstanceIsOnTheHost) {
  const auto end_shown = [this](std::string_view host) {
    ClaimChanges changes;
    fleet_.end_shown_claims("compute", host, changes);
    changes.commit();
    return row().at("claims.vcpu");
  };
  ASSERT_EQ(claim(fleet_, "h1", "n1", claim_of(text_of(1), 1, 8)), ClaimOutcome::held);
  const auto record = [](Nanoseconds updated_at) { return report("h1", "n1", R"({"vcpus":8})", updated_at); };
  fleet_.put_instance(instance(1, "h2", ""));
  fleet_.restore_compute_node(record(noon + 1));
  EXPECT_EQ(end_shown("h1"), 1.0) << "the instance is on another host";
  fleet_.put_instance(instance(1, "h1", ""));
  fleet_.restore_compute_node(record(noon - second));
  EXPECT_EQ(end_shown("h1"), 1.0) << "the record is older than the claim";
  fleet_.restore_compute_node(record(noon));
  EXPECT_EQ(end_shown("h3"), 1.0) << "there is no such host";
  EXPECT_EQ(end_shown("h1"), 0.0);
}

TEST(FleetClaimsAndTheClock, AStepOfTheSystemClockEndsNoClaimAndKeepsNone) {
  for (const Nanoseconds step : {3600 * second, -300 * second}) {
    Nanoseconds steps = 0;
    FleetSettings settings;
    settings.clock_steps = [&steps] { return steps; };
    Fleet fleet(settings);
    put(fleet, report("h1", "n1", R"({"vcpus":8,"vcpus_used":0})"));
    ASSERT_EQ(claim(fleet, "h1", "n1", claim_of(text_of(1), 4, 8)), ClaimOutcome::held);
    steps = step;
    ASSERT_EQ(claim(fleet, "h1", "n1", claim_of(text_of(2), 2, 8, noon + 100 * second + step), noon + 100 * second),
              ClaimOutcome::held);
    EXPECT_EQ(row_of(fleet.pin(noon + 600 * second), "h1", "n1").at("claims.vcpu"), 6.0) << step;
    EXPECT_EQ(row_of(fleet.pin(noon + 601 * second), "h1", "n1").at("claims.vcpu"), 2.0) << step;
    EXPECT_EQ(row_of(fleet.pin(noon + 701 * second), "h1", "n1").at("claims.vcpu"), 0.0) << step;
  }
}

TEST_F(FleetClaims, AClaimOfATimeAheadAgesFromTheStartOn) {
  auto ahead = claim_of(text_of(1), 4, 8, noon + 3600 * second);
  ahead.topic = "compute";
  ahead.host = "h1";
  ahead.node = "n1";
  fleet_.load_claim(ahead);
  fleet_.begin(noon + 3600 * second, noon);
  EXPECT_EQ(row(noon + 600 * second).at("claims.vcpu"), 4.0);
  EXPECT_EQ(row(noon + 601 * second).at("claims.vcpu"), 0.0);
}

TEST_F(FleetClaims, UseThatWasNeverReportedStaysNullDespiteClaims) {
  put(fleet_, report("h2", "n2", "{}"));
  ASSERT_EQ(claim(fleet_, "h2", "n2", claim_of(text_of(1), 4, 4)), ClaimOutcome::held);
  const auto shown = row_of(fleet_.pin(noon), "h2", "n2");
  EXPECT_FALSE(shown.contains("vcpus_used"));
  EXPECT_EQ(shown.at("claims.vcpu"), 4.0);
  EXPECT_EQ(claim(fleet_, "h2", "n2", claim_of(text_of(2), 1, 4)), ClaimOutcome::lost);
}

TEST_F(FleetClaims, AdmitsClaimsUpToTheirLimitAndNotBeyond) {
  EXPECT_EQ(claim(fleet_, "h1", "n1", claim_of(text_of(1), 3, 8)), ClaimOutcome::held);
  EXPECT_EQ(claim(fleet_, "h1", "n1", claim_of(text_of(2), 3.5, 8)), ClaimOutcome::lost);
  EXPECT_EQ(claim(fleet_, "h1", "n1", claim_of(text_of(2), 3, 8)), ClaimOutcome::held);
  EXPECT_EQ(claim(fleet_, "h1", "n1", claim_of(text_of(3), 1, unbounded)), ClaimOutcome::held);
  EXPECT_EQ(fleet_.claims().size(), 3u);
}

TEST_F(FleetClaims, AClaimOfANamedResourceIsLostOnceTheRowsDocumentsChanged) {
  report_again(R"({"pci_stats":[{"count":2}]})", noon);
  const auto stale = fleet_.pin(noon);
  const auto devices = [](int consumer, double limit) {
    Claim wanted;
    wanted.consumer = text_of(consumer);
    wanted.items = {{"pci.x", 1, limit}};
    return wanted;
  };
  auto first = devices(1, 2);
  EXPECT_EQ(claim(fleet_, stale, 0, first), ClaimOutcome::held);
  report_again(R"({"running_vms":1})", noon + 1);
  auto second = devices(2, 2);
  EXPECT_EQ(claim(fleet_, stale, 0, second), ClaimOutcome::held);
  release_all(fleet_, text_of(1));
  report_again(R"({"pci_stats":[{"count":1}]})", noon + 2);
  auto third = devices(3, 2);
  EXPECT_EQ(claim(fleet_, stale, 0, third), ClaimOutcome::lost);
  auto of_no_limit = devices(3, unbounded);
  EXPECT_EQ(claim(fleet_, stale, 0, of_no_limit), ClaimOutcome::held);
}

TEST_F(FleetClaims, AClaimOfManyResourcesHoldsAllOrNothing) {
  const auto cpus = [](int consumer, int first) {
    Claim wanted;
    wanted.consumer = text_of(consumer);
    for (int cpu = first; cpu < first + 20; ++cpu) wanted.items.push_back({"numa.cpu." + std::to_string(cpu), 1, 1});
    wanted.items.push_back({"vcpu", 20, 50});
    wanted.created_at = noon;
    return wanted;
  };
  EXPECT_EQ(claim(fleet_, "h1", "n1", cpus(1, 0)), ClaimOutcome::held);
  EXPECT_EQ(claim(fleet_, "h1", "n1", cpus(2, 19)), ClaimOutcome::lost);
  EXPECT_EQ(claim(fleet_, "h1", "n1", cpus(1, 10)), ClaimOutcome::held);  // replaces the consumer's claim
  EXPECT_EQ(claim(fleet_, "h1", "n1", cpus(2, 30)), ClaimOutcome::held);
  EXPECT_EQ(claim(fleet_, "h1", "n1", cpus(3, 50)), ClaimOutcome::lost);  // 2 used and 60 vcpus
  EXPECT_EQ(row().at("claims.numa.cpu.29"), 1.0);
  EXPECT_EQ(row().at("claims.numa.cpu.0"), 0.0);
}

TEST_F(FleetClaims, ChecksAClaimAgainstTheLiveFleetAndNotTheView) {
  const auto stale = fleet_.pin(noon);
  ASSERT_EQ(claim(fleet_, "h1", "n1", claim_of(text_of(1), 6, 8)), ClaimOutcome::held);
  auto second_claim = claim_of(text_of(2), 1, 8);
  EXPECT_EQ(claim(fleet_, stale, 0, second_claim), ClaimOutcome::lost);
}

// Two hosts and a group of five, as requests see them that all began at the same moment.
class FleetClaimsOfAGroup : public FleetClaims {
 protected:
  FleetClaimsOfAGroup() {
    put(fleet_, report("h2", "n2", R"({"vcpus":8})"));
    Group group;
    group.uuid = text_of(100);
    for (std::uint64_t member = 1; member <= 5; ++member) group.members.push_back(text_of(member));
    fleet_.put_group(group);
    begin_ = fleet_.pin(noon);
  }
  ClaimOutcome place(std::uint64_t member, std::uint32_t row, GroupBound bound) {
    bound.group = group_;
    auto wanted = claim_of(text_of(member), 1, unbounded);
    return claim(fleet_, begin_, row, wanted, bound);
  }
  const std::string group_ = text_of(100);
  Moment begin_;
};

TEST_F(FleetClaimsOfAGroup, KeepsMembersApartWhoseRequestsDoNotSeeEachOther) {
  const GroupBound apart{.group = {}, .most_on_a_host = 1};
  EXPECT_EQ(place(1, 0, apart), ClaimOutcome::held);
  EXPECT_EQ(place(2, 0, apart), ClaimOutcome::lost);
  EXPECT_EQ(place(2, 1, apart), ClaimOutcome::held);
  EXPECT_EQ(place(3, 1, apart), ClaimOutcome::lost);
  EXPECT_EQ(place(2, 1, apart), ClaimOutcome::held) << "its own claim is not another's";
  EXPECT_EQ(place(6, 0, apart), ClaimOutcome::lost) << "whoever is no member yet keeps to it too";
}

TEST_F(FleetClaimsOfAGroup, CountsClaimedAndRecordedMembersOfAHost) {
  const GroupBound apart{.group = {}, .most_on_a_host = 2};
  fleet_.put_instance(instance(1, "h1", "n1"));
  EXPECT_EQ(place(2, 0, apart), ClaimOutcome::held);
  EXPECT_EQ(place(3, 0, apart), ClaimOutcome::lost);
}

TEST_F(FleetClaimsOfAGroup, KeepsMembersTogetherWhoseRequestsDoNotSeeEachOther) {
  const GroupBound together{.group = {}, .together = true};
  EXPECT_EQ(place(1, 1, together), ClaimOutcome::held);
  EXPECT_EQ(place(2, 0, together), ClaimOutcome::lost);
  EXPECT_EQ(place(2, 1, together), ClaimOutcome::held);
  EXPECT_EQ(place(1, 1, together), ClaimOutcome::held);
}

TEST_F(FleetClaimsOfAGroup, UsesTheRequestsMembersForAGroupThatTheFleetDoesNotKnow) {
  ASSERT_EQ(place(1, 0, {}), ClaimOutcome::held);
  auto wanted = claim_of(text_of(9), 1, unbounded);
  const std::vector<gantry_uuid> members{*parse_uuid(text_of(1))};
  const GroupBound bound{"a group of the request's own", members, 1, false};
  EXPECT_EQ(claim(fleet_, begin_, 0, wanted, bound), ClaimOutcome::lost);
  EXPECT_EQ(claim(fleet_, begin_, 1, wanted, bound), ClaimOutcome::held);
}

TEST_F(FleetClaims, AClaimWithAnIdAddsToWhatItsConsumerHolds) {
  const auto add = [&](const std::string& id, const std::string& resource, double amount) {
    auto wanted = claim_of(text_of(1), 0, 8);
    wanted.id = id;
    wanted.items = {{resource, amount, 4}};
    return claim(fleet_, "h1", "n1", wanted);
  };
  ASSERT_EQ(claim(fleet_, "h1", "n1", claim_of(text_of(1), 5, 8)), ClaimOutcome::held);
  EXPECT_EQ(add("a", "gpu", 1), ClaimOutcome::held);
  EXPECT_EQ(add("b", "fpga", 2), ClaimOutcome::held);
  EXPECT_EQ(add("c", "gpu", 3), ClaimOutcome::held);
  EXPECT_EQ(add("d", "gpu", 1), ClaimOutcome::lost) << "the consumer's own claims count too";
  EXPECT_EQ(row().at("claims.vcpu"), 5.0);
  EXPECT_EQ(row().at("claims.gpu"), 4.0);
  EXPECT_EQ(row().at("claims.fpga"), 2.0);
  ASSERT_EQ(claim(fleet_, "h1", "n1", claim_of(text_of(1), 6, 8)), ClaimOutcome::held)
      << "a pick replaces a pick alone";
  EXPECT_EQ(row().at("claims.vcpu"), 6.0);
  EXPECT_EQ(row().at("claims.gpu"), 4.0);
  EXPECT_EQ(release_all(fleet_, text_of(1)).size(), 4u);
}

TEST_F(FleetClaims, TheClaimOfAPickSaysWhereAnInstanceIsBeforeAnyOtherClaimOfIt) {
  put(fleet_, report("h2", "n2", R"({"vcpus_used":0})"));
  ASSERT_EQ(claim(fleet_, "h1", "n1", claim_of(text_of(1), 1, 8)), ClaimOutcome::held);
  auto further = claim_of(text_of(1), 1, 8);
  further.id = "attached";
  ASSERT_EQ(claim(fleet_, "h2", "n2", further), ClaimOutcome::held);
  const auto moment = fleet_.pin(noon);
  EXPECT_EQ(moment.locate(*parse_uuid(text_of(1))), moment.row_of("compute", "h1", "n1"));
}

TEST_F(FleetClaims, ASecondPickOfAConsumerOnARowReplacesTheFirst) {
  ASSERT_EQ(claim(fleet_, "h1", "n1", claim_of("0000000A-0000-4000-8000-000000000001", 6, 8)), ClaimOutcome::held);
  ASSERT_EQ(claim(fleet_, "h1", "n1", claim_of("0000000a-0000-4000-8000-000000000001", 5, 8)), ClaimOutcome::held);
  EXPECT_EQ(fleet_.claims().size(), 1u);
  EXPECT_EQ(row().at("claims.vcpu"), 5.0);
}

TEST_F(FleetClaims, AHeldClaimNamesItsRow) {
  const auto moment = fleet_.pin(noon);
  auto wanted = claim_of(text_of(1), 1, 8);
  ASSERT_EQ(claim(fleet_, moment, 0, wanted), ClaimOutcome::held);
  EXPECT_EQ(wanted.topic, "compute");
  EXPECT_EQ(wanted.host, "h1");
  EXPECT_EQ(wanted.node, "n1");
}

TEST_F(FleetClaims, AClaimOnAMovedRowIsHeldOnTheSameHost) {
  put(fleet_, report("h2", "n2", R"({"vcpus_used":0})"));
  const auto stale = fleet_.pin(noon);
  const auto row_of_h2 = *stale.row_of("compute", "h2", "n2");
  fleet_.remove_compute_node("compute", "h1", "n1");
  auto wanted = claim_of(text_of(1), 1, 8);
  ASSERT_EQ(claim(fleet_, stale, row_of_h2, wanted), ClaimOutcome::held);
  EXPECT_EQ(wanted.host, "h2");
}

TEST_F(FleetClaims, AClaimOnARemovedOrRenamedRowFindsNoSuchRow) {
  fleet_.put_service(service("h2"));
  const auto stale = fleet_.pin(noon);
  const auto row_of_h2 = *stale.row_of("compute", "h2", "");
  fleet_.remove_compute_node("compute", "h1", "n1");
  put(fleet_, report("h2", "n2", "{}"));
  put(fleet_, report("h3", "n3", "{}"));
  auto wanted = claim_of(text_of(1), 1, 8);
  EXPECT_EQ(claim(fleet_, stale, 0, wanted), ClaimOutcome::no_such_row);
  EXPECT_EQ(claim(fleet_, stale, row_of_h2, wanted), ClaimOutcome::no_such_row);
  EXPECT_EQ(claim(fleet_, stale, 99, wanted), ClaimOutcome::no_such_row);
  EXPECT_EQ(fleet_.claim(Moment(), *stale.view("compute"), 0, wanted).outcome(), ClaimOutcome::no_such_row);
}

TEST_F(FleetClaims, AReportThatListsTheConsumerEndsItsClaim) {
  ASSERT_EQ(claim(fleet_, "h1", "n1", claim_of(text_of(1), 1, 8)), ClaimOutcome::held);
  ASSERT_EQ(claim(fleet_, "h1", "n1", claim_of(text_of(2), 1, 8)), ClaimOutcome::held);
  const auto ended = report_again(R"({"vcpus_used":3,"instances":[")" + text_of(1) + R"("]})", noon + second);
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(ended[0].consumer, text_of(1));
  EXPECT_EQ(ended[0].host, "h1");
  EXPECT_EQ(row().at("vcpus_used"), 4.0);
}

TEST_F(FleetClaims, TheFirstReportSampledAfterAnInstanceBecameActiveEndsItsClaim) {
  auto building = instance(1, "h1", "n1");
  building.vm_state = "building";
  fleet_.put_instance(building);
  ASSERT_EQ(claim(fleet_, "h1", "n1", claim_of(text_of(1), 1, 8)), ClaimOutcome::held);
  EXPECT_TRUE(report_again("{}", noon + second).empty());
  building.vm_state = "active";
  building.active_at = noon + 2 * second;
  fleet_.put_instance(building);
  EXPECT_TRUE(report_again("{}", noon + 2 * second).empty());
  EXPECT_EQ(report_again("{}", noon + 3 * second).size(), 1u);
  EXPECT_TRUE(fleet_.claims().empty());
}

TEST_F(FleetClaims, AReportDoesNotEndTheClaimOfAnInstanceThatIsActiveElsewhere) {
  auto active = instance(1, "h9", "n9");
  active.active_at = noon;
  fleet_.put_instance(active);
  ASSERT_EQ(claim(fleet_, "h1", "n1", claim_of(text_of(1), 1, 8)), ClaimOutcome::held);
  EXPECT_TRUE(report_again("{}", noon + 3 * second).empty());
  EXPECT_EQ(fleet_.claims().size(), 1u);
}

TEST_F(FleetClaims, AClaimMadeAgainAfterItExpiredIsNotErased) {
  ASSERT_EQ(claim(fleet_, "h1", "n1", claim_of(text_of(1), 1, 8, noon)), ClaimOutcome::held);
  fleet_.pin(noon + 601 * second);
  ASSERT_EQ(claim(fleet_, "h1", "n1", claim_of(text_of(1), 1, 8, noon + 601 * second)), ClaimOutcome::held);
  EXPECT_TRUE(sweep(fleet_, noon + 601 * second).empty());
}

TEST_F(FleetClaims, AnExpiredClaimLeavesTheViewAndIsErasedOnce) {
  ASSERT_EQ(claim(fleet_, "h1", "n1", claim_of(text_of(1), 1, 8, noon)), ClaimOutcome::held);
  EXPECT_EQ(row(noon + 600 * second).at("claims.vcpu"), 1.0);
  EXPECT_TRUE(sweep(fleet_, noon + 600 * second).empty());
  EXPECT_EQ(row(noon + 600 * second + 1).at("claims.vcpu"), 0.0);
  EXPECT_TRUE(fleet_.claims().empty());
  const auto ended = sweep(fleet_, noon + 600 * second + 1);
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(ended[0].consumer, text_of(1));
  EXPECT_EQ(ended[0].node, "n1");
  EXPECT_TRUE(sweep(fleet_, noon + 700 * second).empty());
}

TEST_F(FleetClaims, AClaimDoesNotAgeWhileItsCastWaits) {
  auto waiting = claim_of(text_of(1), 1, 8, noon);
  waiting.cast_waits = true;
  ASSERT_EQ(claim(fleet_, "h1", "n1", waiting), ClaimOutcome::held);
  EXPECT_TRUE(sweep(fleet_, noon + 10'000 * second).empty());
  acknowledge_cast(fleet_, text_of(1), noon + 10'000 * second);
  EXPECT_FALSE(fleet_.claims()[0].cast_waits);
  EXPECT_TRUE(sweep(fleet_, noon + 10'600 * second).empty());
  EXPECT_EQ(sweep(fleet_, noon + 10'600 * second + 1).size(), 1u);
}

TEST_F(FleetClaims, ReleasesAllClaimsOfAConsumerOrAllOfPicksButOne) {
  put(fleet_, report("h2", "n2", "{}"));
  ASSERT_EQ(claim(fleet_, "h1", "n1", claim_of(text_of(1), 1, 8)), ClaimOutcome::held);
  ASSERT_EQ(claim(fleet_, "h2", "n2", claim_of(text_of(1), 1, 8)), ClaimOutcome::held);
  const auto on_h2 = *fleet_.find_claim(text_of(1), "compute", "h2", "n2");
  const auto released = release_all(fleet_, text_of(1), &on_h2);
  ASSERT_EQ(released.size(), 1u);
  EXPECT_EQ(released[0].host, "h1");
  EXPECT_EQ(row().at("claims.vcpu"), 0.0);
  EXPECT_EQ(fleet_.claims().size(), 1u);
  auto of_a_method = claim_of(text_of(1), 1, 8);
  of_a_method.id = "volume";
  ASSERT_EQ(claim(fleet_, "h1", "n1", of_a_method), ClaimOutcome::held);
  EXPECT_TRUE(release_all(fleet_, text_of(1), &on_h2).empty()) << "what a driver claimed is no earlier placement";
  EXPECT_EQ(release_all(fleet_, text_of(1)).size(), 2u);
  EXPECT_TRUE(release_all(fleet_, text_of(1)).empty());
}

TEST_F(FleetClaims, LoadsAnyClaimEvenBeforeItsHostIsKnown) {
  auto kept = claim_of(text_of(1), 100, 1);
  kept.topic = "compute";
  kept.host = "later";
  kept.node = "n";
  fleet_.load_claim(kept);
  fleet_.load_claim(kept);
  EXPECT_EQ(fleet_.claims().size(), 1u);
  put(fleet_, report("later", "n", R"({"vcpus_used":1})"));
  EXPECT_EQ(row_of(fleet_.pin(noon), "later", "n").at("vcpus_used"), 101.0);
  fleet_.remove_compute_node("compute", "later", "n");
  EXPECT_EQ(fleet_.claims().size(), 1u);
}

TEST_F(FleetClaims, SumsDoNotDriftOverAThousandClaimsAndReleases) {
  for (int at = 0; at < 1000; ++at) {
    ASSERT_EQ(claim(fleet_, "h1", "n1", claim_of(text_of(1), 0.1, unbounded)), ClaimOutcome::held);
    ASSERT_EQ(claim(fleet_, "h1", "n1", claim_of(text_of(2), 0.7, unbounded)), ClaimOutcome::held);
    release_all(fleet_, text_of(1));
  }
  EXPECT_EQ(row().at("claims.vcpu"), 0.7);
  release_all(fleet_, text_of(2));
  EXPECT_EQ(row().at("claims.vcpu"), 0.0);
  EXPECT_EQ(row().at("vcpus_used"), 2.0);
}

TEST_F(FleetClaims, OfAbsurdSizeDoNotHold) {
  EXPECT_EQ(claim(fleet_, "h1", "n1", claim_of(text_of(1), 1e308, unbounded)), ClaimOutcome::lost);
  EXPECT_EQ(claim(fleet_, "h1", "n1", claim_of(text_of(2), 1e18, unbounded)), ClaimOutcome::held);
  EXPECT_EQ(claim(fleet_, "h1", "n1", claim_of(text_of(3), -1, unbounded)), ClaimOutcome::lost);
  EXPECT_EQ(snapshot(fleet_.pin(noon)).size(), 1u);
}

}  // namespace
}  // namespace gantry::fleet::testing
