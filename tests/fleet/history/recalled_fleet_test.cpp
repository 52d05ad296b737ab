// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/history/recalled_fleet.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/fleet/snapshot.hpp"

namespace gantry::fleet::testing {
namespace {

using ::testing::HasSubstr;

class RecalledFleetTest : public ::testing::Test {
 protected:
  RecalledFleetTest() { fleet_.keep_history(std::size_t{1} << 20); }

  // A moment after a host has reported so much memory in use.
  Moment after_report(std::string_view host, int memory_mb_used) {
    put(fleet_, report(host, host,
                       R"({"vcpus":8,"memory_mb":4096,"numa_topology":{"cells":[1,2]},"memory_mb_used":)" +
                           std::to_string(memory_mb_used) + "}"));
    return fleet_.pin(noon);
  }

  Fleet fleet_{{}};
};

TEST_F(RecalledFleetTest, ShowsEachMomentAsItWasThen) {
  const auto first = after_report("h1", 100);
  fleet_.put_aggregate({7, "", "fast", {{"ssd", "true"}, {"availability_zone", "az1"}}, {"h1"}});
  const auto second = after_report("h2", 200);
  const auto third = after_report("h1", 300);
  const auto chunk = fleet_.take_history();
  for (const auto* moment : {&first, &second, &third}) {
    RecalledFleet recalled;
    ASSERT_TRUE(recalled.apply(chunk, moment->number()));
    EXPECT_EQ(snapshot(recalled.moment()), snapshot(*moment)) << moment->number();
  }
}

TEST_F(RecalledFleetTest, ShowsNoGenerationThatADriverCouldKeepAnswersBy) {
  const auto moment = after_report("h1", 100);
  RecalledFleet recalled;
  ASSERT_TRUE(recalled.apply(fleet_.take_history(), moment.number()));
  EXPECT_EQ(recalled.moment().view("compute")->generation, 0U);
}

TEST_F(RecalledFleetTest, NeedsNothingFromBeforeTheWholeContentOfAMoment) {
  const auto first = after_report("h1", 100);
  fleet_.take_history();
  const auto whole = whole_facts(first);
  const auto second = after_report("h2", 200);
  RecalledFleet recalled;
  ASSERT_TRUE(recalled.apply(whole, second.number()));
  ASSERT_TRUE(recalled.apply(fleet_.take_history(), second.number()));
  EXPECT_EQ(recalled.number(), second.number());
  EXPECT_EQ(snapshot(recalled.moment()), snapshot(second));
}

TEST_F(RecalledFleetTest, SaysWhichMomentsAreMissing) {
  after_report("h1", 100);
  const auto beginning = fleet_.take_history();
  after_report("h1", 200);
  fleet_.take_history();
  const auto last = after_report("h1", 300);
  RecalledFleet recalled;
  ASSERT_TRUE(recalled.apply(beginning, last.number()));
  const auto applied = recalled.apply(fleet_.take_history(), last.number());
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().code, ErrorCode::failed_precondition);
  EXPECT_THAT(applied.error().message, HasSubstr("lacks moments 2 to 2"));
}

TEST_F(RecalledFleetTest, BeginsAnewWhenMoreIsLeftUntakenThanMayBe) {
  Fleet fleet{{}};
  fleet.keep_history(20'000);
  fleet.put_service(service("h1"));
  Moment last;
  for (int at = 0; at < 2000; ++at) {
    put(fleet, report("h1", "h1", R"({"memory_mb":)" + std::to_string(at) + "}"));
    last = fleet.pin(noon);
  }
  const auto chunk = fleet.take_history();
  EXPECT_LT(chunk.bytes.size(), 25'000U);
  EXPECT_TRUE(chunk.begins_whole);
  RecalledFleet recalled;
  ASSERT_TRUE(recalled.apply(chunk, last.number()));
  EXPECT_EQ(snapshot(recalled.moment()), snapshot(last));
}

TEST_F(RecalledFleetTest, ADisabledHistoryNumbersNoMoment) {
  Fleet other{{}};
  EXPECT_EQ(other.pin(noon).number(), 0U);
  EXPECT_TRUE(other.take_history().empty());
}

TEST_F(RecalledFleetTest, RefusesDamagedBytesOrShowsSomethingButNeverEndsTheProcess) {
  fleet_.put_aggregate({7, "", "fast", {{"ssd", "true"}}, {"h1"}});
  fleet_.put_instance(instance(1, "h1", "h1"));
  after_report("h1", 100);
  const auto last = after_report("h2", 200);
  const auto sound = fleet_.take_history();
  std::mt19937_64 random(4711);
  int refused = 0;
  for (int at = 0; at < 4000; ++at) {
    auto damaged = sound;
    for (int times = 0; times < 3; ++times)
      damaged.bytes[random() % damaged.bytes.size()] = static_cast<char>(random());
    if (at % 4 == 0) damaged.bytes.resize(random() % damaged.bytes.size());
    RecalledFleet recalled;
    const auto applied = recalled.apply(damaged, last.number());
    if (!applied) {
      ++refused;
      EXPECT_EQ(applied.error().code, ErrorCode::internal);
    }
  }
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace gantry::fleet::testing
