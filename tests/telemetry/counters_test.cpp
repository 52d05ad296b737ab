// SPDX-License-Identifier: Apache-2.0
#include "core/telemetry/counters.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace gantry::telemetry {
namespace {

TEST(Counters, AddUpByNameAndLabel) {
  Counters counters;
  counters.add("requests", "compute", 2);
  counters.add("requests", "volume", 1);
  counters.add("requests", "compute", 3);
  counters.add("casts", "", 1);
  const auto list = counters.list();
  ASSERT_EQ(list.size(), 3U);
  EXPECT_EQ(list[0].name, "casts");
  EXPECT_EQ(list[1].label, "compute");
  EXPECT_EQ(list[1].value, 5U);
  EXPECT_EQ(list[2].label, "volume");
}

TEST(Counters, NameAndLabelDoNotRunTogether) {
  Counters counters;
  counters.add("ab", "c", 1);
  counters.add("a", "bc", 1);
  EXPECT_EQ(counters.list().size(), 2U);
}

TEST(Counters, KeepAThousandAndDropLaterNewOnes) {
  Counters counters;
  for (int i = 0; i < 1500; ++i) counters.add("name", std::to_string(i), 1);
  counters.add("name", "7", 1);
  EXPECT_EQ(counters.list().size(), 1000U);
  for (const auto& entry : counters.list()) EXPECT_EQ(entry.value, entry.label == "7" ? 2U : 1U);
}

TEST(Counters, LoseNothingBetweenThreads) {
  Counters counters;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 10'000; ++i) counters.add("n", std::to_string(i % 10), 1);
    });
  }
  for (auto& thread : threads) thread.join();
  std::uint64_t sum = 0;
  for (const auto& entry : counters.list()) sum += entry.value;
  EXPECT_EQ(sum, 40'000U);
}

}  // namespace
}  // namespace gantry::telemetry
