// SPDX-License-Identifier: Apache-2.0
#include "core/nova/rpc/recent_ids.hpp"

#include <gtest/gtest.h>

namespace gantry::nova {
namespace {

TEST(RecentIds, KnowTheLastOnes) {
  RecentIds ids;
  for (std::size_t i = 0; i < RecentIds::kept; ++i) EXPECT_FALSE(ids.is_repeated(std::to_string(i)));
  for (std::size_t i = 0; i < RecentIds::kept; ++i) EXPECT_TRUE(ids.is_repeated(std::to_string(i)));
  EXPECT_FALSE(ids.is_repeated(std::to_string(RecentIds::kept)));
  EXPECT_FALSE(ids.is_repeated("0"));
  EXPECT_TRUE(ids.is_repeated("2"));
}

TEST(RecentIds, TakeMessagesWithoutAnIdForDifferentOnes) {
  RecentIds ids;
  EXPECT_FALSE(ids.is_repeated(""));
  EXPECT_FALSE(ids.is_repeated(""));
}

}  // namespace
}  // namespace gantry::nova
