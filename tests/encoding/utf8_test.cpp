// SPDX-License-Identifier: Apache-2.0
#include "core/encoding/utf8.hpp"

#include <gtest/gtest.h>

namespace gantry {
namespace {

TEST(Utf8, KnowsHowLongACharacterIs) {
  EXPECT_EQ(utf8_front_length("a"), 1U);
  EXPECT_EQ(utf8_front_length("\xc3\xa9x"), 2U);
  EXPECT_EQ(utf8_front_length("\xe2\x82\xac"), 3U);
  EXPECT_EQ(utf8_front_length("\xf4\x8f\xbf\xbf"), 4U);
}

TEST(Utf8, RefusesOverlongSurrogateAndOutsideCharacters) {
  for (const char* text :
       {"", "\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80",
        "\xf5\x80\x80\x80", "\xff", "\xc3", "\xe2\x82", "\xe2\x28\xa1", "\xe2\x82\x28"}) {
    EXPECT_EQ(utf8_front_length(text), 0U) << text;
  }
}

TEST(Utf8, ATextIsUtf8IfEachOfItsCharactersIs) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("caf\xc3\xa9"));
  EXPECT_FALSE(is_utf8("caf\xc3"));
}

}  // namespace
}  // namespace gantry
