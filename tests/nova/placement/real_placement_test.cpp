// SPDX-License-Identifier: Apache-2.0
//
// Candidates and claims with the real placement, which serve_placement.py serves. Skipped where it is not installed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "core/encoding/json.hpp"
#include "core/encoding/uuid.hpp"
#include "core/nova/placement/allocations.hpp"
#include "core/nova/placement/candidate_questions.hpp"
#include "core/nova/placement/claims.hpp"
#include "core/nova/placement/placement_service.hpp"
#include "tests/nova/http/waiting_client.hpp"
#include "tests/nova/placement/placement_process.hpp"
#include "tests/support/scratch_directory.hpp"

namespace gantry::nova {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;
using Freshness = CandidateQuestions::Freshness;
using Held = ClaimOutcome::Kind;

// All that one scheduler has of placement.
struct Scheduler {
  Scheduler(const Strand& strand, const std::string& url)
      : login({url, "admin"}),
        timers(strand),
        service(strand, login, {}),
        questions(service, timers, {}),
        claims(service, timers, {}) {}
  StaticLogin login;
  AsioTimers timers;
  PlacementService service;
  CandidateQuestions questions;
  Claims claims;
};

class RealPlacement : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!placement.start()) GTEST_SKIP() << "python3-placement is not installed: packaging/install-packages --nova";
    thread.run([this] { scheduler.emplace(thread.strand(), placement.url()); });
  }
  void TearDown() override {
    thread.run([this] { scheduler.reset(); });
  }

  HttpOutcome call(const std::string& verb, const std::string& target, const std::string& body = "") {
    return thread.wait<HttpOutcome>([&](auto done) {
      scheduler->service.call({verb, target, "1.36", body, "", deadline()}, done);
    });
  }
  // A compute node with room for so many instances of one VCPU.
  std::string add_host(int vcpus) {
    const std::string uuid = to_text(random_uuid());
    EXPECT_EQ(call("POST", "/resource_providers", R"({"name":")" + uuid + R"(","uuid":")" + uuid + R"("})").status,
              200U);
    EXPECT_EQ(call("PUT", "/resource_providers/" + uuid + "/inventories",
                   R"({"resource_provider_generation":0,"inventories":{"VCPU":{"total":)" + std::to_string(vcpus) +
                       R"(},"MEMORY_MB":{"total":1024}}})")
                  .status,
              200U);
    return uuid;
  }
  int used(const std::string& host) {
    const auto body = json::parse_object(call("GET", "/resource_providers/" + host + "/usages").body);
    return static_cast<int>(json::find_integer(*json::find_object(*body, "usages"), "VCPU").value_or(-1));
  }
  CandidateAnswer ask(const std::string& query, Freshness freshness = Freshness::anew) {
    return thread.wait<CandidateAnswer>([&](auto done) {
      scheduler->questions.ask({query, "req-1", freshness, deadline()}, done);
    });
  }
  static ClaimRequest request_for(const std::string& request) {
    return {to_text(random_uuid()), request, "project", "user", ""};
  }
  ClaimRequest request_on(const std::string& host, int vcpus = 1) {
    return request_for(R"({"allocations":{")" + host + R"(":{"resources":{"VCPU":)" + std::to_string(vcpus) +
                       R"(}}},"mappings":{"":[")" + host + R"("]}})");
  }
  ClaimOutcome claim(const ClaimRequest& request, seconds patience = seconds(60)) {
    return thread.wait<ClaimOutcome>(
        [&](auto done) { scheduler->claims.claim(request, Clock::now() + patience, done); });
  }
  std::vector<ClaimOutcome> claim_together(const std::vector<ClaimRequest>& requests) {
    return thread.wait<std::vector<ClaimOutcome>>(
        [&](auto done) { scheduler->claims.claim_together(requests, deadline(), done); });
  }
  json::object held(const std::string& consumer) {
    return read_held_allocations(call("GET", "/allocations/" + consumer).body)->allocations;
  }
  static Clock::time_point deadline() { return Clock::now() + seconds(60); }

  support::ScratchDirectory directory;
  testing::PlacementProcess placement{directory.path("placement.db")};
  testing::StrandThread thread;
  std::optional<Scheduler> scheduler;
};

TEST_F(RealPlacement, HasTheMicroversions) {
  const auto words = thread.wait<std::string>([&](auto done) {
    check_microversions(scheduler->service, deadline(),
                        [done](const auto& found) { done(found ? "fine" : found.error().message); });
  });
  EXPECT_EQ(words, "fine");
}

