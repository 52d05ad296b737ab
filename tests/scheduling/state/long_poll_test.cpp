// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/state/long_poll.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

namespace gantry::scheduling {
namespace {

constexpr std::chrono::milliseconds short_time{20};

// A number that calls wait for: each call takes it when it is not 0, and is answered with 0 when its time is up.
struct WaitedNumber {
  explicit WaitedNumber(LongPoll::Clock::duration recheck = std::chrono::hours(1)) : polls(mutex, recheck) {}

  void set(int value) {
    polls.change([&] { number = value; });
  }
  // Changes the number without a look at the calls that wait.
  void set_silently(int value) {
    const std::lock_guard lock(mutex);
    number = value;
  }
  std::future<int> take(LongPoll::Clock::duration longest) {
    auto taken = std::make_shared<std::promise<int>>();
    polls.wait(LongPoll::Clock::now() + longest,
               [this, taken](LongPoll::Clock::time_point, bool is_last) -> LongPoll::Answer {
                 ++looks;
                 if (number == 0 && !is_last) return nullptr;
                 return [taken, value = std::exchange(number, 0)] { taken->set_value(value); };
               });
    return taken->get_future();
  }

  std::mutex mutex;
  std::atomic<int> looks{0};
  int number = 0;
  LongPoll polls;
};

bool is_answered(std::future<int>& call) {
  return call.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

TEST(LongPoll, AnswersAtOnceIfThereIsSomething) {
  WaitedNumber number;
  number.set(7);
  auto call = number.take(std::chrono::hours(1));
  ASSERT_TRUE(is_answered(call));
  EXPECT_EQ(call.get(), 7);
}

TEST(LongPoll, AnswersAtOnceIfNoTimeIsLeft) {
  WaitedNumber number;
  auto call = number.take(std::chrono::seconds(0));
  ASSERT_TRUE(is_answered(call));
  EXPECT_EQ(call.get(), 0);
}

TEST(LongPoll, AnswersAWaitingCallAfterAChange) {
  WaitedNumber number;
  auto call = number.take(std::chrono::hours(1));
  EXPECT_FALSE(is_answered(call));
  number.set(7);
  EXPECT_EQ(call.get(), 7);
}

TEST(LongPoll, GoesOnWaitingIfAChangeBringsNoAnswer) {
  WaitedNumber number;
  auto call = number.take(std::chrono::hours(1));
  const int looks_before = number.looks;
  number.set(0);
  while (number.looks == looks_before) std::this_thread::yield();
  EXPECT_FALSE(is_answered(call));
  number.set(7);
  EXPECT_EQ(call.get(), 7);
}

TEST(LongPoll, AnswersAWaitingCallWhenItsTimeIsUp) {
  WaitedNumber number;
  const auto begun = LongPoll::Clock::now();
  auto later = number.take(std::chrono::hours(1));
  auto call = number.take(short_time);
  EXPECT_EQ(call.get(), 0);
  EXPECT_GE(LongPoll::Clock::now() - begun, short_time);
  EXPECT_FALSE(is_answered(later));
}

TEST(LongPoll, GivesOneChangeToOneOfTheCallsThatTakeIt) {
  WaitedNumber number;
  auto one_call = number.take(std::chrono::hours(1));
  auto other_call = number.take(std::chrono::hours(1));
  number.set(7);
  EXPECT_EQ(one_call.get(), 7);
  EXPECT_FALSE(is_answered(other_call));
  number.set(8);
  EXPECT_EQ(other_call.get(), 8);
}

TEST(LongPoll, LooksAgainAfterTheRecheckIntervalWithoutAChange) {
  WaitedNumber number(short_time);
  auto call = number.take(std::chrono::hours(1));
  number.set_silently(7);
  EXPECT_EQ(call.get(), 7);
}

TEST(LongPoll, AnswersEveryCallWhenItIsStoppedAndLaterCallsAtOnce) {
  WaitedNumber number;
  auto one_call = number.take(std::chrono::hours(1));
  auto other_call = number.take(std::chrono::hours(1));
  number.polls.stop();
  EXPECT_EQ(one_call.get(), 0);
  EXPECT_EQ(other_call.get(), 0);
  auto late = number.take(std::chrono::hours(1));
  EXPECT_TRUE(is_answered(late));
}

TEST(LongPoll, AnswersEveryCallWhenWaitsEndAndLetsLaterCallsWait) {
  WaitedNumber number;
  auto one_call = number.take(std::chrono::hours(1));
  auto other_call = number.take(std::chrono::hours(1));
  number.polls.end_waits();
  EXPECT_EQ(one_call.get(), 0);
  EXPECT_EQ(other_call.get(), 0);
  auto late = number.take(std::chrono::hours(1));
  EXPECT_FALSE(is_answered(late));
  number.set(7);
  EXPECT_EQ(late.get(), 7);
}

TEST(LongPoll, LetsAnAnswerWaitAgain) {
  WaitedNumber number;
  std::promise<void> answered_twice;
  const auto look = [](const LongPoll::Answer& answer) {
    return [answer, looks = 0](LongPoll::Clock::time_point, bool) mutable {
      return ++looks > 1 ? answer : LongPoll::Answer();
    };
  };
  const auto until = LongPoll::Clock::now() + std::chrono::hours(1);
  number.polls.wait(until, look([&] { number.polls.wait(until, look([&] { answered_twice.set_value(); })); }));
  auto answered = answered_twice.get_future();
  while (answered.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready) number.set(0);
}

TEST(LongPoll, EndsWithCallsThatStillWait) {
  auto number = std::make_unique<WaitedNumber>();
  auto call = number->take(std::chrono::hours(1));
  number.reset();
  EXPECT_THROW(call.get(), std::future_error);
}

}  // namespace
}  // namespace gantry::scheduling
