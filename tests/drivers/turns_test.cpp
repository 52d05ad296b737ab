// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/turns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "core/drivers/turn_watch.hpp"

namespace gantry::drivers {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using Clock = std::chrono::steady_clock;

// Keeps what it hears.
class HeardTurn final : public Turn {
 public:
  void come() override { come_.set_value(); }
  void lose(const Error& error) override { lost_.set_value(error); }
  void give_up(const Error& error) override { given_up_.set_value(error); }

  bool has_come() { return came_.wait_for(milliseconds(0)) == std::future_status::ready; }
  Error await_loss() { return lost_.get_future().get(); }
  Error await_given_up() { return given_up_.get_future().get(); }

 private:
  std::promise<void> come_;
  std::future<void> came_ = come_.get_future();
  std::promise<Error> lost_;
  std::promise<Error> given_up_;  // a second give_up() throws
};

class TurnsTest : public testing::Test {
 protected:
  static Clock::time_point later() { return Clock::now() + std::chrono::hours(1); }

  // Asks for a turn that must be granted at once, and enters with it.
  std::shared_ptr<HeardTurn> enter(Turns& turns, Clock::time_point deadline) {
    auto turn = std::make_shared<HeardTurn>();
    const auto asked = turns.ask(turn, later());
    EXPECT_TRUE(asked && *asked == Turns::Asked::granted);
    EXPECT_TRUE(turns.enter(*turn, "select_destinations", "req-1", deadline));
    return turn;
  }
  std::shared_ptr<HeardTurn> wait(Turns& turns, Clock::time_point deadline) {
    auto turn = std::make_shared<HeardTurn>();
    const auto asked = turns.ask(turn, deadline);
    EXPECT_TRUE(asked && *asked == Turns::Asked::waits);
    return turn;
  }

