// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "store_fixture.hpp"

namespace gantry::store {
namespace {

using testing::HasSubstr;

class SqliteCrash : public StoreTest {
 protected:
  // A process of its own that runs `body` with the writing end of a pipe and is then killed.
  template <class Body>
  void start(Body body) {
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    child_ = fork();
    ASSERT_GE(child_, 0);
    if (child_ == 0) {
      close(ends[0]);
      body(ends[1]);
      for (;;) pause();
    }
    close(ends[1]);
    from_child_ = ends[0];
  }
  int next_number() const {
    int number = -1;
    return read(from_child_, &number, sizeof number) == sizeof number ? number : -1;
  }
  void kill_child() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  void TearDown() override {
    if (from_child_ >= 0) close(from_child_);
    StoreTest::TearDown();
  }

  pid_t child_ = -1;
  int from_child_ = -1;
};

void tell(int pipe_end, int number) {
  if (write(pipe_end, &number, sizeof number) != sizeof number) _exit(1);
}

TEST_F(SqliteCrash, AnsweredBatchesSurviveKillMinus9) {
  start([&](int pipe_end) {
    const auto store = opened();
    for (int i = 0;; ++i) {
      // Two documents a batch: after the crash both are there or neither.
      Batch batch = {{Kind::claim, std::to_string(i), std::string(1000, 'c')}, {Kind::cast, std::to_string(i), "{}"}};
      store->submit(std::move(batch), [pipe_end, i](Result<void> result) { tell(pipe_end, result ? i : -1); });
      if (i % 64 == 0) store->flush();
    }
  });
  int last = -1;
  for (int i = 0; i < 2000; ++i) last = next_number();
  kill_child();
  for (int number = next_number(); number >= 0; number = next_number()) last = number;
  ASSERT_GE(last, 1999);

  const auto store = opened();
  const auto claims = loaded(*store, Kind::claim);
  const auto casts = loaded(*store, Kind::cast);
  for (int i = 0; i <= last; ++i) ASSERT_TRUE(claims.contains(std::to_string(i))) << i << " of " << last;
  EXPECT_EQ(claims.size(), casts.size());
}

TEST_F(SqliteCrash, AKilledProcessLeavesTheStoreToTheNext) {
  start([&](int pipe_end) {
    const auto store = opened();
    tell(pipe_end, committed(*store, put("a", "{}")) ? 1 : 0);
    for (;;) pause();
  });
  ASSERT_EQ(next_number(), 1);
  kill_child();
  EXPECT_EQ(loaded(*opened()).size(), 1U);
}

TEST_F(SqliteCrash, ASecondProcessIsRefusedAndToldWhichOneHasTheStore) {
  start([&](int pipe_end) {
    const auto store = opened();
    tell(pipe_end, 1);
    for (;;) pause();
  });
  ASSERT_EQ(next_number(), 1);
  const Error error = refusal();
  kill_child();
  EXPECT_EQ(error.code, ErrorCode::unavailable);
  EXPECT_THAT(error.message, HasSubstr("already used by process " + std::to_string(child_)));
}

TEST_F(SqliteCrash, TheProcessThatADeadOneLeftBehindIsNamedInItsStead) {
  start([&](int pipe_end) {
    const auto store = opened();
    const pid_t left_behind = fork();
    if (left_behind != 0) tell(pipe_end, left_behind);
    for (;;) pause();
  });
  const auto left_behind = static_cast<pid_t>(next_number());
  ASSERT_GT(left_behind, 0);
  kill_child();
  const Error error = refusal();
  ::kill(left_behind, SIGKILL);
  EXPECT_THAT(error.message, HasSubstr("already used by process " + std::to_string(left_behind) + ", which process " +
                                       std::to_string(child_) + " left behind"));
}

}  // namespace
}  // namespace gantry::store
