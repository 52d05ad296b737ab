// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/tables/aggregate_sets.hpp"

#include <gtest/gtest.h>

namespace gantry::fleet {
namespace {

using Ids = std::vector<std::int64_t>;

std::map<std::int64_t, Aggregate> aggregates_of(const Ids& ids) {
  std::map<std::int64_t, Aggregate> aggregates;
  for (const auto id : ids) aggregates[id].id = id;
  return aggregates;
}

// The ids of a code's set, as a view shows them.
Ids ids_of(const AggregateList& list, const SetArrays& arrays, std::uint32_t code) {
  Ids ids;
  const auto slice = arrays.slices[code];
  for (std::uint32_t i = 0; i < slice.count; ++i) ids.push_back(list.items()[arrays.elements[slice.begin + i]].id);
  return ids;
}

TEST(AggregateSets, AnAggregateThatComesAndGoesTakesNoFurtherCodes) {
  AggregateSets sets;
  for (std::int64_t id = 1; id < 100; ++id) {
    sets.renew(aggregates_of({id}));
    const auto code = sets.code_of({id});
    EXPECT_EQ(ids_of(*sets.list(), *sets.arrays(), code), Ids{id});
    sets.renew({});
  }
  EXPECT_EQ(sets.count(), 2U);
  EXPECT_EQ(sets.arrays()->slices.size(), 2U);
}

TEST(AggregateSets, ACodeThatWasFreedMeansAnotherSetUnderAnotherVersionAlone) {
  AggregateSets sets;
  sets.renew(aggregates_of({1, 2}));
  const auto both = sets.code_of({1, 2});
  const auto second = sets.code_of({2});
  const auto pinned_list = sets.list();
  const auto pinned = sets.arrays();
  sets.renew(aggregates_of({2, 3}));
  const auto version = sets.arrays()->version;
  EXPECT_EQ(sets.code_of({3}), both);
  EXPECT_NE(sets.arrays()->version, version);
  EXPECT_EQ(sets.code_of({2}), second);
  EXPECT_EQ(ids_of(*sets.list(), *sets.arrays(), both), Ids{3});
  EXPECT_EQ(ids_of(*pinned_list, *pinned, both), (Ids{1, 2}));
}

}  // namespace
}  // namespace gantry::fleet
