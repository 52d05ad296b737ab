// SPDX-License-Identifier: Apache-2.0
#include "core/telemetry/metrics/named_counters.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <thread>
#include <vector>

namespace gantry::telemetry {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(NamedCounters, AddUpByNameInTheOrderOfNames) {
  NamedCounters counters;
  counters.add("ram");
  counters.add("disk", 7);
  counters.add("ram", 2);
  EXPECT_THAT(counters.read(), ElementsAre(Pair("disk", 7U), Pair("ram", 3U)));
}

TEST(NamedCounters, TakeAnEmptyNameForOther) {
  NamedCounters counters;
  counters.add("", 2);
  counters.add("other", 1);
  EXPECT_THAT(counters.read(), ElementsAre(Pair("other", 3U)));
}

TEST(NamedCounters, CutLongNames) {
  NamedCounters counters;
  counters.add(std::string(1000, 'x'));
  EXPECT_EQ(counters.read().front().first.size(), NamedCounters::longest_name);
}

TEST(NamedCounters, CountNamesBeyondTheBoundTogether) {
  NamedCounters counters;
  for (std::size_t i = 0; i < NamedCounters::most_names + 50; ++i) counters.add("step" + std::to_string(i));
  const auto read = counters.read();
  EXPECT_EQ(read.size(), NamedCounters::most_names + 1);
  const auto other = std::ranges::find(read, "other", &std::pair<std::string, std::uint64_t>::first);
  ASSERT_NE(other, read.end());
  EXPECT_EQ(other->second, 50U);
}

TEST(NamedCounters, AgreeOnNewNamesBetweenThreads) {
  NamedCounters counters;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&counters] {
      for (int i = 0; i < 1000; ++i) counters.add("step" + std::to_string(i % 200));
    });
  }
  threads.clear();
  const auto read = counters.read();
  const auto sum = std::accumulate(read.begin(), read.end(), std::uint64_t{0},
                                   [](auto all, const auto& each) { return all + each.second; });
  EXPECT_EQ(sum, 4000U);
  EXPECT_LE(read.size(), NamedCounters::most_names + 1);
}

}  // namespace
}  // namespace gantry::telemetry
