// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/state/idempotency.hpp"

#include <gtest/gtest.h>

namespace gantry::scheduling {
namespace {

using KeyState = IdempotentAnswers::KeyState;

MethodCall call(const std::string& key, const std::string& name = "x") {
  MethodCall made;
  made.method = "create_group";
  made.idempotency_key = key;
  made.args = {{"name", name}};
  return made;
}

struct Recorder {
  std::vector<std::string> answers;
  Done done() {
    return [this](const Reply& reply) {
      answers.push_back(reply ? json::write(*reply) : "error: " + reply.error().message);
    };
  }
};

TEST(IdempotentAnswers, GivesARetryTheFirstAnswer) {
  IdempotentAnswers answers;
  Recorder recorder;
  auto done = recorder.done();
  ASSERT_EQ(answers.begin(call("k"), done), KeyState::is_new);
  answers.finish(call("k"), Reply(json::value(7)), true, 1);
  EXPECT_EQ(answers.begin(call("k"), done), KeyState::answered);
  EXPECT_EQ(recorder.answers, std::vector<std::string>{"7"});
}

TEST(IdempotentAnswers, LetsARetryWaitForTheCallThatIsUnderWay) {
  IdempotentAnswers answers;
  Recorder recorder;
  auto first = recorder.done();
  auto retry = recorder.done();
  ASSERT_EQ(answers.begin(call("k"), first), KeyState::is_new);
  EXPECT_EQ(answers.begin(call("k"), retry), KeyState::waits);
  EXPECT_TRUE(recorder.answers.empty());
  answers.finish(call("k"), Reply(json::value(7)), true, 1);
  EXPECT_EQ(recorder.answers, std::vector<std::string>{"7"});
}

TEST(IdempotentAnswers, RefusesTheKeyOfAnotherCall) {
  IdempotentAnswers answers;
  Recorder recorder;
  auto done = recorder.done();
  ASSERT_EQ(answers.begin(call("k"), done), KeyState::is_new);
  EXPECT_EQ(answers.begin(call("k", "y"), done), KeyState::misused);
  EXPECT_EQ(recorder.answers.size(), 1U);
}

TEST(IdempotentAnswers, FreesTheKeyOfAnAnswerThatIsNotKept) {
  IdempotentAnswers answers;
  Recorder recorder;
  auto done = recorder.done();
  ASSERT_EQ(answers.begin(call("k"), done), KeyState::is_new);
  answers.finish(call("k"), Reply(Error{ErrorCode::unavailable, "disk full", {}}), false, 1);
  EXPECT_EQ(answers.begin(call("k"), done), KeyState::is_new);
}

TEST(IdempotentAnswers, SurviveARestart) {
  IdempotentAnswers before;
  const auto stored = before.to_store(call("k"), Reply(Error{ErrorCode::already_exists, "there is one", {}}), 1);
  IdempotentAnswers after;
  ASSERT_TRUE(after.load(stored.key, *stored.document));
  Recorder recorder;
  auto done = recorder.done();
  EXPECT_EQ(after.begin(call("k"), done), KeyState::answered);
  EXPECT_EQ(recorder.answers, std::vector<std::string>{"error: there is one"});
}

TEST(IdempotentAnswers, OfEachFinalErrorSurviveARestart) {
  for (int code = 0; code <= static_cast<int>(ErrorCode::unauthenticated); ++code) {
    const Reply reply(Error{static_cast<ErrorCode>(code), "no", {}});
    if (!is_final(reply)) continue;
    const auto stored = IdempotentAnswers().to_store(call("k"), reply, 1);
    const auto loaded = IdempotentAnswers().load(stored.key, *stored.document);
    EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().message);
  }
}

TEST(IdempotentAnswers, EvictsKeysAfterAnHour) {
  IdempotentAnswers answers;
  Recorder recorder;
  auto done = recorder.done();
  ASSERT_EQ(answers.begin(call("k"), done), KeyState::is_new);
  answers.finish(call("k"), Reply(json::value(7)), true, 1);
  EXPECT_TRUE(answers.expire(3'000'000'000'000).empty());
  EXPECT_EQ(answers.expire(4'000'000'000'000), std::vector<std::string>{"k"});
  EXPECT_EQ(answers.begin(call("k"), done), KeyState::is_new);
}

TEST(IdempotentAnswers, EvictsTheOldestOfTooManyKeys) {
  IdempotentAnswers answers;
  const Reply reply(json::value(7));
  for (int i = 0; i <= 50'000; ++i) {
    const auto stored = answers.to_store(call(std::to_string(i)), reply, 100'000 - i);
    ASSERT_TRUE(answers.load(stored.key, *stored.document));
  }
  EXPECT_EQ(answers.expire(100'000), std::vector<std::string>{"50000"});
}

TEST(IdempotentAnswers, EvictsTheOldestKeysBeyondTheBoundOnBytes) {
  IdempotentAnswers answers;
  Recorder recorder;
  auto done = recorder.done();
  for (const auto* key : {"oldest", "older", "new"}) {
    ASSERT_EQ(answers.begin(call(key), done), KeyState::is_new);
    answers.finish(call(key), Reply(json::value(7)), std::size_t{30} << 20, std::string(key) == "oldest" ? 1 : 2);
  }
  EXPECT_EQ(answers.expire(3), std::vector<std::string>{"oldest"});
  EXPECT_TRUE(answers.expire(3).empty());
  EXPECT_EQ(answers.begin(call("oldest"), done), KeyState::is_new);
}

TEST(IdempotentAnswers, CountsTheBytesOfLoadedAnswers) {
  IdempotentAnswers answers;
  const Reply large(json::value(std::string(std::size_t{40} << 20, 'x')));
  for (int i = 0; i < 2; ++i) {
    const auto stored = answers.to_store(call(std::to_string(i)), large, i);
    ASSERT_TRUE(answers.load(stored.key, *stored.document));
  }
  EXPECT_EQ(answers.expire(3), std::vector<std::string>{"0"});
}

TEST(IdempotentAnswers, ReturnsKeysThatWereNotErasedAgainUnlessTheyAreInUse) {
  IdempotentAnswers answers;
  Recorder recorder;
  auto done = recorder.done();
  answers.still_stored({"gone", "used again"});
  ASSERT_EQ(answers.begin(call("used again"), done), KeyState::is_new);
  EXPECT_EQ(answers.expire(1), std::vector<std::string>{"gone"});
  EXPECT_TRUE(answers.expire(1).empty());
}

TEST(IdempotentAnswers, KeepsNoFailureThatARetryMayOvercome) {
  EXPECT_FALSE(is_final(Reply(Error{ErrorCode::unavailable, "disk full", {}})));
  EXPECT_FALSE(is_final(Reply(Error{ErrorCode::deadline_exceeded, "too late", {}})));
  EXPECT_TRUE(is_final(Reply(Error{ErrorCode::no_valid_host, "none", {}})));
  EXPECT_TRUE(is_final(Reply(json::value(7))));
}

}  // namespace
}  // namespace gantry::scheduling
