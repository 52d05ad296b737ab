// SPDX-License-Identifier: Apache-2.0
#include "core/transport/amqp/reconnect.hpp"

#include <gmock/gmock.h>

#include <numeric>
#include <set>
#include <vector>

namespace gantry::amqp {
namespace {

using testing::ElementsAre;

// In milliseconds.
std::vector<long> waits(Reconnect& reconnect, int attempts) {
  std::vector<long> waits;
  for (int i = 0; i < attempts; ++i) waits.push_back(reconnect.next().wait.count());
  return waits;
}

TEST(Reconnect, TriesEachBrokerEveryHalfSecond) {
  Reconnect one(1, 1);
  EXPECT_THAT(waits(one, 4), ElementsAre(0, 500, 500, 500));
  Reconnect two(2, 1);
  EXPECT_THAT(waits(two, 6), ElementsAre(0, 0, 500, 0, 500, 0));
}

TEST(Reconnect, TriesMoreSeldomAfterHalfAMinute) {
  Reconnect reconnect(1, 1);
  const auto all = waits(reconnect, 100);
  EXPECT_EQ(std::accumulate(all.begin(), all.begin() + 61, 0L), 30'000);
  EXPECT_EQ(all[60], 500);
  EXPECT_EQ(all[61], 2'000);
  EXPECT_EQ(all.back(), 2'000);
}

TEST(Reconnect, GoesRoundInOneOrder) {
  Reconnect reconnect(3, 7);
  std::vector<std::size_t> first;
  for (int i = 0; i < 3; ++i) first.push_back(reconnect.next().broker);
  EXPECT_EQ(std::set<std::size_t>(first.begin(), first.end()).size(), 3U);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(reconnect.next().broker, first[static_cast<std::size_t>(i) % 3]);
}

TEST(Reconnect, ShufflesByItsSeed) {
  std::set<std::size_t> firsts;
  for (std::uint64_t seed = 0; seed < 50; ++seed) firsts.insert(Reconnect(3, seed).next().broker);
  EXPECT_EQ(firsts.size(), 3U);
}

TEST(Reconnect, BeginsAtTheBrokerBehindAfterASuccess) {
  Reconnect reconnect(2, 3);
  waits(reconnect, 4);
  const auto good = reconnect.next();
  reconnect.note_success();
  const auto next = reconnect.next();
  EXPECT_NE(next.broker, good.broker);
  EXPECT_EQ(next.wait.count(), 0);
  EXPECT_EQ(reconnect.next().broker, good.broker);
}

}  // namespace
}  // namespace gantry::amqp
