// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/tables/aggregate_sets.hpp"

#include <gtest/gtest.h>

namespace gantry::fleet {
namespace {

using Ids = std::vector<std::int64_t>;

Aggregate aggregate(std::int64_t id) {
  Aggregate made;
  made.id = id;
  return made;
}

// The ids of a code's set, as a view shows them.
Ids ids_of(const AggregateList& list, const ShownSets& sets, std::uint32_t code) {
  Ids ids;
  const auto slice = sets.arrays->slices[code];
  for (std::uint32_t i = 0; i < slice.count; ++i)
    ids.push_back(list.items()[sets.arrays->elements[slice.begin + i]].id);
  return ids;
}

TEST(AggregateSets, ASetThatComesAgainHasItsCodeAgain) {
  AggregateSets sets;
  for (const std::int64_t id : {1, 2}) sets.put(aggregate(id));
  const auto both = sets.acquire({1, 2});
  const auto second = sets.acquire({2});
  const auto version = sets.shown().version;
  sets.release(both);
  EXPECT_EQ(sets.acquire({1, 2}), both);
  EXPECT_EQ(sets.acquire({}), 0U);
  EXPECT_NE(both, second);
  EXPECT_EQ(sets.shown().count, 3U);
  EXPECT_EQ(sets.shown().version, version);
  EXPECT_EQ(ids_of(*sets.list(), sets.shown(), both), (Ids{1, 2}));
}

TEST(AggregateSets, NewSetsLeaveWhatACopyReadsAsItIs) {
  AggregateSets sets;
  for (std::int64_t id = 1; id <= 200; ++id) sets.put(aggregate(id));
  const auto first = sets.acquire({7, 9});
  const auto list = sets.list();
  const auto pinned = sets.shown();
  for (std::int64_t id = 1; id < 200; ++id) sets.acquire({id, id + 1});
  EXPECT_EQ(sets.shown().version, pinned.version);
  EXPECT_EQ(sets.shown().count, 201U);
  sets.remove(7);
  EXPECT_NE(sets.shown().version, pinned.version);
  EXPECT_EQ(ids_of(*list, pinned, first), (Ids{7, 9}));
}

TEST(AggregateSets, RebuildingRenumbersTheSetsThatAreUsed) {
  AggregateSets sets;
  for (std::int64_t id = 1; id <= 3000; ++id) sets.put(aggregate(id));
  std::vector<std::uint32_t> codes;
  for (std::int64_t id = 1; id <= 3000; ++id) codes.push_back(sets.acquire({id}));
  for (std::size_t at = 0; at + 1 < codes.size(); ++at) sets.release(codes[at]);
  ASSERT_TRUE(sets.wasteful());
  const auto version = sets.shown().version;
  const auto renumbered = sets.rebuild();
  EXPECT_FALSE(sets.wasteful());
  EXPECT_EQ(renumbered[codes.front()], 0U);
  EXPECT_EQ(renumbered[codes.back()], 1U);
  EXPECT_EQ(sets.shown().count, 2U);
  EXPECT_NE(sets.shown().version, version);
  EXPECT_EQ(ids_of(*sets.list(), sets.shown(), 1), Ids{3000});
}

}  // namespace
}  // namespace gantry::fleet
