// SPDX-License-Identifier: Apache-2.0
//
// Claims whose request fails, claims whose store transaction fails, and claims that several transactions change at
// once.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/fleet/claims/claim_changes.hpp"
#include "core/fleet/claims/claim_ticket.hpp"
#include "tests/fleet/snapshot.hpp"

namespace gantry::fleet::testing {
namespace {

class ClaimsUnderWay : public ::testing::Test {
 protected:
  ClaimsUnderWay() { put(fleet_, report("h1", "n1", R"({"vcpus":8,"vcpus_used":0})")); }

  ClaimTicket try_claim(std::uint64_t consumer, double vcpu, double limit = 8) {
    const auto moment = fleet_.pin(noon);
    return fleet_.claim(moment, *moment.view("compute"), 0, claim_of(text_of(consumer), vcpu, limit));
  }
  ClaimChanges confirmed(std::uint64_t consumer, double vcpu) {
    auto ticket = try_claim(consumer, vcpu);
    ClaimChanges changes;
    EXPECT_TRUE(ticket.confirm(changes));
    return changes;
  }
  // A claim as the store has it.
  void hold(std::uint64_t consumer, double vcpu, bool cast_waits = false) {
    auto claim = claim_of(text_of(consumer), vcpu, 8);
    claim.topic = "compute";
    claim.host = "h1";
    claim.node = "n1";
    claim.durable = claim.cast_waits = cast_waits;
    fleet_.load_claim(claim);
  }
  ClaimChanges reported(std::uint64_t consumer) {
    ClaimChanges changes;
    ComputeNode merged;
    fleet_.put_compute_node(report("h1", "n1", R"({"instances":[")" + text_of(consumer) + R"("]})"), merged, changes);
    return changes;
  }
  ClaimChanges released(std::uint64_t consumer) {
    ClaimChanges changes;
    fleet_.release_claims(text_of(consumer), changes);
    return changes;
  }
  ClaimChanges acknowledged(std::uint64_t consumer, Nanoseconds now) {
    ClaimChanges changes;
    fleet_.acknowledge_cast(text_of(consumer), now, changes);
    return changes;
  }
  ClaimChanges swept(Nanoseconds now) {
    ClaimChanges changes;
    fleet_.sweep_claims(now, changes);
    return changes;
  }
  double claimed() { return row_of(fleet_.pin(noon), "h1", "n1").at("claims.vcpu").as_double(); }
  static std::vector<Claim> stored_by(const ClaimChanges& changes) {
    std::vector<Claim> stored;
    for (const auto& step : changes.steps()) {
      if (step.write == ClaimWrite::store) stored.push_back(step.claim);
    }
    return stored;
  }

