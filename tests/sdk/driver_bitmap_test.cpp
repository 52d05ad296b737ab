// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <gantry/driver/bitmap.hpp>
#include <gantry/driver/text.hpp>
#include <random>
#include <string>
#include <vector>

namespace gantry {
namespace {

std::vector<std::uint32_t> rows_of(const bits& set) {
  std::vector<std::uint32_t> rows;
  set.for_each([&](std::uint32_t row) { rows.push_back(row); });
  return rows;
}

TEST(Bitmap, CountsFindsAndVisitsTheSameRows) {
  std::mt19937_64 numbers(1);
  for (const std::uint32_t size : {1u, 63u, 64u, 65u, 130u, 1000u}) {
    std::vector<std::uint64_t> words(size / 64 + 1, 0);
    bitmap set(words.data(), size);
    std::vector<std::uint32_t> expected;
    for (std::uint32_t row = 0; row < size; ++row) {
      if (numbers() % 3 != 0) continue;
      set.set(row);
      expected.push_back(row);
    }
    EXPECT_EQ(rows_of(set), expected);
    ASSERT_EQ(set.count(), expected.size());
    EXPECT_EQ(set.none(), expected.empty());
    for (std::uint64_t n = 0; n < expected.size(); ++n) EXPECT_EQ(set.nth(n), expected[n]);
  }
}

TEST(Bitmap, IgnoresBitsBeyondTheLastRow) {
  const std::vector<std::uint64_t> host(2, ~std::uint64_t{0});
  const bits all(host.data(), 70);
  EXPECT_EQ(all.count(), 70u);
  std::vector<std::uint64_t> words(2, 0);
  bitmap set(words.data(), 70);
  set.assign(all);
  EXPECT_EQ(words[1], 0x3fu);
  EXPECT_EQ(rows_of(set).back(), 69u);
}

TEST(Bitmap, IntersectsAndSubtractsRows) {
  std::vector<std::uint64_t> words = {0b1111}, other = {0b0101};
  bitmap set(words.data(), 64);
  set.keep(bits(other.data(), 64));
  EXPECT_EQ(words[0], 0b0101u);
  other = {0b0001};
  set.remove(bits(other.data(), 64));
  EXPECT_EQ(words[0], 0b0100u);
  words = {0b1111};
  set.keep_if([](std::uint32_t row) { return row % 2 == 1; });
  EXPECT_EQ(words[0], 0b1010u);
}

TEST(Bitmap, IsEmptyForAViewWithoutRows) {
  const bits set(nullptr, 0);
  EXPECT_EQ(set.count(), 0u);
  EXPECT_TRUE(set.none());
}

TEST(NameSet, FindsNamesInShortAndLongLists) {
  std::vector<std::string> texts;
  std::vector<gantry_string> names;
  for (int index = 0; index < 100; ++index) texts.push_back("host-" + std::to_string(index));
  for (const std::string& name : texts) names.push_back(raw(name));
  for (const std::uint64_t count : {0u, 1u, 8u, 9u, 100u}) {
    const name_set set({names.data(), count});
    for (std::uint64_t index = 0; index < 100; ++index) EXPECT_EQ(set.contains(texts[index]), index < count);
    EXPECT_FALSE(set.contains("host"));
    EXPECT_FALSE(set.contains(""));
  }
}

}  // namespace
}  // namespace gantry
