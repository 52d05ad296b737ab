// SPDX-License-Identifier: Apache-2.0
#include "core/nova/rpc/dead_queues.hpp"

#include <gtest/gtest.h>

namespace gantry::nova {
namespace {

using std::chrono::seconds;

const DeadQueues::Clock::time_point start{};

TEST(DeadQueues, AreTakenForDeadForAMinute) {
  DeadQueues queues;
  EXPECT_FALSE(queues.contains("reply_1", start));
  queues.add("reply_1", start);
  EXPECT_TRUE(queues.contains("reply_1", start + seconds(59)));
  EXPECT_FALSE(queues.contains("reply_2", start + seconds(59)));
  EXPECT_FALSE(queues.contains("reply_1", start + seconds(60)));
}

TEST(DeadQueues, CountFromTheLastTime) {
  DeadQueues queues;
  queues.add("reply_1", start);
  queues.add("reply_2", start + seconds(10));
  queues.add("reply_1", start + seconds(30));
  EXPECT_TRUE(queues.contains("reply_1", start + seconds(75)));
  EXPECT_FALSE(queues.contains("reply_2", start + seconds(75)));
}

TEST(DeadQueues, KeepTheLatestTwoHundred) {
  DeadQueues queues;
  for (int i = 0; i < 201; ++i) queues.add(std::to_string(i), start);
  EXPECT_FALSE(queues.contains("0", start));
  EXPECT_TRUE(queues.contains("1", start));
  EXPECT_TRUE(queues.contains("200", start));
}

}  // namespace
}  // namespace gantry::nova
