// SPDX-License-Identifier: Apache-2.0
//
// Claims against answers that are written down.
#include "core/nova/placement/claims.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/encoding/json.hpp"
#include "tests/nova/placement/scripted_placement.hpp"

namespace gantry::nova {
namespace {

using testing::answered;
using testing::conflict;
using ::testing::HasSubstr;
using testing::lost;
using testing::not_sent;
using testing::refused;
using Claimed = ClaimOutcome::Kind;

constexpr const char* request_on_a = R"({"allocations":{"a":{"resources":{"VCPU":1}}},"mappings":{"":["a"]}})";
constexpr const char* request_on_b =
    R"({"allocations":{"b":{"resources":{"VCPU":2}},"shared":{"resources":{"DISK_GB":9}}},"mappings":{"":["b","shared"]}})";
constexpr const char* nothing = R"({"allocations":{}})";
constexpr const char* held_on_a =
    R"({"allocations":{"a":{"generation":7,"resources":{"VCPU":1}}},"consumer_generation":1,"project_id":"p","user_id":"u"})";
constexpr const char* held_on_old = R"({"allocations":{"old":{"generation":3,"resources":{"VCPU":1}},
   "shared":{"generation":4,"resources":{"DISK_GB":5}}},"consumer_generation":4,"project_id":"p","user_id":"u"})";
constexpr const char* consumer = "consumer generation conflict - expected null but got 4";
constexpr const char* race = "Inventory changed while attempting to allocate";

class ClaimsTest : public ::testing::Test {
 protected:
  ClaimOutcome claim(const std::string& request, std::deque<HttpOutcome> script) {
    std::vector<ClaimOutcome> outcomes;
    claims.claim({"c1", request, "p", "u", "req-1"}, deadline, [&](auto outcome) { outcomes.push_back(outcome); });
    placement.run(std::move(script));
    EXPECT_EQ(outcomes.size(), 1U);
    return outcomes.empty() ? ClaimOutcome{} : outcomes.front();
  }
  std::vector<ClaimOutcome> claim_together(int count, std::deque<HttpOutcome> script) {
    std::vector<ClaimRequest> requests;
    for (int i = 1; i <= count; ++i) requests.push_back({"c" + std::to_string(i), request_on_a, "p", "u", ""});
    std::vector<ClaimOutcome> found;
    claims.claim_together(std::move(requests), deadline, [&](auto outcomes) { found = std::move(outcomes); });
    placement.run(std::move(script));
    return found;
  }
  WithdrawOutcome give_back(const ClaimOutcome& held, std::deque<HttpOutcome> script) {
    std::vector<WithdrawOutcome> outcomes;
    claims.give_back({"c1", request_on_a, "p", "u", ""}, held, deadline,
                     [&](auto found) { outcomes.push_back(found); });
    placement.run(std::move(script));
    EXPECT_EQ(outcomes.size(), 1U);
    return outcomes.empty() ? WithdrawOutcome{} : outcomes.front();
  }
  json::value body(std::size_t call) const { return *json::parse(placement.calls.at(call).body); }

  testing::ManualTimers timers;
  testing::ScriptedPlacement placement{timers};
  Clock::time_point deadline = timers.now() + std::chrono::seconds(10);
  ClaimOptions options{.random = [] { return 0.5; }};
  Claims claims{placement, timers, options};
};

TEST_F(ClaimsTest, ANewConsumerIsClaimedWithItsMappingsInOneCall) {
  EXPECT_EQ(claim(request_on_a, {answered(204)}).kind, Claimed::held);
  EXPECT_EQ(placement.verbs(), "PUT");
  EXPECT_EQ(placement.calls[0].target, "/allocations/c1");
  EXPECT_EQ(placement.calls[0].version, "1.36");
  EXPECT_EQ(placement.calls[0].request_id, "req-1");
  EXPECT_EQ(body(0), *json::parse(R"({"allocations":{"a":{"resources":{"VCPU":1}}},"mappings":{"":["a"]},
    "project_id":"p","user_id":"u","consumer_generation":null})"));
}

TEST_F(ClaimsTest, ARefusalComesWithPlacementsWords) {
  const auto outcome =
      claim(request_on_a, {refused(409, "Unable to allocate inventory: no room", "placement.undefined")});
  EXPECT_EQ(outcome.kind, Claimed::refused);
  EXPECT_THAT(outcome.reason, HasSubstr("no room"));
  EXPECT_EQ(outcome.claimed, "");
  EXPECT_EQ(claim(request_on_a, {answered(400, "<html>no JSON</html>")}).kind, Claimed::refused);
}

