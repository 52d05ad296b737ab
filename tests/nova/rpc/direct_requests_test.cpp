// SPDX-License-Identifier: Apache-2.0
#include "core/nova/rpc/direct_requests.hpp"

#include <gmock/gmock.h>

#include <optional>
#include <utility>

#include "tests/support/scratch_directory.hpp"

namespace gantry::nova {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

// Keeps the requests until the test answers them.
struct PatientHandler final : RpcHandler {
  void handle(RpcWork work, Done done) override { waiting.emplace_back(std::move(work), std::move(done)); }
  void give_back(RpcLeftover leftover, std::function<void()> done) override {
    for (const auto& claim : leftover.claims) given_back.push_back(claim);
    finish = std::move(done);
  }
  std::vector<std::pair<RpcWork, Done>> waiting;
  std::vector<std::string> given_back;
  std::function<void()> finish;
};

class RequestsPastTheBroker : public ::testing::Test {
 protected:
  RequestsPastTheBroker() { begin(); }
  // As another process begins with what this one leaves.
  void begin() {
    direct.reset();
    journal.reset();
    journal = *Journal::open(directory.path() + "/requests.journal", telemetry::Logger::none());
    direct.emplace(
        DirectRequests::Parts{handler, journal, telemetry::Logger::none(), std::make_shared<telemetry::Counters>(),
                              [](const std::function<void()>& task) { task(); }},
        [] {});
    for (auto& entry : journal->take_left()) direct->take_up(std::move(entry));
  }
  // Notes what the caller hears, as "NAME: ...".
  void ask(const std::string& name, const std::string& unique_id = "one", seconds wait = seconds(20)) {
    DirectRequest request;
    request.unique_id = unique_id;
    request.request.method = "select_destinations";
    request.until = DirectRequest::Clock::now() + wait;
    request.patience = seconds(60);
    request.done = [this, name](Result<json::value> answer) {
      heard.push_back(name + ": " + (answer ? json::write(*answer) : answer.error().message));
    };
    direct->take(std::move(request));
  }
  void answer(std::size_t number, RpcReply reply) { handler.waiting.at(number).second(std::move(reply)); }

  support::ScratchDirectory directory;
  PatientHandler handler;
  std::shared_ptr<Journal> journal;
  std::optional<DirectRequests> direct;
  std::vector<std::string> heard;
};

TEST_F(RequestsPastTheBroker, AnswerEveryCallerWithTheSameId) {
  ask("first");
  ask("second");
  ASSERT_THAT(handler.waiting, SizeIs(1));
  EXPECT_EQ(direct->count(), 1U);
  answer(0, json::value("h1"));
  ask("third");
  const std::string said = R"({"result":"h1","failure":null})";
  EXPECT_THAT(heard, ElementsAre("first: " + said, "second: " + said, "third: " + said));
  EXPECT_EQ(direct->count(), 0U);
  EXPECT_THAT(handler.waiting, SizeIs(1));
}

TEST_F(RequestsPastTheBroker, TellAFailureAsOsloMessagingWritesIt) {
  ask("caller");
  answer(0, no_valid_host("none fits"));
  EXPECT_THAT(heard, ElementsAre(HasSubstr(R"("failure":{"class":"NoValidHost","module":"nova.exception","message":)"
                                           R"("No valid host was found. none fits","tb":[],"args":)")));
}

TEST_F(RequestsPastTheBroker, TellACallerInTimeThatThereIsNoAnswerYet) {
  ask("early", "one", seconds(1));
  ask("late", "one", seconds(60));
  direct->tick(DirectRequest::Clock::now() + seconds(2));
  EXPECT_THAT(heard, ElementsAre(HasSubstr("early: the request is still under way")));
  answer(0, json::value("h1"));
  EXPECT_THAT(heard, SizeIs(2));
}

TEST_F(RequestsPastTheBroker, TakeNoRequestWhilePausedButAnswerThoseUnderWay) {
  ask("before");
  direct->set_paused(true);
  ask("after", "two");
  EXPECT_THAT(heard, ElementsAre(HasSubstr("after: requests are paused")));
  answer(0, json::value("h1"));
  EXPECT_THAT(heard, SizeIs(2));
}

TEST_F(RequestsPastTheBroker, ForgetAnAnswerAfterAWhileAndDecideAgainThen) {
  ask("first");
  answer(0, json::value("h1"));
  direct->tick(DirectRequest::Clock::now() + DirectRequests::keeping_time + seconds(1));
  EXPECT_TRUE(direct->is_empty());
  ask("again");
  EXPECT_THAT(handler.waiting, SizeIs(2));
}

TEST_F(RequestsPastTheBroker, GiveTheAnswerOfAnEarlierProcess) {
  ask("first");
  answer(0, json::value("h1"));
  begin();
  ask("again");
  EXPECT_THAT(heard, ElementsAre(HasSubstr("h1"), HasSubstr("again: {\"result\":\"h1\"")));
  EXPECT_THAT(handler.waiting, SizeIs(1));
}

TEST_F(RequestsPastTheBroker, GiveBackWhatAnEarlierProcessClaimedBeforeTheyDecideAgain) {
  ask("first");
  handler.waiting.at(0).first.note_claim("a claim");
  begin();
  EXPECT_THAT(handler.given_back, ElementsAre("a claim"));
  ask("again");
  EXPECT_THAT(handler.waiting, SizeIs(1)) << "the claim still stands";
  handler.finish();
  ASSERT_THAT(handler.waiting, SizeIs(2));
  answer(1, json::value("h2"));
  EXPECT_THAT(heard, ElementsAre(HasSubstr("again: {\"result\":\"h2\"")));
}

TEST_F(RequestsPastTheBroker, SayThatClaimsOfAnEarlierProcessCannotBeGivenBackYet) {
  ask("first");
  handler.waiting.at(0).first.note_claim("a claim");
  begin();
  ask("again", "one", seconds(1));
  direct->tick(DirectRequest::Clock::now() + seconds(2));
  EXPECT_THAT(heard, ElementsAre(HasSubstr("could not be given back yet")));
}

TEST_F(RequestsPastTheBroker, TellCallersAtTheEndThatTheyWaitInVain) {
  ask("caller");
  direct->end();
  EXPECT_THAT(heard, ElementsAre("caller: the service is stopping"));
}

}  // namespace
}  // namespace gantry::nova
