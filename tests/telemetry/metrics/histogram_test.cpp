// SPDX-License-Identifier: Apache-2.0
#include "core/telemetry/metrics/histogram.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace gantry::telemetry {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

TEST(Histogram, CountsADurationInTheBucketWhoseBoundItDoesNotExceed) {
  Histogram histogram;
  histogram.observe(microseconds(5));
  histogram.observe(microseconds(5) + std::chrono::nanoseconds(1));
  histogram.observe(seconds(60));
  const auto reading = histogram.read();
  EXPECT_EQ(reading.counts[0], 1U);
  EXPECT_EQ(reading.counts[1], 1U);
  EXPECT_EQ(reading.counts.back(), 1U);
  EXPECT_EQ(reading.count(), 3U);
}

TEST(Histogram, KnowsMeanLastAndLongest) {
  Histogram histogram;
  for (const auto each : {30, 10, 20}) histogram.observe(microseconds(each));
  const auto reading = histogram.read();
  EXPECT_EQ(reading.mean(), microseconds(20));
  EXPECT_EQ(reading.last, microseconds(20));
  EXPECT_EQ(reading.longest, microseconds(30));
}

TEST(Histogram, TakesANegativeDurationForNone) {
  Histogram histogram;
  histogram.observe(microseconds(-7));
  EXPECT_EQ(histogram.read().sum, microseconds(0));
  EXPECT_EQ(histogram.read().counts[0], 1U);
}

TEST(Histogram, HasQuantilesWithinTheBucketAndNeverBeyondTheLongest) {
  Histogram histogram;
  for (int i = 0; i < 98; ++i) histogram.observe(microseconds(60));
  histogram.observe(microseconds(700));
  histogram.observe(microseconds(700));
  const auto reading = histogram.read();
  EXPECT_GT(reading.quantile(0.5), microseconds(50));
  EXPECT_LE(reading.quantile(0.5), microseconds(100));
  EXPECT_GT(reading.quantile(0.99), microseconds(500));
  EXPECT_LE(reading.quantile(1.0), microseconds(700));
}

TEST(Histogram, SaysNothingOfNothing) {
  const auto reading = Histogram().read();
  EXPECT_EQ(reading.count(), 0U);
  EXPECT_EQ(reading.mean(), microseconds(0));
  EXPECT_EQ(reading.quantile(0.99), microseconds(0));
}

TEST(Histogram, TellsWhatCameSinceAnEarlierReading) {
  Histogram histogram;
  histogram.observe(microseconds(10));
  const auto before = histogram.read();
  histogram.forget_extremes();
  histogram.observe(microseconds(20));
  const auto since = histogram.read().since(before);
  EXPECT_EQ(since.count(), 1U);
  EXPECT_EQ(since.mean(), microseconds(20));
  EXPECT_EQ(since.longest, microseconds(20));
}

TEST(Histogram, LosesNothingBetweenThreads) {
  Histogram histogram;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&histogram, t] {
      for (int i = 0; i < 1000; ++i) histogram.observe(microseconds(t * 100));
    });
  }
  threads.clear();
  EXPECT_EQ(histogram.read().count(), 4000U);
  EXPECT_EQ(histogram.read().sum, microseconds(600 * 1000));
  EXPECT_EQ(histogram.read().longest, microseconds(300));
}

}  // namespace
}  // namespace gantry::telemetry