TEST_F(ClaimsTest, AConsumerThatMovesKeepsWhatItHolds) {
  const auto outcome = claim(request_on_b, {conflict(consumer), answered(200, held_on_old), answered(204)});
  EXPECT_EQ(outcome.kind, Claimed::held);
  EXPECT_EQ(placement.verbs(), "PUT GET PUT");
  EXPECT_EQ(placement.calls[1].version, "1.28");
  EXPECT_EQ(body(2),
            *json::parse(R"({"allocations":{"old":{"resources":{"VCPU":1}},"shared":{"resources":{"DISK_GB":5}},
    "b":{"resources":{"VCPU":2}}},"project_id":"p","user_id":"u","consumer_generation":4})"));
  EXPECT_EQ(outcome.former, R"({"old":{"resources":{"VCPU":1}},"shared":{"resources":{"DISK_GB":5}}})");
}

TEST_F(ClaimsTest, AConsumerThatChangesMeanwhileIsNovasUpdateFailed) {
  const auto outcome = claim(request_on_b, {conflict(consumer), answered(200, held_on_old), conflict(consumer)});
  EXPECT_EQ(outcome.kind, Claimed::consumer_conflict);
  EXPECT_EQ(
      outcome.reason,
      "another process changed the consumer c1 after the report client read the consumer state during the claim ");
}

// A placement that fails between the consumer and its allocations leaves a consumer that no null generation fits.
TEST_F(ClaimsTest, AConsumerThatPlacementLeftWithoutAllocationsIsClaimedAsItWasMade) {
  EXPECT_EQ(claim(request_on_a, {conflict(consumer), answered(200, nothing), conflict(consumer), answered(200, nothing),
                                 answered(204)})
                .kind,
            Claimed::held);
  EXPECT_EQ(placement.verbs(), "PUT GET PUT GET PUT");
  EXPECT_TRUE(body(2).at("consumer_generation").is_null());
  EXPECT_EQ(body(4).at("consumer_generation"), json::value(0));
}

TEST_F(ClaimsTest, AFailureOfPlacementThatLeftAConsumerWithoutAllocationsIsOvercome) {
  std::deque<HttpOutcome> script{answered(500), answered(200, nothing)};
  for (int i = 0; i < 5; ++i) {
    script.push_back(conflict(consumer));
    script.push_back(answered(200, nothing));
  }
  script.push_back(answered(204));
  EXPECT_EQ(claim(request_on_a, std::move(script)).kind, Claimed::held);
  EXPECT_EQ(body(12).at("consumer_generation"), json::value(0));
}

TEST_F(ClaimsTest, AConsumerThatFitsNoGenerationIsNovasUpdateFailed) {
  EXPECT_EQ(claim(request_on_a, {conflict(consumer), answered(200, nothing), conflict(consumer), answered(200, nothing),
                                 conflict(consumer), answered(200, nothing)})
                .kind,
            Claimed::consumer_conflict);
  EXPECT_EQ(placement.verbs(), "PUT GET PUT GET PUT GET");
}

TEST_F(ClaimsTest, PlacementsOwnRacesAreTriedFourTimes) {
  EXPECT_EQ(claim(request_on_a, {conflict(race), conflict(race), conflict(race), answered(204)}).kind, Claimed::held);
  EXPECT_EQ(placement.verbs(), "PUT PUT PUT PUT");
  placement.calls.clear();
  const auto begin = timers.now();
  const auto outcome = claim(request_on_a, {conflict(race)});
  EXPECT_EQ(outcome.kind, Claimed::refused);
  EXPECT_THAT(outcome.reason, HasSubstr(race));
  EXPECT_EQ(placement.verbs(), "PUT PUT PUT PUT");
  // Half of 50, 100 and 200 ms.
  EXPECT_EQ(timers.now() - begin, std::chrono::milliseconds(175));
}

TEST_F(ClaimsTest, ALostAnswerIsLookedUpAndStands) {
  EXPECT_EQ(claim(request_on_a, {lost(), answered(200, held_on_a)}).kind, Claimed::held);
  EXPECT_EQ(placement.verbs(), "PUT GET");
}

TEST_F(ClaimsTest, ALostAnswerIsLookedUpAndSentAgain) {
  EXPECT_EQ(claim(request_on_a, {lost(), answered(200, nothing), answered(204)}).kind, Claimed::held);
  EXPECT_EQ(placement.verbs(), "PUT GET PUT");
}

