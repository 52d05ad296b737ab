// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/tables/change_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <thread>
#include <vector>

namespace gantry::fleet {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;

std::optional<std::vector<std::uint32_t>> between(const ChangeLog& log, std::uint64_t since, std::uint64_t until,
                                                  std::size_t most = 100) {
  std::vector<std::uint32_t> rows(most);
  const auto count = log.rows_between(since, until, true, rows);
  if (!count) return std::nullopt;
  rows.resize(*count);
  return rows;
}

TEST(ChangeLog, NamesTheRowsOfTheGenerationsBetween) {
  ChangeLog log;
  log.row_changed(2, 7);
  log.row_changed(3, 7);
  log.no_row_changed(4);
  log.row_changed(5, 9);
  EXPECT_THAT(between(log, 1, 5), Optional(ElementsAre(7, 9)));
  EXPECT_THAT(between(log, 3, 5), Optional(ElementsAre(9)));
  EXPECT_THAT(between(log, 3, 4), Optional(IsEmpty()));
  EXPECT_THAT(between(log, 5, 5), Optional(IsEmpty()));
}

TEST(ChangeLog, LeavesOutRowsInWhichOnlyTimesChanged) {
  ChangeLog log;
  log.row_changed(2, 7, true);
  log.row_changed(3, 8);
  log.row_changed(4, 9, true);
  EXPECT_THAT(between(log, 1, 4), Optional(ElementsAre(7, 8, 9)));
  std::vector<std::uint32_t> rows(8);
  ASSERT_EQ(log.rows_between(1, 4, false, rows), 1U);
  EXPECT_EQ(rows[0], 8U);
}

TEST(ChangeLog, ReturnsNothingIfAnyRowMayHaveChanged) {
  ChangeLog log;
  log.row_changed(2, 7);
  log.any_row_changed(3);
  log.row_changed(4, 8);
  EXPECT_EQ(between(log, 1, 4), std::nullopt);
  EXPECT_THAT(between(log, 3, 4), Optional(ElementsAre(8)));
}

TEST(ChangeLog, ReturnsNothingIfTheRowsDoNotFitOrAreLater) {
  ChangeLog log;
  for (std::uint32_t row = 0; row < 4; ++row) log.row_changed(row + 2, row);
  EXPECT_THAT(between(log, 1, 5, 4), Optional(ElementsAre(0, 1, 2, 3)));
  EXPECT_EQ(between(log, 1, 5, 3), std::nullopt);
  EXPECT_EQ(between(log, 5, 4), std::nullopt);
}

TEST(ChangeLog, ForgetsOldChanges) {
  ChangeLog log;
  constexpr std::uint64_t last = 70'000;
  for (std::uint64_t generation = 2; generation <= last; ++generation) log.row_changed(generation, 5);
  EXPECT_EQ(between(log, last - 65'537, last), std::nullopt);
  EXPECT_THAT(between(log, last - 65'536, last), Optional(ElementsAre(5)));
}

// Each generation's row is its number modulo a prime: what was overwritten would show.
TEST(ChangeLog, IsReadWhileItIsWritten) {
  ChangeLog log;
  std::atomic<std::uint64_t> latest{1};
  std::thread writer([&] {
    for (std::uint64_t generation = 2; generation < 400'000; ++generation) {
      log.row_changed(generation, static_cast<std::uint32_t>(generation % 65'521));
      latest.store(generation, std::memory_order_release);
    }
  });
  for (std::uint64_t until = 1; until < 399'999;) {
    until = latest.load(std::memory_order_acquire);
    const auto since = until > 64 ? until - 64 : 1;
    const auto rows = between(log, since, until);
    if (!rows) continue;
    ASSERT_EQ(rows->size(), until - since);
    for (std::size_t i = 0; i < rows->size(); ++i) ASSERT_EQ((*rows)[i], (since + 1 + i) % 65'521);
  }
  writer.join();
}

}  // namespace
}  // namespace gantry::fleet