  std::shared_ptr<TurnWatch> watch_ = std::make_shared<TurnWatch>();
  Turns two_{"zoo", {2, milliseconds(0)}, telemetry::Logger::none(), watch_};
  Turns one_{"zoo", {1, std::chrono::hours(1)}, telemetry::Logger::none(), watch_};
};

TEST_F(TurnsTest, AsManyCallsAsThereArePlacesRunAndTheOthersComeInTheirOrder) {
  const auto first = enter(two_, later());
  const auto second = enter(two_, later());
  const auto third = wait(two_, later());
  const auto fourth = wait(two_, later());
  EXPECT_EQ(two_.calls_inside(), 2U);
  EXPECT_FALSE(third->has_come());
  EXPECT_TRUE(two_.leave(*second));
  EXPECT_TRUE(third->has_come());
  EXPECT_FALSE(fourth->has_come());
  EXPECT_EQ(two_.calls_waiting(), 1U);
  two_.give_back(*third);  // its call did not reach the driver
  EXPECT_TRUE(fourth->has_come());
  EXPECT_TRUE(two_.leave(*first));
  EXPECT_EQ(two_.times().turn.read().count(), 2U);
  EXPECT_EQ(two_.times().decisions.read().count(), 2U);
  EXPECT_EQ(two_.times().others.read().count(), 0U);
}

TEST_F(TurnsTest, ACallThatWaitsLosesItsTurnAtItsDeadline) {
  const auto inside = enter(one_, later());
  const auto waiting = wait(one_, Clock::now() + milliseconds(20));
  const auto error = waiting->await_loss();
  EXPECT_EQ(error.code, ErrorCode::deadline_exceeded);
  EXPECT_THAT(error.message, AllOf(HasSubstr("'zoo'"), HasSubstr("serial")));
  EXPECT_TRUE(one_.leave(*inside));
  EXPECT_FALSE(waiting->has_come());
}

TEST_F(TurnsTest, ACallThatDoesNotReturnIsGivenUpOnceAndListedUntilItReturns) {
  const auto turn = enter(two_, Clock::now());
  const auto error = turn->await_given_up();
  EXPECT_EQ(error.code, ErrorCode::deadline_exceeded);
  EXPECT_THAT(error.message, AllOf(HasSubstr("'zoo'"), HasSubstr("select_destinations")));
  two_.look(Clock::now());
  ASSERT_THAT(two_.hanging(), SizeIs(1));
  EXPECT_EQ(two_.hanging()[0].operation, "select_destinations");
  EXPECT_EQ(two_.hanging()[0].request_id, "req-1");
  two_.look(later());
  EXPECT_FALSE(two_.leave(*turn));
  EXPECT_TRUE(turn->is_given_up());
  EXPECT_EQ(two_.times().given_up.load(), 1U);
  EXPECT_THAT(two_.hanging(), IsEmpty());
}

TEST_F(TurnsTest, ACallThatReturnsALittleAfterItsDeadlineIsNotGivenUp) {
  const auto turn = enter(two_, Clock::now() + std::chrono::seconds(10));
  two_.look(Clock::now() + milliseconds(10'050));
  EXPECT_TRUE(two_.leave(*turn));
  EXPECT_FALSE(turn->is_given_up());
}

TEST_F(TurnsTest, CallsAreRefusedAtOnceWhileCallsThatWereGivenUpHoldEachPlace) {
  const auto first = enter(two_, Clock::now());
  const auto second = enter(two_, Clock::now());
  const auto waiting = wait(two_, later());
  first->await_given_up();
  second->await_given_up();
  two_.look(Clock::now());
  const auto refused = two_.ask(std::make_shared<HeardTurn>(), later());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unavailable);
  EXPECT_THAT(refused.error().message, AllOf(HasSubstr("'zoo'"), HasSubstr("2 that do not return")));
  EXPECT_FALSE(two_.leave(*second));
  EXPECT_TRUE(waiting->has_come());
  EXPECT_FALSE(two_.leave(*first));
  const auto later_call = enter(two_, later());
  EXPECT_TRUE(two_.leave(*later_call));
}

TEST_F(TurnsTest, ACallThatIsGivenUpByItsCallersShorterDeadlineAloneDoesNotHang) {
  const auto turn = enter(one_, Clock::now());
  turn->await_given_up();
  EXPECT_THAT(one_.hanging(), IsEmpty());
  const auto waiting = wait(one_, later());
  EXPECT_FALSE(one_.leave(*turn)) << "its result is dropped all the same";
  EXPECT_TRUE(waiting->has_come());
  one_.give_back(*waiting);
}

TEST_F(TurnsTest, ACallWithoutADeadlineIsNeverGivenUp) {
  const auto turn = enter(two_, Clock::time_point::max());
  two_.look(later());
  EXPECT_TRUE(two_.leave(*turn));
}

TEST_F(TurnsTest, ATurnServesOneCallOfItsOwnDriver) {
  const auto turn = enter(one_, later());
  EXPECT_FALSE(one_.enter(*turn, "hosts_up", "req-1", later()));
  EXPECT_TRUE(one_.leave(*turn));
  EXPECT_FALSE(one_.enter(*turn, "hosts_up", "req-1", later()));
  const auto other = std::make_shared<HeardTurn>();
  ASSERT_TRUE(two_.ask(other, later()));
  EXPECT_FALSE(one_.enter(*other, "hosts_up", "req-1", later()));
  two_.give_back(*other);
}

TEST_F(TurnsTest, AThreadMayWaitForATurn) {
  const auto inside = enter(one_, later());
  auto waiting = std::async(std::launch::async, [this] { return one_.wait(later()); });
  EXPECT_EQ(waiting.wait_for(milliseconds(20)), std::future_status::timeout);
  EXPECT_TRUE(one_.leave(*inside));
  const auto turn = waiting.get();
  ASSERT_TRUE(turn);
  one_.give_back(**turn);
}

}  // namespace
}  // namespace gantry::drivers