TEST_F(RealPlacement, CandidatesAreClaimedAndASecondClaimFindsNoRoom) {
  const auto small = add_host(1);
  const auto large = add_host(8);
  const auto answer = ask("limit=1000&resources=VCPU%3A1");
  ASSERT_EQ(answer.kind, CandidateAnswer::Kind::found) << answer.reason;
  EXPECT_EQ(answer.candidates->claimable_count(), 2U);
  EXPECT_TRUE(answer.candidates->is_seen(large));
  const std::string wanted(answer.candidates->requests_of(small).front());
  const auto first = request_for(wanted);
  EXPECT_EQ(claim(first).kind, Held::held);
  EXPECT_EQ(used(small), 1);
  const auto second = claim(request_for(wanted));
  EXPECT_EQ(second.kind, Held::refused);
  EXPECT_THAT(second.reason, HasSubstr("Unable to allocate inventory"));
  EXPECT_FALSE(ask("limit=1000&resources=VCPU%3A1").candidates->is_claimable(small));
  const auto given = thread.wait<WithdrawOutcome>(
      [&](auto done) { scheduler->claims.withdraw(first.consumer, "", deadline(), done); });
  EXPECT_EQ(given.kind, WithdrawOutcome::Kind::withdrawn);
  EXPECT_EQ(used(small), 0);
  const auto again = thread.wait<WithdrawOutcome>(
      [&](auto done) { scheduler->claims.withdraw(first.consumer, "", deadline(), done); });
  EXPECT_EQ(again.kind, WithdrawOutcome::Kind::nothing);
}

TEST_F(RealPlacement, AnUnknownTraitIsRefusedWithPlacementsWords) {
  add_host(1);
  const auto answer = ask("resources=VCPU%3A1&root_required=%21CUSTOM_NOPE");
  EXPECT_EQ(answer.kind, CandidateAnswer::Kind::refused);
  EXPECT_THAT(answer.reason, HasSubstr("No such trait(s): CUSTOM_NOPE"));
  EXPECT_EQ(ask("resources=VCPU%3A99").kind, CandidateAnswer::Kind::found);
}

TEST_F(RealPlacement, TwoSchedulersRaceForTheLastPlaceAndOneHoldsIt) {
  std::optional<Scheduler> other;
  thread.run([&] { other.emplace(thread.strand(), placement.url()); });
  for (int round = 0; round < 10; ++round) {
    const auto host = add_host(1);
    const auto request = request_on(host);
    auto rival = request;
    rival.consumer = to_text(random_uuid());
    auto mine = thread.begin<ClaimOutcome>([&](auto done) { scheduler->claims.claim(request, deadline(), done); });
    auto theirs = thread.begin<ClaimOutcome>([&](auto done) { other->claims.claim(rival, deadline(), done); });
    const auto one = mine.get();
    const auto two = theirs.get();
    EXPECT_NE(one.is_held(), two.is_held()) << one.reason << two.reason;
    EXPECT_EQ((one.is_held() ? two : one).kind, Held::refused);
    EXPECT_EQ(used(host), 1);
  }
  thread.run([&] { other.reset(); });
}

TEST_F(RealPlacement, AnInstanceThatMovesHoldsBothHostsUntilItIsGivenBack) {
  const auto source = add_host(4);
  const auto target = add_host(4);
  const auto at_source = request_on(source);
  ASSERT_EQ(claim(at_source).kind, Held::held);
  auto at_target = request_on(target, 2);
  at_target.consumer = at_source.consumer;
  const auto moved = claim(at_target);
  ASSERT_EQ(moved.kind, Held::held) << moved.reason;
  EXPECT_EQ(used(source), 1);
  EXPECT_EQ(used(target), 2);
  EXPECT_EQ(claim(at_target).kind, Held::held);
  const auto given =
      thread.wait<WithdrawOutcome>([&](auto done) { scheduler->claims.give_back(at_target, moved, deadline(), done); });
  EXPECT_EQ(given.kind, WithdrawOutcome::Kind::withdrawn) << given.reason;
  EXPECT_EQ(used(source), 1);
  EXPECT_EQ(used(target), 0);
}

TEST_F(RealPlacement, AClaimIsGivenBackOnlyWhileItStands) {
  const auto host = add_host(4);
  const auto request = request_on(host);
  const auto stood = claim(request);
  ASSERT_EQ(stood.kind, Held::held);
  const auto give_back = [&] {
    return thread.wait<WithdrawOutcome>(
        [&](auto done) { scheduler->claims.give_back(request, stood, deadline(), done); });
  };
  EXPECT_EQ(give_back().kind, WithdrawOutcome::Kind::withdrawn);
  EXPECT_EQ(used(host), 0);
  EXPECT_EQ(give_back().kind, WithdrawOutcome::Kind::nothing);
  auto larger = request_on(host, 3);
  larger.consumer = request.consumer;
  ASSERT_EQ(claim(larger).kind, Held::held);
  EXPECT_EQ(give_back().kind, WithdrawOutcome::Kind::changed);
  EXPECT_EQ(used(host), 3);
}

