// SPDX-License-Identifier: Apache-2.0
//
// The filter driver's comparisons of up to 64 rows at once: the same bits as row by row, and nothing read behind the
// last.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "plugins/filter/hosts/wide.hpp"

namespace filter_driver {
namespace {

class Words : public ::testing::Test {
 protected:
  // For words of each size, of few different values.
  template <class Value, class Check>
  void for_each_size(const std::vector<Value>& values, Check&& check) {
    const auto any = [&] { return values[random_() % values.size()]; };
    for (std::size_t count = 1; count <= 64; ++count) {
      std::vector<Value> a(count);  // of exactly that size: reading behind it would be found
      std::vector<Value> b(count);
      for (auto& each : a) each = any();
      for (auto& each : b) each = any();
      check(count, a, b);
    }
  }

  template <class Holds>
  static std::uint64_t rows_where(std::size_t count, Holds&& holds) {
    std::uint64_t rows = 0;
    for (std::size_t row = 0; row < count; ++row) rows |= std::uint64_t{holds(row)} << row;
    return rows;
  }

  std::mt19937_64 random_{std::random_device{}()};
};

TEST_F(Words, FindsEqualDoublesAsByRows) {
  for_each_size<double>({0.0, -0.0, 1.5, std::numeric_limits<double>::quiet_NaN()}, [](std::size_t count, const auto& a,
                                                                                       const auto&) {
    for (const double wanted : {0.0, 1.5, std::numeric_limits<double>::quiet_NaN()})
      EXPECT_EQ(equal_in_word(count, a.data(), wanted), rows_where(count, [&](auto row) { return a[row] == wanted; }))
          << wanted << " in " << count;
  });
}

TEST_F(Words, FindsEqualWholeNumbersAsByRows) {
  const auto check = [](std::size_t count, const auto& a, const auto&) {
    EXPECT_EQ(equal_in_word(count, a.data(), a[0]), rows_where(count, [&](auto row) { return a[row] == a[0]; }))
        << count;
  };
  for_each_size<std::uint64_t>({0, 1, UINT64_MAX}, check);
  for_each_size<std::int64_t>({0, -1, INT64_MIN}, check);
  for_each_size<std::uint32_t>({0, 1, UINT32_MAX}, check);
}

TEST_F(Words, LooksUpEntriesAsByRows) {
  const std::vector<std::uint32_t> table{0, 1, 2, 3, 1, 2};
  for_each_size<std::uint32_t>({0, 1, 2, 3, 4, 5}, [&](std::size_t count, const auto& codes, const auto&) {
    const auto found = look_up_in_word(count, codes.data(), table.data());
    EXPECT_EQ(found.first, rows_where(count, [&](auto row) { return (table[codes[row]] & 1) != 0; })) << count;
    EXPECT_EQ(found.second, rows_where(count, [&](auto row) { return (table[codes[row]] & 2) != 0; })) << count;
  });
}

TEST_F(Words, FindsDifferingRowsAsByRows) {
  for_each_size<std::uint64_t>({0, 7}, [](std::size_t count, const auto& a, const auto& b) {
    EXPECT_EQ(differing_in_word(count, a.data(), b.data()),
              rows_where(count, [&](auto row) { return a[row] != b[row]; }))
        << count;
  });
}

TEST_F(Words, FindsAZeroAtEachPlace) {
  for (std::size_t count = 1; count <= 130; ++count) {
    std::vector<std::uint64_t> values(count, 5);
    EXPECT_FALSE(has_zero(values.data(), count));
    values[random_() % count] = 0;
    EXPECT_TRUE(has_zero(values.data(), count)) << count;
  }
}

TEST_F(Words, FindsRowsWithEqualKeysInEachColumnTogether) {
  const std::vector<std::uint64_t> ids{1, 1, 2, 1};
  const std::vector<double> versions{3, 4, 3, 3};
  EXPECT_EQ(equals_in_word(4, 0, ids.data(), versions.data()), 0b1001U);
}

}  // namespace
}  // namespace filter_driver
