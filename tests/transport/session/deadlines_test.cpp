// SPDX-License-Identifier: Apache-2.0
#include "core/transport/session/deadlines.hpp"

#include <gtest/gtest.h>

namespace gantry::testing {
namespace {

using namespace std::chrono_literals;
using transport::Deadlines;
using Awaited = Deadlines::Awaited;

class DeadlinesTest : public ::testing::Test {
 protected:
  static constexpr Deadlines::Times times{.receive = 30s, .idle = 75s, .write = 20s, .write_rate = 1000, .linger = 2s};
  const Deadlines::Clock::time_point start_{1000s};
  Deadlines deadlines_{times, start_};
};

TEST_F(DeadlinesTest, SetsNoneWhereNothingIsAwaited) {
  EXPECT_EQ(deadlines_.next(Awaited::nothing, false), Deadlines::Clock::time_point::max());
}

TEST_F(DeadlinesTest, CountsAHandshakeAndARequestFromTheirBeginning) {
  deadlines_.begin(start_ + 5s);
  deadlines_.note_activity(start_ + 20s);
  EXPECT_EQ(deadlines_.next(Awaited::handshake, false), start_ + 35s);
  EXPECT_EQ(deadlines_.next(Awaited::request, false), start_ + 35s);
}

TEST_F(DeadlinesTest, CountsIdleTimeFromTheLastActivity) {
  deadlines_.note_activity(start_ + 10s);
  EXPECT_EQ(deadlines_.next(Awaited::next_request, false), start_ + 85s);
}

TEST_F(DeadlinesTest, CountsAWriteFromItsLastProgress) {
  deadlines_.begin_write(start_ + 1s);
  EXPECT_EQ(deadlines_.next(Awaited::nothing, true), start_ + 21s);
  EXPECT_FALSE(deadlines_.is_write_stalled(start_ + 20s));
  EXPECT_TRUE(deadlines_.is_write_stalled(start_ + 21s));
  deadlines_.note_write_progress(start_ + 2s, 1'000'000);
  EXPECT_EQ(deadlines_.next(Awaited::nothing, true), start_ + 22s);
}

TEST_F(DeadlinesTest, EndsAWriteOfWhichTooFewBytesAreTakenHoweverSteadily) {
  deadlines_.begin_write(start_);
  for (int second = 1; second <= 60; ++second) deadlines_.note_write_progress(start_ + second * 1s, 500);
  EXPECT_EQ(deadlines_.next(Awaited::nothing, true), start_ + 50s) << "20 s, and 30 s earned by 30,000 bytes";
  EXPECT_TRUE(deadlines_.is_write_stalled(start_ + 60s));
  deadlines_.begin_write(start_ + 60s);
  EXPECT_EQ(deadlines_.next(Awaited::nothing, true), start_ + 80s) << "each write counts by itself";
}

TEST_F(DeadlinesTest, TakesTheEarlierOfReadingAndWriting) {
  EXPECT_EQ(deadlines_.next(Awaited::next_request, true), start_ + 20s);
  deadlines_.begin_write(start_ + 60s);
  EXPECT_EQ(deadlines_.next(Awaited::next_request, true), start_ + 75s);
}

TEST_F(DeadlinesTest, LingersForAWhileAfterClosingBegins) {
  deadlines_.begin_closing(start_ + 3s);
  EXPECT_EQ(deadlines_.next(Awaited::end, false), start_ + 5s);
}

}  // namespace
}  // namespace gantry::testing