TEST_F(ClaimsTest, AClaimThatWasUnderWayWhileItWasLookedUpStands) {
  EXPECT_EQ(claim(request_on_a, {lost(), answered(200, nothing), conflict(consumer), answered(200, held_on_a)}).kind,
            Claimed::held);
}

TEST_F(ClaimsTest, AServerErrorIsLookedUpAndMayBeRefusedAfterAll) {
  EXPECT_EQ(claim(request_on_a, {answered(503, "busy"), answered(200, nothing), refused(409, "no room")}).kind,
            Claimed::refused);
}

TEST_F(ClaimsTest, ALostAnswerThatCannotBeLookedUpIsUnknown) {
  const auto outcome = claim(request_on_a, {lost(), not_sent()});
  EXPECT_EQ(outcome.kind, Claimed::unknown);
  EXPECT_EQ(outcome.claimed, R"({"a":{"resources":{"VCPU":1}}})");
  EXPECT_THAT(outcome.reason, HasSubstr("connection refused"));
  EXPECT_LE(timers.now(), deadline);
}

TEST_F(ClaimsTest, ALostAnswerOfAMoveIsLookedUp) {
  const std::string merged = R"({"allocations":{"old":{"resources":{"VCPU":1}},"shared":{"resources":{"DISK_GB":5}},
    "b":{"resources":{"VCPU":2}}},"consumer_generation":5})";
  EXPECT_EQ(claim(request_on_b, {conflict(consumer), answered(200, held_on_old), lost(), answered(200, merged)}).kind,
            Claimed::held);
  EXPECT_EQ(claim(request_on_b,
                  {conflict(consumer), answered(200, held_on_old), lost(), answered(200, held_on_old), answered(204)})
                .kind,
            Claimed::held);
  EXPECT_EQ(
      claim(request_on_b, {conflict(consumer), answered(200, held_on_old), lost(), answered(200, held_on_a)}).kind,
      Claimed::consumer_conflict);
}

TEST_F(ClaimsTest, APlacementThatIsAwayIsAskedUntilTheDeadline) {
  const auto outcome = claim(request_on_a, {not_sent()});
  EXPECT_EQ(outcome.kind, Claimed::not_claimed);
  EXPECT_EQ(outcome.claimed, "");
  EXPECT_LE(timers.now(), deadline);
  EXPECT_GT(placement.calls.size(), 10U);
}

TEST_F(ClaimsTest, ARefusedTokenIsNoRefusalOfThePick) {
  EXPECT_EQ(claim(request_on_a, {answered(401, "")}).kind, Claimed::not_claimed);
  EXPECT_EQ(claim(request_on_a, {answered(403, "")}).kind, Claimed::not_claimed);
  EXPECT_EQ(claim(request_on_a, {answered(404, "<html>")}).kind, Claimed::not_claimed);
  EXPECT_EQ(placement.verbs(), "PUT PUT PUT");
}

TEST_F(ClaimsTest, ALookUpThatIsNoJsonLeavesItUnknown) {
  EXPECT_EQ(claim(request_on_a, {lost(), answered(200, "<html>")}).kind, Claimed::unknown);
}

TEST_F(ClaimsTest, AnAllocationRequestThatIsNoneIsNeverSent) {
  EXPECT_EQ(claim("null", {answered(204)}).kind, Claimed::not_claimed);
  EXPECT_EQ(claim(R"({"allocations":{"a":{"resources":{"VCPU":0}}}})", {answered(204)}).kind, Claimed::not_claimed);
  EXPECT_TRUE(placement.calls.empty());
}

TEST_F(ClaimsTest, AConsumerStaysOneStepOfThePath) {
  EXPECT_EQ(allocations_path("6f70656e-7374-4163-8b20-342065766572"),
            "/allocations/6f70656e-7374-4163-8b20-342065766572");
  EXPECT_EQ(allocations_path("../a b\r\n"), "/allocations/%2E%2E%2Fa%20b%0D%0A");
}

TEST_F(ClaimsTest, SeveralClaimsGoInOneCallAndHoldAsAWhole) {
  const auto outcomes = claim_together(4, {answered(204)});
  ASSERT_EQ(outcomes.size(), 4U);
  for (const auto& outcome : outcomes) EXPECT_EQ(outcome.kind, Claimed::held);
  EXPECT_EQ(placement.verbs(), "POST");
  EXPECT_EQ(placement.calls[0].target, "/allocations");
  EXPECT_EQ(body(0).as_object().size(), 4U);
  EXPECT_TRUE(body(0).as_object().at("c3").as_object().at("consumer_generation").is_null());
  EXPECT_EQ(outcomes[3].claimed, R"({"a":{"resources":{"VCPU":1}}})");
}

