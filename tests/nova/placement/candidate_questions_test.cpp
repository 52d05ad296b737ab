// SPDX-License-Identifier: Apache-2.0
#include "core/nova/placement/candidate_questions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/nova/placement/scripted_placement.hpp"

namespace gantry::nova {
namespace {

using testing::answered;
using ::testing::HasSubstr;
using testing::lost;
using testing::not_sent;
using testing::refused;
using Answered = CandidateAnswer::Kind;
using Freshness = CandidateQuestions::Freshness;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr const char* two_hosts = R"({"allocation_requests":[
  {"allocations":{"a":{"resources":{"VCPU":1}},"disk":{"resources":{"DISK_GB":1}}},"mappings":{"":["a","disk"]}},
  {"allocations":{"b":{"resources":{"VCPU":1}}},"mappings":{"":["b"]}},
  {"allocations":{"a":{"resources":{"VCPU":1,"DISK_GB":1}}},"mappings":{"":["a"]}}],
  "provider_summaries":{"a":{},"b":{},"c":{},"disk":{}}})";
constexpr const char* no_hosts = R"({"allocation_requests":[],"provider_summaries":{}})";

class CandidateQuestionsTest : public ::testing::Test {
 protected:
  void ask(const std::string& query, Freshness freshness = Freshness::shared, seconds patience = seconds(60)) {
    questions.ask({query, "req-1", freshness, timers.now() + patience},
                  [this](auto answer) { answers.push_back(std::move(answer)); });
  }

  testing::ManualTimers timers;
  testing::ScriptedPlacement placement{timers};
  CandidateQuestions questions{placement, timers, {}};
  std::vector<CandidateAnswer> answers;
};

TEST_F(CandidateQuestionsTest, AnAnswerGivesRequestsByProvider) {
  ask("resources=VCPU%3A1");
  placement.answer(answered(200, two_hosts));
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].kind, Answered::found);
  const auto& found = *answers[0].candidates;
  EXPECT_EQ(found.seen().size(), 4U);
  EXPECT_TRUE(found.is_seen("c"));
  EXPECT_FALSE(found.is_claimable("c"));
  EXPECT_TRUE(found.is_claimable("disk"));
  ASSERT_EQ(found.requests_of("a").size(), 2U);
  EXPECT_EQ(found.requests_of("b").front(), R"({"allocations":{"b":{"resources":{"VCPU":1}}},"mappings":{"":["b"]}})");
  EXPECT_TRUE(found.requests_of("c").empty());
  EXPECT_EQ(placement.calls[0].target, "/allocation_candidates?resources=VCPU%3A1");
  EXPECT_EQ(placement.calls[0].version, "1.36");
  EXPECT_EQ(placement.calls[0].request_id, "req-1");
}

TEST_F(CandidateQuestionsTest, EqualQuestionsUnderWayAreOneCall) {
  ask("q");
  ask("q");
  ask("other");
  EXPECT_EQ(placement.calls.size(), 2U);
  placement.answer(answered(200, two_hosts));
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_FALSE(answers[0].is_reused);
  EXPECT_TRUE(answers[1].is_reused);
}

TEST_F(CandidateQuestionsTest, AnAnswerServesEqualQuestionsForOneSecond) {
  ask("q");
  placement.answer(answered(200, two_hosts));
  timers.advance(milliseconds(999));
  ask("q");
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_TRUE(answers[1].is_reused);
  EXPECT_EQ(answers[1].candidates, answers[0].candidates);
  timers.advance(milliseconds(1));
  ask("q");
  EXPECT_EQ(placement.calls.size(), 2U);
}

TEST_F(CandidateQuestionsTest, QuestionsOfOtherFactsShareNoAnswer) {
  const auto ask_of = [this](std::uint64_t facts) {
    questions.ask({"q", "req-1", Freshness::shared, timers.now() + seconds(60), facts},
                  [this](auto answer) { answers.push_back(std::move(answer)); });
  };
  ask_of(1);
  ask_of(2);
  EXPECT_EQ(placement.calls.size(), 2U) << "the first is under way";
  placement.answer(answered(200, two_hosts));
  placement.answer(answered(200, two_hosts));
  ask_of(2);
  EXPECT_EQ(placement.calls.size(), 2U);
  ask_of(3);
  EXPECT_EQ(placement.calls.size(), 3U);
}

TEST_F(CandidateQuestionsTest, WhoAsksAnewGetsACallOfItsOwn) {
  ask("q");
  ask("q", Freshness::anew);
  EXPECT_EQ(placement.calls.size(), 2U);
  placement.answer(answered(200, no_hosts));
  placement.answer(answered(200, two_hosts));
  ask("q", Freshness::anew);
  EXPECT_EQ(placement.calls.size(), 3U);
  EXPECT_EQ(answers.size(), 2U);
  EXPECT_FALSE(answers[1].is_reused);
}

