// SPDX-License-Identifier: Apache-2.0
#include "core/nova/rpc/broker_health.hpp"

#include <gmock/gmock.h>

#include "tests/nova/rpc/recording_logger.hpp"

namespace gantry::nova {
namespace {

using ::testing::EndsWith;
using ::testing::StartsWith;

struct Health : ::testing::Test {
  std::shared_ptr<RecordingLogger> logger = std::make_shared<RecordingLogger>();
  BrokerHealth health{"answers", logger, std::make_shared<telemetry::Counters>()};
};

TEST_F(Health, SaysSinceWhenTheBrokerIsAwayAndLogsEachReasonOnce) {
  EXPECT_THAT(health.trouble(), StartsWith("the broker is away since 20"));
  EXPECT_THAT(health.trouble(), EndsWith("Z: not connected yet"));
  health.on_down("refused");
  const auto first = health.trouble();
  EXPECT_THAT(first, EndsWith("Z: refused"));
  health.on_down("refused");
  health.on_down("silent");
  health.on_down("refused");
  EXPECT_EQ(logger->count("the broker is away"), 2);
  EXPECT_FALSE(health.is_up());
  health.on_up("h1:5672");
  EXPECT_TRUE(health.is_up());
  EXPECT_EQ(health.trouble(), "");
  EXPECT_EQ(health.broker(), "h1:5672");
  health.on_down("refused");
  EXPECT_EQ(logger->count("the broker is away"), 3);
  EXPECT_EQ(health.broker(), "");
}

TEST_F(Health, SaysThatTheBrokerTakesNoMessages) {
  health.on_up("h1:5672");
  health.on_blocked("low on memory");
  EXPECT_THAT(health.trouble(), StartsWith("the broker takes no messages since 20"));
  EXPECT_THAT(health.trouble(), EndsWith("Z: low on memory"));
  health.on_unblocked();
  EXPECT_EQ(health.trouble(), "");
  EXPECT_EQ(logger->count("takes messages again"), 1);
  health.on_blocked("low on disk");
  health.on_down("lost");
  health.on_up("h1:5672");
  EXPECT_EQ(health.trouble(), "");
}

}  // namespace
}  // namespace gantry::nova