TEST_F(ClaimsTest, SeveralClaimsThatAreRefusedAreTriedOneByOneUpToTheFirstRefusal) {
  const auto outcomes = claim_together(3, {refused(409, "no room"), answered(204), refused(409, "no room")});
  ASSERT_EQ(outcomes.size(), 3U);
  EXPECT_EQ(outcomes[0].kind, Claimed::held);
  EXPECT_EQ(outcomes[1].kind, Claimed::refused);
  EXPECT_EQ(outcomes[2].kind, Claimed::not_claimed);
  EXPECT_EQ(placement.verbs(), "POST PUT PUT");
}

TEST_F(ClaimsTest, SeveralClaimsWhoseAnswerWasLostAreLookedUp) {
  const auto outcomes = claim_together(3, {lost(), answered(200, nothing), answered(204), answered(200, held_on_a)});
  ASSERT_EQ(outcomes.size(), 3U);
  for (const auto& outcome : outcomes) EXPECT_EQ(outcome.kind, Claimed::held);
  EXPECT_EQ(placement.verbs(), "POST GET PUT GET GET");
}

TEST_F(ClaimsTest, AConsumersAllocationsAreDeleted) {
  std::vector<WithdrawOutcome::Kind> kinds;
  const auto withdraw = [&](std::deque<HttpOutcome> script) {
    claims.withdraw("c1", "", deadline, [&](const auto& outcome) { kinds.push_back(outcome.kind); });
    placement.run(std::move(script));
  };
  using Withdraw = WithdrawOutcome::Kind;
  withdraw({answered(204)});
  withdraw({answered(404, "{}")});
  withdraw({lost(), answered(404, "{}")});
  withdraw({answered(403, "{}")});
  EXPECT_THAT(kinds,
              ::testing::ElementsAre(Withdraw::withdrawn, Withdraw::nothing, Withdraw::withdrawn, Withdraw::failed));
  EXPECT_EQ(placement.calls[0].version, "");
}

TEST_F(ClaimsTest, AClaimIsGivenBackIfItStillStands) {
  const auto held = claim(request_on_a, {answered(204)});
  placement.calls.clear();
  EXPECT_EQ(give_back(held, {answered(200, held_on_a), answered(204)}).kind, WithdrawOutcome::Kind::withdrawn);
  EXPECT_EQ(placement.verbs(), "GET PUT");
  EXPECT_EQ(body(1), *json::parse(R"({"allocations":{},"project_id":"p","user_id":"u","consumer_generation":1})"));
  EXPECT_EQ(give_back(held, {answered(200, nothing)}).kind, WithdrawOutcome::Kind::nothing);
  EXPECT_EQ(give_back(held, {answered(200, held_on_old)}).kind, WithdrawOutcome::Kind::changed);
  EXPECT_EQ(give_back(held, {answered(200, held_on_a), lost(), answered(200, nothing)}).kind,
            WithdrawOutcome::Kind::withdrawn);
}

TEST_F(ClaimsTest, AMoveThatIsGivenBackLeavesWhatWasHeldBefore) {
  const auto held = claim(request_on_b, {conflict(consumer), answered(200, held_on_old), answered(204)});
  placement.calls.clear();
  const std::string merged = R"({"allocations":{"old":{"resources":{"VCPU":1}},"shared":{"resources":{"DISK_GB":5}},
    "b":{"resources":{"VCPU":2}}},"consumer_generation":5,"project_id":"p","user_id":"u"})";
  EXPECT_EQ(give_back(held, {answered(200, merged), answered(204)}).kind, WithdrawOutcome::Kind::withdrawn);
  EXPECT_EQ(body(1),
            *json::parse(R"({"allocations":{"old":{"resources":{"VCPU":1}},"shared":{"resources":{"DISK_GB":5}}},
    "project_id":"p","user_id":"u","consumer_generation":5})"));
}

TEST_F(ClaimsTest, AClaimOfAnEndedProcessIsTakenUp) {
  std::vector<Claimed> kinds;
  const auto take_up = [&](std::deque<HttpOutcome> script) {
    claims.take_up({"c1", request_on_a, "p", "u", ""}, deadline,
                   [&](const auto& found) { kinds.push_back(found.kind); });
    placement.run(std::move(script));
  };
  take_up({answered(200, held_on_a)});
  take_up({answered(200, nothing), answered(204)});
  EXPECT_THAT(kinds, ::testing::ElementsAre(Claimed::held, Claimed::held));
  EXPECT_EQ(placement.verbs(), "GET GET PUT");
}

}  // namespace
}  // namespace gantry::nova
