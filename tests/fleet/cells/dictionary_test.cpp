// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/cells/dictionary.hpp"

#include <gtest/gtest.h>

#include <string>

namespace gantry::fleet {
namespace {

std::string_view text_in(const DictionaryArray& array, std::uint32_t code) {
  return {array.strings[code].data, static_cast<std::size_t>(array.strings[code].size)};
}

TEST(Dictionary, GivesOneTextOneCodeAndTheEmptyTextCodeZero) {
  Dictionary dictionary;
  EXPECT_EQ(dictionary.acquire(""), 0u);
  const auto code = dictionary.acquire("a");
  EXPECT_EQ(dictionary.acquire("a"), code);
  EXPECT_NE(dictionary.acquire("b"), code);
  EXPECT_EQ(dictionary.text(code), "a");
}

TEST(Dictionary, AnArrayTakenEarlierStaysReadableWhileCodesAreAdded) {
  Dictionary dictionary;
  const auto code = dictionary.acquire("first");
  const auto taken = dictionary.array();
  for (int at = 0; at < 10'000; ++at) dictionary.acquire("text " + std::to_string(at));
  EXPECT_EQ(text_in(*taken, code), "first");
  EXPECT_EQ(dictionary.text(code), "first");
  EXPECT_EQ(dictionary.version(), taken->version);
  EXPECT_EQ(dictionary.count(), 10'002u);
}

TEST(Dictionary, AnUnusedCodeIsUsedAgainForItsText) {
  Dictionary dictionary;
  const auto code = dictionary.acquire("a");
  dictionary.release(code);
  EXPECT_EQ(dictionary.acquire("a"), code);
}

TEST(Dictionary, IsWastefulWhenMostCodesAreUnusedAndARebuildKeepsTheOthers) {
  Dictionary dictionary;
  const auto kept = dictionary.acquire("kept");
  for (int at = 0; at < 5'000; ++at) dictionary.release(dictionary.acquire("text " + std::to_string(at)));
  ASSERT_TRUE(dictionary.wasteful());
  const auto taken = dictionary.array();
  const auto codes = dictionary.rebuild();
  EXPECT_NE(dictionary.version(), taken->version);
  EXPECT_EQ(dictionary.count(), 2u);
  EXPECT_EQ(dictionary.text(codes[kept]), "kept");
  EXPECT_EQ(codes[0], 0u);
  EXPECT_EQ(text_in(*taken, kept), "kept");
  dictionary.release(codes[kept]);
  EXPECT_FALSE(dictionary.wasteful());
}

}  // namespace
}  // namespace gantry::fleet
