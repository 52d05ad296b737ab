// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/profiles/pattern.hpp"

#include <gtest/gtest.h>

#include <string>

namespace gantry::scheduling {
namespace {

TEST(Pattern, WithoutAStarIsOneText) {
  EXPECT_TRUE(matches("g1.small", "g1.small"));
  EXPECT_FALSE(matches("g1.small", "g1.smaller"));
  EXPECT_FALSE(matches("g1.small", "g1xsmall"));
  EXPECT_TRUE(matches("", ""));
}

TEST(Pattern, HasAStarForAnyTextAndForNone) {
  EXPECT_TRUE(matches("g1.*", "g1."));
  EXPECT_TRUE(matches("g1.*", "g1.large"));
  EXPECT_FALSE(matches("g1.*", "xg1.large"));
  EXPECT_TRUE(matches("*.gpu.*", "a.b.gpu.c"));
  EXPECT_TRUE(matches("a*b*c", "aXbbYc"));
  EXPECT_FALSE(matches("a*b*c", "aXbbY"));
  EXPECT_TRUE(matches("**", "x"));
}

TEST(Pattern, OfManyStarsIsDecidedSoon) {
  std::string pattern;
  for (int i = 0; i < 64; ++i) pattern += "*a";
  EXPECT_FALSE(matches(pattern + "b", std::string(4096, 'a')));
}

TEST(PatternList, TakesATextThatOneOfItsPatternsMatches) {
  const PatternList list({"m1.small", "g*"});
  EXPECT_TRUE(list.takes("m1.small"));
  EXPECT_TRUE(list.takes("g2"));
  EXPECT_FALSE(list.takes("m1.large"));
  EXPECT_TRUE(PatternList().is_empty());
}

}  // namespace
}  // namespace gantry::scheduling
