// SPDX-License-Identifier: Apache-2.0
#include "core/transport/session/budget.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace gantry::testing {
namespace {

using transport::Budget;
using transport::BudgetLease;

TEST(Budget, GrantsLeasesUpToItsBound) {
  const auto budget = std::make_shared<Budget>(10);
  const BudgetLease first(budget, 6);
  EXPECT_TRUE(first);
  const BudgetLease refused(budget, 5);
  EXPECT_FALSE(refused);
  const BudgetLease rest(budget, 4);
  EXPECT_TRUE(rest);
}

TEST(Budget, GetsBackTheAmountOfALeaseThatEnds) {
  const auto budget = std::make_shared<Budget>(1);
  {
    const BudgetLease lease(budget, 1);
    EXPECT_FALSE(BudgetLease(budget, 1));
  }
  BudgetLease released(budget, 1);
  EXPECT_TRUE(released);
  released.release();
  released.release();
  EXPECT_FALSE(released);
  const BudgetLease first(budget, 1);
  EXPECT_TRUE(first);
  EXPECT_FALSE(BudgetLease(budget, 1)) << "a lease gives back its amount once";
}

TEST(Budget, MovesALeaseWithoutTakingTwice) {
  const auto budget = std::make_shared<Budget>(2);
  BudgetLease lease(budget, 1);
  BudgetLease moved = std::move(lease);
  EXPECT_TRUE(moved);
  moved = BudgetLease(budget, 1);
  EXPECT_TRUE(BudgetLease(budget, 1)) << "the lease that was replaced is given back";
}

TEST(Budget, OutlivesItsOwnerThroughItsLeases) {
  auto budget = std::make_shared<Budget>(1);
  const BudgetLease lease(budget, 1);
  budget.reset();
  EXPECT_TRUE(lease);
}

TEST(Budget, IsNeverExceededByThreads) {
  const auto budget = std::make_shared<Budget>(3);
  std::atomic<int> held{0};
  std::atomic<int> exceeded{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 1000; ++round) {
        const BudgetLease lease(budget, 1);
        if (!lease) continue;
        if (++held > 3) ++exceeded;
        --held;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(exceeded, 0);
}

}  // namespace
}  // namespace gantry::testing
