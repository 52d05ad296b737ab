// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/store/store_fixture.hpp"

namespace gantry::store {
namespace {

class StoreTimesTest : public StoreTest {};

TEST_F(StoreTimesTest, CountEachTransactionAndNothingThatWaitsAfterwards) {
  const auto store = opened();
  ASSERT_NE(store->times(), nullptr);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(committed(*store, put(std::to_string(i), "{}")));
    store->flush();
  }
  EXPECT_EQ(store->times()->commit.read().count(), 3U);
  EXPECT_EQ(store->times()->queue.read().count(), 3U);
  EXPECT_EQ(store->times()->waiting.load(), 0U);
  EXPECT_EQ(store->times()->waiting_bytes.load(), 0U);
}

TEST_F(StoreTimesTest, LeaveOutABatchWithoutChanges) {
  const auto store = opened();
  ASSERT_TRUE(committed(*store, {}));
  EXPECT_EQ(store->times()->commit.read().count(), 0U);
}

}  // namespace
}  // namespace gantry::store