  Fleet fleet_{FleetSettings{}};
};

TEST_F(ClaimsUnderWay, ATicketGivesItsClaimBackAtItsEnd) {
  {
    const auto ticket = try_claim(1, 2);
    ASSERT_TRUE(ticket);
    EXPECT_EQ(ticket.claim().node, "n1");
    EXPECT_EQ(claimed(), 2.0);
  }
  EXPECT_EQ(claimed(), 0.0);
}

TEST_F(ClaimsUnderWay, AMovedTicketTakesItsClaimAlong) {
  ClaimTicket kept;
  {
    auto ticket = try_claim(1, 2);
    kept = std::move(ticket);
  }
  EXPECT_EQ(claimed(), 2.0);
  kept = try_claim(2, 3);
  EXPECT_EQ(claimed(), 3.0);
}

TEST_F(ClaimsUnderWay, ATicketIsConfirmedOnlyWhileItsClaimIsThereAndFits) {
  auto first = try_claim(1, 2);
  auto second = try_claim(1, 2);
  ClaimChanges changes;
  EXPECT_FALSE(first.confirm(changes)) << "the second claim has replaced it";
  EXPECT_TRUE(changes.empty());
  hold(2, 8);
  EXPECT_FALSE(second.confirm(changes)) << "there is no room for it any more";
  release_all(fleet_, text_of(2));
  EXPECT_TRUE(second.confirm(changes));
  changes.commit();
  auto third = try_claim(1, 1);
  release_all(fleet_, text_of(1));
  EXPECT_FALSE(third.confirm(changes)) << "it has been released";
}

TEST_F(ClaimsUnderWay, GivingATicketBackHoldsTheReplacedClaimAgain) {
  hold(1, 5, true);
  {
    const auto ticket = try_claim(1, 2);
    EXPECT_TRUE(fleet_.claims()[0].durable && fleet_.claims()[0].cast_waits);
    EXPECT_EQ(claimed(), 2.0);
  }
  EXPECT_EQ(claimed(), 5.0);
}

TEST_F(ClaimsUnderWay, APickInPlaceOfAClaimThatEndsDoesNotWaitForItsCast) {
  hold(1, 5, true);
  auto release = released(1);
  auto picked = confirmed(1, 2);
  picked.commit();
  release.commit();
  ASSERT_EQ(fleet_.claims().size(), 1u);
  EXPECT_FALSE(fleet_.claims()[0].cast_waits) << "the cast went with the claim that it was for";
  EXPECT_FALSE(fleet_.claims()[0].durable);
  EXPECT_EQ(swept(noon + 601 * second).steps().size(), 1u) << "and so it expires";
}

TEST_F(ClaimsUnderWay, APickThatWasTriedBeforeTheReleaseDoesNotWaitForTheWithdrawnCastEither) {
  hold(1, 5, true);
  auto picked = try_claim(1, 2);
  auto release = released(1);
  ClaimChanges confirmed;
  ASSERT_TRUE(picked.confirm(confirmed));
  confirmed.commit();
  release.commit();
  ASSERT_EQ(fleet_.claims().size(), 1u);
  EXPECT_FALSE(fleet_.claims()[0].cast_waits);
}

TEST_F(ClaimsUnderWay, APickInPlaceOfAClaimWhoseReleaseFailsWaitsForItsCastAfterAll) {
  hold(1, 5, true);
  auto release = released(1);
  auto picked = confirmed(1, 2);
  picked.retry_later();
  release.roll_back();
  ASSERT_EQ(fleet_.claims().size(), 1u);
  EXPECT_TRUE(fleet_.claims()[0].cast_waits);
  EXPECT_TRUE(fleet_.claims()[0].durable);
  const auto again = stored_by(swept(noon + 10'000 * second));
  ASSERT_EQ(again.size(), 1u);
  EXPECT_TRUE(again[0].cast_waits);
}

TEST_F(ClaimsUnderWay, AClaimWithAnIdIsGivenBackAndRolledBackByItself) {
  hold(1, 5);
  const auto moment = fleet_.pin(noon);
  const auto add = [&](const std::string& id) {
    auto further = claim_of(text_of(1), 1, 8);
    further.id = id;
    return fleet_.claim(moment, *moment.view("compute"), 0, further);
  };
  auto first = add("first");
  auto second = add("second");
  EXPECT_EQ(claimed(), 7.0);
  ClaimChanges changes;
  ASSERT_TRUE(second.confirm(changes));
  first.give_back();
  EXPECT_EQ(claimed(), 6.0);
  changes.roll_back();
  EXPECT_EQ(claimed(), 5.0);
  EXPECT_FALSE(add("too much") && add("far too much") && add("beyond the limit") && add("of eight"));
}

TEST_F(ClaimsUnderWay, AReplacedTicketDoesNotComeBackWithTheClaimThatReplacedIt) {
  auto first = try_claim(1, 2);
  auto second = try_claim(1, 3);
  first.give_back();
  EXPECT_EQ(claimed(), 3.0);
  second.give_back();
  EXPECT_EQ(claimed(), 0.0);
}

TEST_F(ClaimsUnderWay, AClaimGivenBackAfterAReportEndedItDoesNotReturnWithTheReport) {
  hold(1, 5);
  auto ticket = try_claim(1, 2);
  auto report = reported(1);
  ClaimChanges changes;
  EXPECT_FALSE(ticket.confirm(changes));
  ticket.give_back();
  EXPECT_EQ(claimed(), 0.0);
  report.roll_back();
  EXPECT_EQ(claimed(), 5.0) << "the store still has the claim that the ticket had replaced";
}

TEST_F(ClaimsUnderWay, AConfirmedTicketOverrulesAReleaseUnderWay) {
  auto ticket = try_claim(1, 2);
  auto release = released(1);
  ClaimChanges changes;
  EXPECT_TRUE(ticket.confirm(changes));
  release.commit();
  EXPECT_EQ(claimed(), 2.0);
  changes.commit();
  release_all(fleet_, text_of(1));
  EXPECT_EQ(claimed(), 0.0);
}

TEST_F(ClaimsUnderWay, ConfirmsTheLastOfTwoClaimsOfARequestInOnePlace) {
  std::vector<ClaimTicket> tickets;
  tickets.push_back(try_claim(1, 2));
  tickets.emplace_back();
  tickets.push_back(try_claim(1, 3));
  ClaimChanges changes;
  EXPECT_EQ(confirm_all(tickets, changes), nullptr);
  EXPECT_EQ(stored_by(changes).size(), 1u);
  changes.roll_back();
  EXPECT_TRUE(fleet_.claims().empty());
}

TEST_F(ClaimsUnderWay, NamesTheClaimThatCouldNotBeConfirmed) {
  std::vector<ClaimTicket> tickets;
  tickets.push_back(try_claim(1, 2));
  tickets.push_back(try_claim(2, 2));
  release_all(fleet_, text_of(2));
  {
    ClaimChanges changes;
    const auto* lost = confirm_all(tickets, changes);
    ASSERT_NE(lost, nullptr);
    EXPECT_EQ(lost->consumer, text_of(2));
  }
  EXPECT_TRUE(fleet_.claims().empty()) << "the changes were rolled back at their end";
}

TEST_F(ClaimsUnderWay, ChangesAreRolledBackAtTheirEndUnlessCommitted) {
  { const auto lost = confirmed(1, 2); }
  EXPECT_EQ(claimed(), 0.0);
  auto kept = confirmed(1, 2);
  kept.commit();
  kept.roll_back();
  EXPECT_EQ(claimed(), 2.0);
}

TEST_F(ClaimsUnderWay, ARolledBackConfirmationHoldsTheReplacedClaimAgain) {
  hold(1, 5);
  auto changes = confirmed(1, 2);
  EXPECT_EQ(claimed(), 2.0);
  changes.roll_back();
  EXPECT_EQ(claimed(), 5.0);
}

TEST_F(ClaimsUnderWay, AReleaseFreesItsRoomOnlyWhenCommitted) {
  hold(1, 8);
  auto release = released(1);
  EXPECT_FALSE(try_claim(2, 1));
  release.commit();
  EXPECT_TRUE(try_claim(2, 1));
}

TEST_F(ClaimsUnderWay, ARolledBackReleaseHoldsItsClaimsAgain) {
  hold(1, 8, true);
  auto first = released(1);
  auto second = released(1);
  EXPECT_TRUE(acknowledged(1, noon).empty()) << "a claim that is being erased must not be stored";
  second.roll_back();
  EXPECT_TRUE(acknowledged(1, noon).empty()) << "the first release is still under way";
  first.roll_back();
  EXPECT_EQ(stored_by(acknowledged(1, noon)).size(), 1u);
  EXPECT_EQ(claimed(), 8.0);
}

TEST_F(ClaimsUnderWay, ARolledBackReportHoldsItsEndedClaimsAgain) {
  hold(1, 5);
  auto report = reported(1);
  EXPECT_EQ(erased_by(report).size(), 1u);
  EXPECT_EQ(claimed(), 0.0);
  report.roll_back();
  EXPECT_EQ(claimed(), 5.0);
  reported(1).commit();
  EXPECT_EQ(claimed(), 0.0);
}

TEST_F(ClaimsUnderWay, AReportAndTheConfirmationBeforeItAreUndoneInReverseOrder) {
  hold(1, 5);
  auto changes = confirmed(1, 2);
  auto report = reported(1);
  report.roll_back();
  EXPECT_EQ(claimed(), 2.0);
  changes.roll_back();
  EXPECT_EQ(claimed(), 5.0);
}

TEST_F(ClaimsUnderWay, AnEndedClaimReturnsBelowANewerOne) {
  hold(1, 5);
  auto report = reported(1);
  auto ticket = try_claim(1, 2);
  report.roll_back();
  EXPECT_EQ(claimed(), 2.0);
  ticket.give_back();
  EXPECT_EQ(claimed(), 5.0);
}

TEST_F(ClaimsUnderWay, ARolledBackAcknowledgementLetsTheClaimWaitForItsCastAgain) {
  hold(1, 5, true);
  auto acknowledgement = acknowledged(1, noon + 5);
  ASSERT_EQ(stored_by(acknowledgement).size(), 1u);
  EXPECT_FALSE(stored_by(acknowledgement)[0].cast_waits);
  EXPECT_EQ(fleet_.claims().at(0).created_at, noon + 5);
  acknowledgement.roll_back();
  EXPECT_TRUE(fleet_.claims().at(0).cast_waits);
  EXPECT_EQ(fleet_.claims().at(0).created_at, noon);
  EXPECT_TRUE(swept(noon + 10'000 * second).empty()) << "a claim whose cast waits does not age";
}

TEST_F(ClaimsUnderWay, AnAcknowledgementDoesNotStoreTheClaimOfARequestUnderWay) {
  hold(1, 5, true);
  auto ticket = try_claim(1, 2);
  auto acknowledgement = acknowledged(1, noon + 5);
  ASSERT_EQ(stored_by(acknowledgement).size(), 1u);
  EXPECT_EQ(stored_by(acknowledgement)[0].items.at(0).amount, 5.0) << "the store has the claim before";
  acknowledgement.commit();
  ClaimChanges changes;
  ASSERT_TRUE(ticket.confirm(changes));
  EXPECT_FALSE(stored_by(changes).at(0).cast_waits) << "no cast waits any more";
}

TEST_F(ClaimsUnderWay, AClaimThatFailedToBeStoredIsStoredByTheNextSweep) {
  auto changes = confirmed(1, 2);
  changes.retry_later();
  EXPECT_EQ(claimed(), 2.0);
  auto first = swept(noon);
  EXPECT_EQ(stored_by(first).size(), 1u);
  first.roll_back();
  auto again = swept(noon);
  EXPECT_EQ(stored_by(again).size(), 1u);
  again.commit();
  EXPECT_TRUE(swept(noon).empty());
}

TEST_F(ClaimsUnderWay, AnUnstoredClaimIsNotStoredWhileAReleaseErasesIt) {
  confirmed(1, 2).retry_later();
  auto release = released(1);
  EXPECT_TRUE(swept(noon).empty());
  release.roll_back();
  EXPECT_EQ(stored_by(swept(noon)).size(), 1u);
}

TEST_F(ClaimsUnderWay, AnExpiredClaimIsErasedAgainUntilTheStoreFollows) {
  hold(1, 5);
  const auto late = noon + 601 * second;
  auto sweep = swept(late);
  ASSERT_EQ(erased_by(sweep).size(), 1u);
  sweep.roll_back();
  EXPECT_TRUE(fleet_.claims().empty());
  EXPECT_EQ(erased_by(swept(late)).size(), 1u);
}

TEST_F(ClaimsUnderWay, AnExpiredClaimIsNotErasedOnceAnotherHasItsPlace) {
  hold(1, 5);
  const auto late = noon + 601 * second;
  auto failed = swept(late);
  hold(1, 3);
  failed.roll_back();
  EXPECT_TRUE(erased_by(swept(noon)).empty());
}

TEST_F(ClaimsUnderWay, AConfirmationErasesTheDocumentUnderTheKeyWithoutANode) {
  fleet_.put_service(service("h2"));
  auto before = claim_of(text_of(1), 1, 8);
  before.topic = "compute";
  before.host = "h2";
  fleet_.load_claim(before);
  put(fleet_, report("h2", "n2", "{}"));
  const auto moment = fleet_.pin(noon);
  auto ticket =
      fleet_.claim(moment, *moment.view("compute"), *moment.row_of("compute", "h2", "n2"), claim_of(text_of(1), 2, 8));
  ClaimChanges changes;
  ASSERT_TRUE(ticket.confirm(changes));
  ASSERT_EQ(erased_by(changes).size(), 1u);
  EXPECT_EQ(erased_by(changes)[0].node, "");
  changes.roll_back();
  EXPECT_EQ(fleet_.claims().at(0).node, "");
}

// Claims of one consumer on two nodes of a host whose records were removed both: the host's one row has both.
class ClaimsOfTwoRemovedNodes : public ClaimsUnderWay {
 protected:
  ClaimsOfTwoRemovedNodes() {
    fleet_.put_service(service("h2"));
    for (const std::string node : {"n1", "n2"}) {
      auto claim = claim_of(text_of(1), 3, 8);
      claim.topic = "compute";
      claim.host = "h2";
      claim.node = node;
      claim.durable = claim.cast_waits = true;
      fleet_.load_claim(claim);
    }
  }
  ClaimTicket pick(double vcpu) {
    const auto moment = fleet_.pin(noon);
    return fleet_.claim(moment, *moment.view("compute"), *moment.row_of("compute", "h2", ""),
                        claim_of(text_of(1), vcpu, 8));
  }
  double claimed() { return row_of(fleet_.pin(noon), "h2", "").at("claims.vcpu").as_double(); }
  std::vector<std::string> nodes() {
    std::vector<std::string> nodes;
    for (const auto& claim : fleet_.claims()) nodes.push_back(claim.node);
    std::sort(nodes.begin(), nodes.end());
    return nodes;
  }
};

TEST_F(ClaimsOfTwoRemovedNodes, BothCountUntilAPickReplacesBoth) {
  EXPECT_EQ(claimed(), 6.0);
  auto ticket = pick(8);
  ASSERT_EQ(ticket.outcome(), ClaimOutcome::held) << "neither takes the room of the claim that replaces it";
  EXPECT_EQ(claimed(), 8.0);
  ClaimChanges changes;
  ASSERT_TRUE(ticket.confirm(changes));
  EXPECT_EQ(erased_by(changes).size(), 2u);
  ASSERT_EQ(stored_by(changes).size(), 1u);
  EXPECT_TRUE(stored_by(changes)[0].durable);
  changes.commit();
  EXPECT_EQ(nodes(), std::vector<std::string>{""});
}

TEST_F(ClaimsOfTwoRemovedNodes, BothComeBackOnceThePicksThatReplacedThemAreGone) {
  auto first = pick(4);
  auto second = pick(5);
  first.give_back();
  EXPECT_EQ(claimed(), 5.0);
  ClaimChanges changes;
  ASSERT_TRUE(second.confirm(changes));
  changes.roll_back();
  EXPECT_EQ(nodes(), (std::vector<std::string>{"n1", "n2"}));
  EXPECT_EQ(claimed(), 6.0);
}

TEST_F(ClaimsOfTwoRemovedNodes, ComeBackWhereTheirNodesAreReportedAgain) {
  { const auto ticket = pick(4); }
  put(fleet_, report("h2", "n1", "{}"));
  put(fleet_, report("h2", "n2", "{}"));
  const auto moment = fleet_.pin(noon);
  EXPECT_EQ(row_of(moment, "h2", "n1").at("claims.vcpu"), 3.0);
  EXPECT_EQ(row_of(moment, "h2", "n2").at("claims.vcpu"), 3.0);
}

TEST_F(ClaimsOfTwoRemovedNodes, AreBothStoredByAnAcknowledgementWhileAPickIsUnderWay) {
  const auto ticket = pick(4);
  auto acknowledgement = acknowledged(1, noon + 5);
  EXPECT_EQ(stored_by(acknowledgement).size(), 2u);
}

TEST_F(ClaimsOfTwoRemovedNodes, NoDocumentStaysOfAClaimThatManyPicksHaveReplaced) {
  std::vector<ClaimTicket> tickets;
  for (int count = 0; count < 6; ++count) tickets.push_back(pick(4));
  ClaimChanges changes;
  ASSERT_TRUE(tickets.back().confirm(changes));
  EXPECT_EQ(erased_by(changes).size(), 2u);
}

}  // namespace
}  // namespace gantry::fleet::testing
