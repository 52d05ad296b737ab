// SPDX-License-Identifier: Apache-2.0
#include "core/nova/mirror/uuid_index.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/encoding/uuid.hpp"

namespace gantry::nova {
namespace {

TEST(UuidIndex, FindsTheRowsOfManyUuids) {
  constexpr std::uint32_t count = 5'000;
  std::vector<std::string> uuids;
  UuidIndex index;
  EXPECT_EQ(index.find(to_text(random_uuid())), UuidIndex::none);
  index.reset(count);
  for (std::uint32_t row = 0; row < count; ++row) {
    uuids.push_back(to_text(random_uuid()));
    EXPECT_TRUE(index.insert(uuids.back(), row));
  }
  for (std::uint32_t row = 0; row < count; ++row) EXPECT_EQ(index.find(uuids[row]), row);
  EXPECT_EQ(index.find(to_text(random_uuid())), UuidIndex::none);
  EXPECT_FALSE(index.insert(uuids.front(), count));
  index.reset(0);
  EXPECT_EQ(index.find(uuids.front()), UuidIndex::none);
}

TEST(UuidIndex, TakesUuidsThatDifferInOneDigit) {
  UuidIndex index;
  index.reset(36);
  const std::string uuid = "00000000-0000-0000-0000-000000000000";
  for (std::uint32_t at = 0; at < uuid.size(); ++at) {
    auto other = uuid;
    other[at] = '7';
    EXPECT_TRUE(index.insert(other, at));
  }
  EXPECT_EQ(index.find("00000000-0000-0000-0000-000000000007"), 35U);
  EXPECT_EQ(index.find(uuid), UuidIndex::none);
}

TEST(UuidIndex, TakesOtherNames) {
  UuidIndex index;
  index.reset(2);
  EXPECT_TRUE(index.insert("one", 1));
  EXPECT_FALSE(index.insert("one", 2));
  EXPECT_TRUE(index.insert("", 3));
  EXPECT_EQ(index.find("one"), 1U);
  EXPECT_EQ(index.find(""), 3U);
  EXPECT_EQ(index.find("two"), UuidIndex::none);
}

}  // namespace
}  // namespace gantry::nova
