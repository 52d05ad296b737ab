// SPDX-License-Identifier: Apache-2.0
//
// Candidates and claims with a server that answers otherwise than placement would.
#include "core/nova/placement/placement_service.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "core/nova/placement/candidate_questions.hpp"
#include "core/nova/placement/claims.hpp"
#include "tests/nova/http/scripted_server.hpp"
#include "tests/nova/http/waiting_client.hpp"

namespace gantry::nova {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using testing::ScriptedServer;
using Reply = ScriptedServer::Reply;

class OddPlacement {
 public:
  explicit OddPlacement(ScriptedServer::Answer answer, HttpClientOptions options = {})
      : server_(std::move(answer)), login_({server_.url(), "admin"}), timers_(thread_.strand()) {
    thread_.run([&] {
      service_.emplace(thread_.strand(), login_, std::move(options));
      questions_.emplace(*service_, timers_, CandidateOptions{.patience = milliseconds(0)});
      claims_.emplace(*service_, timers_, ClaimOptions{});
    });
  }
  ~OddPlacement() {
    thread_.run([this] { service_.reset(); });
  }
  OddPlacement(const OddPlacement&) = delete;
  OddPlacement& operator=(const OddPlacement&) = delete;

  CandidateAnswer ask(milliseconds patience) {
    return thread_.wait<CandidateAnswer>([&](auto done) {
      questions_->ask({"resources=VCPU%3A1", "req-1", CandidateQuestions::Freshness::anew, Clock::now() + patience},
                      done);
    });
  }
  ClaimOutcome claim(milliseconds patience) {
    const ClaimRequest request{"c", R"({"allocations":{"a":{"resources":{"VCPU":1}}}})", "p", "u", "req-1"};
    return thread_.wait<ClaimOutcome>([&](auto done) { claims_->claim(request, Clock::now() + patience, done); });
  }
  std::string first_request() const { return server_.requests().at(0); }

 private:
  ScriptedServer server_;
  testing::StrandThread thread_;
  StaticLogin login_;
  AsioTimers timers_;
  std::optional<PlacementService> service_;
  std::optional<CandidateQuestions> questions_;
  std::optional<Claims> claims_;
};

TEST(OddPlacementAnswers, ACallCarriesTheMicroversionTheTokenAndTheRequestId) {
  OddPlacement placement([](const auto&) { return Reply{ScriptedServer::answer(204, "")}; });
  EXPECT_TRUE(placement.claim(milliseconds(30000)).is_held());
  for (const auto* const line :
       {"PUT /allocations/c HTTP/1.1\r\n", "OpenStack-API-Version: placement 1.36\r\n", "X-Auth-Token: admin\r\n",
        "X-OpenStack-Request-ID: req-1\r\n", "Accept: application/json\r\n", "Content-Type: application/json\r\n"})
    EXPECT_THAT(placement.first_request(), HasSubstr(line));
}

TEST(OddPlacementAnswers, ABodyThatIsNoJsonGivesNoCandidates) {
  OddPlacement placement([](const auto&) { return Reply{ScriptedServer::answer(200, "<html>Welcome</html>")}; });
  const auto answer = placement.ask(milliseconds(30000));
  EXPECT_EQ(answer.kind, CandidateAnswer::Kind::unavailable);
  EXPECT_THAT(answer.reason, HasSubstr("not valid JSON at byte 0"));
  EXPECT_TRUE(answer.candidates->is_empty());
}

TEST(OddPlacementAnswers, AServerThatHangsIsLeftAtTheDeadline) {
  OddPlacement placement([](const auto&) { return Reply{.hangs = true}; });
  EXPECT_EQ(placement.ask(milliseconds(300)).kind, CandidateAnswer::Kind::unavailable);
  EXPECT_EQ(placement.claim(milliseconds(300)).kind, ClaimOutcome::Kind::unknown);
}

TEST(OddPlacementAnswers, AnAnswerOf100MegabytesIsBounded) {
  const std::string megabyte(1024UL * 1024, ' ');
  OddPlacement placement(
      [&](const auto&) {
        return Reply{"HTTP/1.1 200 OK\r\n\r\n" + megabyte, true, false, 100};
      },
      {.body_limit = megabyte.size()});
  const auto answer = placement.ask(milliseconds(60000));
  EXPECT_EQ(answer.kind, CandidateAnswer::Kind::unavailable);
  EXPECT_THAT(answer.reason, HasSubstr("the answer has more than 1048576 bytes"));
}

}  // namespace
}  // namespace gantry::nova
