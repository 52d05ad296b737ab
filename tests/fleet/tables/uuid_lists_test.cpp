// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/tables/uuid_lists.hpp"

#include <gtest/gtest.h>

#include <random>

#include "core/fleet/cells/uuid_hash.hpp"

namespace gantry::fleet {
namespace {

TEST(UuidLists, KeepsEachRowsListThroughGrowthShrinkingAndCompaction) {
  ColumnStorage slices(GANTRY_TYPE_UUIDS, false);
  UuidLists lists;
  std::vector<std::vector<gantry_uuid>> model;
  std::mt19937 random(7);
  for (int turn = 0; turn < 20'000; ++turn) {
    if (turn % 500 == 0) {
      model.resize(20 + random() % 40);
      slices.resize(static_cast<std::uint32_t>(model.size()));
      lists.resize(static_cast<std::uint32_t>(model.size()));
    }
    const auto row = static_cast<std::uint32_t>(random() % model.size());
    model[row].resize(random() % 60);
    for (auto& uuid : model[row]) uuid.bytes[0] = static_cast<std::uint8_t>(random());
    lists.set(slices, row, model[row]);
    lists.compact(slices);
    if (turn % 50 != 0) continue;
    for (std::uint32_t at = 0; at < model.size(); ++at) {
      const auto list = lists.list(slices, at);
      ASSERT_TRUE(std::equal(list.begin(), list.end(), model[at].begin(), model[at].end(), UuidEqual())) << turn;
    }
  }
}

}  // namespace
}  // namespace gantry::fleet