TEST_F(CandidateQuestionsTest, NoCandidatesAndRefusalsAreNotKept) {
  for (int i = 0; i < 2; ++i) {
    ask("q");
    placement.answer(answered(200, no_hosts));
    ask("q");
    placement.answer(refused(400, "No such trait(s): CUSTOM_NOPE."));
  }
  EXPECT_EQ(placement.calls.size(), 4U);
  EXPECT_EQ(answers[0].kind, Answered::found);
  EXPECT_TRUE(answers[0].candidates->is_empty());
  EXPECT_EQ(answers[1].kind, Answered::refused);
  EXPECT_THAT(answers[1].reason, HasSubstr("q: placement answered 400: No such trait(s): CUSTOM_NOPE."));
}

TEST_F(CandidateQuestionsTest, APlacementThatIsAwayIsAskedAgainForAWhile) {
  ask("q");
  placement.run({not_sent(), answered(503, "starting"), lost(), answered(200, two_hosts)});
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].kind, Answered::found);
  const auto begin = timers.now();
  ask("r");
  placement.run({not_sent()});
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[1].kind, Answered::unavailable);
  EXPECT_THAT(answers[1].reason, HasSubstr("connection refused"));
  EXPECT_LE(timers.now() - begin, seconds(10));
  EXPECT_GE(timers.now() - begin, seconds(9));
}

TEST_F(CandidateQuestionsTest, APlacementThatHeldTheQuestionForLongBeforeItsEndIsAskedAgain) {
  ask("q");
  timers.advance(seconds(30));
  placement.answer(lost());
  placement.run({not_sent(), answered(200, two_hosts)});
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].kind, Answered::found);
}

TEST_F(CandidateQuestionsTest, EachCallerWaitsUntilItsOwnDeadline) {
  ask("q", Freshness::shared, seconds(5));
  ask("q", Freshness::shared, seconds(2));
  timers.advance(seconds(3));
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].kind, Answered::unavailable);
  placement.answer(answered(200, two_hosts));
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[1].kind, Answered::found);
}

TEST_F(CandidateQuestionsTest, ABodyThatIsBrokenGivesNoCandidatesAndSaysWhere) {
  const std::pair<const char*, const char*> cases[] = {
      {"<html>", "not valid JSON"},
      {"[]", "expected a JSON object"},
      {"{}", "allocation_requests"},
      {R"({"allocation_requests":[],"provider_summaries":[]})", "provider_summaries"},
      {R"({"allocation_requests":[5],"provider_summaries":{}})", "allocation_requests[0]"},
      {R"({"allocation_requests":[{"allocations":{}}],"provider_summaries":{}})", "allocation_requests[0].allocations"},
      {R"({"allocation_requests":[{"allocations":{"a":{"resources":{"VCPU":-1}}}}],"provider_summaries":{}})",
       "allocation_requests[0].allocations"},
      {R"({"allocation_requests":[{"allocations":{"a":{"resources":{"VCPU":1}}},"mappings":[]}],"provider_summaries":{}})",
       "allocation_requests[0].mappings"},
  };
  for (const auto& [body, words] : cases) {
    answers.clear();
    ask(body);
    placement.run({answered(200, body)});
    ASSERT_EQ(answers.size(), 1U) << body;
    EXPECT_EQ(answers[0].kind, Answered::unavailable) << body;
    EXPECT_TRUE(answers[0].candidates->is_empty());
    EXPECT_THAT(answers[0].reason, HasSubstr(words));
  }
}

TEST_F(CandidateQuestionsTest, TheMicroversionsAreChecked) {
  std::vector<std::string> words;
  const auto check = [&](HttpOutcome outcome) {
    check_microversions(placement, timers.now() + seconds(1),
                        [&](const auto& found) { words.push_back(found ? "" : found.error().message); });
    placement.answer(std::move(outcome));
  };
  check(answered(200, R"({"versions":[{"id":"v1.0","min_version":"1.0","max_version":"1.39"}]})"));
  check(answered(200, R"({"versions":[{"id":"v1.0","min_version":"1.0","max_version":"1.29"}]})"));
  check(answered(200, R"({"versions":[{"id":"v1.0","min_version":"x"}]})"));
  check(not_sent());
  EXPECT_EQ(words[0], "");
  EXPECT_EQ(words[1], "expected that placement has microversion 1.36, found 1.0 to 1.29");
  EXPECT_THAT(words[2], HasSubstr("none that can be read"));
  EXPECT_THAT(words[3], HasSubstr("connection refused"));
}

}  // namespace
}  // namespace gantry::nova