TEST_F(RealPlacement, SeveralClaimsHoldAsAWholeOrGoOneByOneUpToTheRefusedOne) {
  const auto large = add_host(64);
  std::vector<ClaimRequest> requests;
  for (int i = 0; i < 10; ++i) requests.push_back(request_on(large));
  for (const auto& outcome : claim_together(requests)) EXPECT_EQ(outcome.kind, Held::held) << outcome.reason;
  EXPECT_EQ(used(large), 10);
  const auto full = add_host(1);
  requests.clear();
  for (int i = 0; i < 6; ++i) requests.push_back(request_on(i == 3 ? full : large));
  requests[3].allocation_request = request_on(full, 2).allocation_request;
  const auto outcomes = claim_together(requests);
  for (std::size_t i = 0; i < outcomes.size(); ++i)
    EXPECT_EQ(outcomes[i].kind, i < 3 ? Held::held : (i == 3 ? Held::refused : Held::not_claimed))
        << i << outcomes[i].reason;
  EXPECT_EQ(used(large), 13);
  EXPECT_EQ(used(full), 0);
}

TEST_F(RealPlacement, ALostAnswerOfAClaimIsLookedUp) {
  const auto host = add_host(4);
  for (int count = 1; count <= 2; ++count) {
    placement.stop();
    ASSERT_TRUE(placement.start({"--lose-answer-of", "1"}));
    std::vector<ClaimRequest> requests{request_on(host)};
    if (count == 1) {
      EXPECT_EQ(claim(requests[0]).kind, Held::held);
      EXPECT_EQ(used(host), 1);
    } else {
      for (int i = 1; i < 3; ++i) requests.push_back(request_on(host));
      for (const auto& outcome : claim_together(requests)) EXPECT_EQ(outcome.kind, Held::held) << outcome.reason;
      EXPECT_EQ(used(host), 4);
    }
  }
}

TEST_F(RealPlacement, ARestartInTheMiddleOfManyClaimsLosesAndDoublesNothing) {
  const auto host = add_host(64);
  std::vector<ClaimRequest> requests;
  std::vector<std::future<ClaimOutcome>> outcomes;
  for (int i = 0; i < 30; ++i) requests.push_back(request_on(host));
  for (const auto& request : requests) {
    outcomes.push_back(
        thread.begin<ClaimOutcome>([&](auto done) { scheduler->claims.claim(request, deadline(), done); }));
  }
  outcomes.front().wait();
  placement.stop();
  ASSERT_TRUE(placement.start());
  int count = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const auto outcome = outcomes[i].get();
    // A placement that is killed may leave a consumer without allocations behind.
    EXPECT_TRUE(outcome.is_held() || outcome.kind == Held::consumer_conflict) << outcome.reason;
    EXPECT_EQ(held(requests[i].consumer).size(), outcome.is_held() ? 1U : 0U);
    count += outcome.is_held() ? 1 : 0;
  }
  EXPECT_EQ(used(host), count);
  EXPECT_GE(count, 20);
}

TEST_F(RealPlacement, QuestionsWaitWhilePlacementRestarts) {
  const auto host = add_host(4);
  placement.stop();
  auto answer = thread.begin<CandidateAnswer>([&](auto done) {
    scheduler->questions.ask({"resources=VCPU%3A1", "", Freshness::shared, deadline()}, done);
  });
  ASSERT_TRUE(placement.start());
  EXPECT_TRUE(answer.get().candidates->is_claimable(host));
}

TEST_F(RealPlacement, APlacementThatStandsStillIsUnknownAtTheDeadlineAndTakenUpLater) {
  const auto host = add_host(4);
  const auto request = request_on(host);
  placement.pause();
  const auto outcome = claim(request, seconds(1));
  EXPECT_EQ(outcome.kind, Held::unknown) << outcome.reason;
  placement.go_on();
  const auto later =
      thread.wait<ClaimOutcome>([&](auto done) { scheduler->claims.take_up(request, deadline(), done); });
  EXPECT_EQ(later.kind, Held::held) << later.reason;
  EXPECT_EQ(used(host), 1);
}

TEST_F(RealPlacement, AWrongTokenIsNoRefusalOfAHost) {
  const auto host = add_host(4);
  StaticLogin login({placement.url(), "somebody"});
  AsioTimers timers(thread.strand());
  std::optional<PlacementService> service;
  thread.run([&] { service.emplace(thread.strand(), login, HttpClientOptions{}); });
  Claims claims(*service, timers, {});
  const auto outcome = thread.wait<ClaimOutcome>([&](auto done) { claims.claim(request_on(host), deadline(), done); });
  thread.run([&] { service.reset(); });
  EXPECT_EQ(outcome.kind, Held::not_claimed);
  EXPECT_THAT(outcome.reason, HasSubstr("placement answered 403"));
}

}  // namespace
}  // namespace gantry::nova
