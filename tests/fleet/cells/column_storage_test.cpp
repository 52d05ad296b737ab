// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "core/fleet/cells/column_storage.hpp"

namespace gantry::fleet {
namespace {

using Cells = std::vector<std::optional<double>>;

void expect_cells(const ColumnStorage& column, const Cells& cells) {
  ASSERT_EQ(column.rows(), cells.size());
  bool all = true;
  for (std::uint32_t row = 0; row < cells.size(); ++row) {
    EXPECT_EQ(column.number(row), cells[row]) << row;
    all = all && cells[row];
  }
  EXPECT_EQ(column.validity() == nullptr, all);
}

TEST(ColumnStorage, HasABitmapOnlyWhileARowHasNoValue) {
  ColumnStorage column(GANTRY_TYPE_F64, true);
  EXPECT_EQ(column.validity(), nullptr);
  column.resize(2);
  EXPECT_NE(column.validity(), nullptr);
  column.set_f64(0, 1.0);
  column.set_f64(1, 2.0);
  EXPECT_EQ(column.validity(), nullptr);
  column.set_f64(1, std::nullopt);
  ASSERT_NE(column.validity(), nullptr);
  EXPECT_EQ(column.validity()[0], 1U);
  column.resize(1);
  EXPECT_EQ(column.validity(), nullptr) << "the row without a value is gone";
}

TEST(ColumnStorage, KeepsItsCellsThroughAnyHistory) {
  const auto seed = std::random_device{}();
  std::mt19937 random(seed);
  const auto below = [&random](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
  std::vector<ColumnStorage> columns;
  for (int i = 0; i < 2; ++i) columns.emplace_back(GANTRY_TYPE_F64, true);
  std::vector<Cells> cells(2);
  for (int step = 0; step < 4'000; ++step) {
    const auto which = below(2);
    auto& column = columns[which];
    auto& known = cells[which];
    const auto& other = cells[1 - which];
    switch (below(8)) {
      case 0:
        known.resize(below(140));
        column.resize(static_cast<std::uint32_t>(known.size()));
        break;
      case 1:
        column.copy_all(columns[1 - which]);
        known = other;
        break;
      case 2:
        if (!known.empty() && !other.empty()) {
          const auto to = below(column.rows());
          const auto from = below(columns[1 - which].rows());
          column.copy_cell(columns[1 - which], from, to);
          known[to] = other[from];
        }
        break;
      default:
        for (std::uint32_t row = 0; row < known.size(); ++row) {
          known[row] = below(200) == 0 ? std::nullopt : std::optional(static_cast<double>(below(5)));
          column.set_f64(row, known[row]);
        }
    }
    expect_cells(column, known);
    if (::testing::Test::HasFailure()) FAIL() << "seed " << seed << ", step " << step;
  }
}

}  // namespace
}  // namespace gantry::fleet
