// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/tables/row_claims.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <random>

#include "core/fleet/tables/row_state.hpp"

namespace gantry::fleet {
namespace {

using ::testing::ElementsAre;

class ClaimsOfARow : public ::testing::Test {
 protected:
  ClaimRecord& made(const std::string& consumer, std::vector<ClaimItem> items) {
    auto& record = records_.emplace_back();
    record.consumer_key = consumer;
    record.sequence = records_.size();
    record.claim.items = std::move(items);
    return record;
  }
  ClaimRecord& add(const std::string& consumer, std::vector<ClaimItem> items) {
    auto& record = made(consumer, std::move(items));
    claims.insert(record);
    return record;
  }
  RowClaims claims;

 private:
  std::deque<ClaimRecord> records_;
};

TEST_F(ClaimsOfARow, HoldTheSumOfEachResource) {
  auto& first = add("a", {{"vcpu", 2}, {"memory_mb", 512}});
  auto& second = add("b", {{"vcpu", 4}, {"gpu", 1}, {"gpu", 2}});
  EXPECT_EQ(claims.held("vcpu"), 6);
  EXPECT_EQ(claims.held("gpu"), 3);
  EXPECT_EQ(claims.held("disk_gb"), 0);
  EXPECT_EQ(claims.held("vcpu", std::array{&first}), 4);
  EXPECT_EQ(claims.held("gpu", std::array{&second}), 0);
  claims.erase(second);
  EXPECT_EQ(claims.held("vcpu"), 2);
  EXPECT_EQ(claims.held("gpu"), 0);
  claims.clear();
  EXPECT_EQ(claims.held("vcpu"), 0);
}

TEST_F(ClaimsOfARow, FindThoseOfAConsumerInTheOrderInWhichTheyWereMade) {
  auto& late = made("b", {});
  auto& later = made("b", {});
  add("c", {});
  claims.insert(later);
  claims.insert(late);
  auto& other = add("a", {});
  EXPECT_THAT(claims.of_consumer("b"), ElementsAre(&late, &later));
  EXPECT_THAT(claims.of_consumer("a"), ElementsAre(&other));
  EXPECT_TRUE(claims.of_consumer("nobody").empty());
}

// The expected sums are added up in the order of the consumers.
TEST_F(ClaimsOfARow, HoldTheSameSumsInWhateverOrderTheyComeAndGo) {
  std::mt19937 random(20261123);
  const auto below = [&random](std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random);
  };
  const std::vector<double> amounts{1, 7, 4294967296, 0, 0.1, 0.3, 1e18, 1e-9, 9007199254740993.0};
  std::vector<ClaimRecord*> present;
  for (int step = 0; step < 4000; ++step) {
    // Runs of whole amounts alone come between the others.
    const std::size_t kinds = (step / 500) % 2 == 0 ? 4 : amounts.size();
    if (present.empty() || below(2) == 0) {
      std::vector<ClaimItem> items;
      for (std::size_t count = below(4); count > 0; --count)
        items.push_back({std::string(1, static_cast<char>('r' + below(3))), amounts[below(kinds)]});
      present.push_back(&add("c" + std::to_string(below(50)), std::move(items)));
    } else {
      std::swap(present[below(present.size())], present.back());
      claims.erase(*present.back());
      present.pop_back();
    }
    std::vector<ClaimRecord*> except;
    std::sample(present.begin(), present.end(), std::back_inserter(except), below(3), random);
    for (const std::string resource : {"r", "s", "t"}) {
      double sum = 0;
      for (const auto* claim : claims.all())
        for (const auto& item : claim->claim.items)
          if (std::ranges::find(except, claim) == except.end() && item.resource == resource) sum += item.amount;
      ASSERT_EQ(claims.held(resource, except), sum) << "step " << step;
    }
    ASSERT_EQ(claims.all().size(), present.size());
  }
}

}  // namespace
}  // namespace gantry::fleet
