// SPDX-License-Identifier: Apache-2.0
#include "core/cli/terminal/key_values.hpp"

#include <gmock/gmock.h>

namespace gantry::cli {
namespace {

std::string nested(const std::vector<std::string>& words) {
  auto object = nested_from_words(words);
  return object ? json::write(*object) : "refused: " + object.error().message;
}

TEST(KeyValues, TakesJsonAsJsonAndAllElseAsText) {
  EXPECT_EQ(nested({"size=10", "name=web", "deep=true", "list=[1,2]", "none=null", "text=\"10\"", "empty="}),
            R"({"size":10,"name":"web","deep":true,"list":[1,2],"none":null,"text":"10","empty":""})");
}

TEST(KeyValues, NestsAtDots) {
  EXPECT_EQ(nested({"a.b=1", "a.c.d=x"}), R"({"a":{"b":1,"c":{"d":"x"}}})");
}

TEST(KeyValues, KeepsEqualSignsOfTheValue) {
  EXPECT_EQ(nested({"q=a=b"}), R"({"q":"a=b"})");
}

TEST(KeyValues, RefusesWordsWithoutAKey) {
  EXPECT_THAT(nested({"size"}), testing::HasSubstr("found \"size\", expected key=value"));
  EXPECT_THAT(nested({"=1"}), testing::HasSubstr("refused"));
  EXPECT_THAT(nested({"a..b=1"}), testing::HasSubstr("part of the key is empty"));
}

TEST(KeyValues, RefusesAKeyThatIsGivenTwiceOrAsTwoThings) {
  EXPECT_THAT(nested({"a=1", "a=2"}), testing::HasSubstr("given already"));
  EXPECT_THAT(nested({"a=1", "a.b=2"}), testing::HasSubstr("has a value already"));
}

TEST(KeyValues, MakesListsOfRepeatedTextsWhereAsked) {
  auto hints = texts_from_words({"different_host=a", "different_host=b", "different_host=c", "x=1"}, true);
  ASSERT_TRUE(hints);
  EXPECT_EQ(json::write(*hints), R"({"different_host":["a","b","c"],"x":"1"})");
  auto properties = texts_from_words({"k=a", "k=b", "a.b=c"}, false);
  ASSERT_TRUE(properties);
  EXPECT_EQ(json::write(*properties), R"({"k":"b","a.b":"c"})");
}

}  // namespace
}  // namespace gantry::cli
