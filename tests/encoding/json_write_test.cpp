// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>

#include "core/encoding/json.hpp"

namespace gantry::json {
namespace {

TEST(JsonWrite, WritesTheShortestForm) {
  const value tree = {{"b", {1, 2, nullptr}}, {"a", true}, {"e", object()}, {"f", array()}};
  EXPECT_EQ(write(tree), R"({"b":[1,2,null],"a":true,"e":{},"f":[]})");
  EXPECT_EQ(write(tree.as_object()), write(tree));
}

TEST(JsonWrite, WritesDoublesWithTheFewestDigitsThatReadBack) {
  EXPECT_EQ(write(value(0.1)), "0.1");
  EXPECT_EQ(write(value(-2.5)), "-2.5");
  EXPECT_EQ(write(value(1e300)), "1e+300");
  EXPECT_EQ(write(value(5e-324)), "5e-324");
}

TEST(JsonWrite, WritesUsualNumbersWithoutAnExponent) {
  EXPECT_EQ(write(value(1e5)), "100000.0");
  EXPECT_EQ(write(value(1e15)), "1000000000000000.0");
  EXPECT_EQ(write(value(0.0001)), "0.0001");
  EXPECT_EQ(write(value(1e16)), "1e+16");
}

TEST(JsonWrite, IntegralDoublesStayDoubles) {
  EXPECT_EQ(write(value(1.0)), "1.0");
  EXPECT_EQ(write(value(-0.0)), "-0.0");
  EXPECT_EQ(write(value(16384.0)), "16384.0");
}

TEST(JsonWrite, WritesIntegersOf64BitsExactly) {
  EXPECT_EQ(write(value(std::numeric_limits<std::uint64_t>::max())), "18446744073709551615");
  EXPECT_EQ(write(value(std::numeric_limits<std::int64_t>::min())), "-9223372036854775808");
}

TEST(JsonWrite, NumbersThatAreNotFiniteBecomeNull) {
  EXPECT_EQ(write(value(std::numeric_limits<double>::infinity())), "null");
  EXPECT_EQ(write(value(std::numeric_limits<double>::quiet_NaN())), "null");
}

TEST(JsonWrite, EscapesOnlyCharactersThatMustBeEscaped) {
  EXPECT_EQ(write(value("a\"b\\c/\n\r\t\b\f\x01\x7f\xc3\xa9")), "\"a\\\"b\\\\c/\\n\\r\\t\\b\\f\\u0001\x7f\xc3\xa9\"");
  EXPECT_EQ(write(value(boost::json::string_view("\0", 1))), R"("\u0000")");
}

TEST(JsonWrite, BytesThatAreNotUtf8BecomeTheReplacementCharacter) {
  EXPECT_EQ(write(value("a\xff\xc3z\xe2\x82")), "\"a\xef\xbf\xbd\xef\xbf\xbdz\xef\xbf\xbd\xef\xbf\xbd\"");
}

TEST(JsonWrite, CanonicalTextSortsKeysAtEveryLevel) {
  const value tree = {{"b", {{"z", 1}, {"a", 2}}}, {"a", {{{"y", 1}, {"x", 2}}}}, {"B", 0}};
  EXPECT_EQ(write_canonical(tree), R"({"B":0,"a":[{"x":2,"y":1}],"b":{"a":2,"z":1}})");
  EXPECT_EQ(write_canonical(tree.as_object()), write_canonical(tree));
}

TEST(JsonWrite, CanonicalTextSortsKeysByTheirBytesHoweverLongTheyAre) {
  object members;
  const std::set<std::string> keys{"",          "a",         "a0",         "ab",       "abcdefg", "abcdefgh",
                                   "abcdefgh0", "abcdefghi", "abcdefghib", "abcdefgi", "z",       "\xc3\xa9"};
  for (auto key = keys.rbegin(); key != keys.rend(); ++key) members[*key] = 1;
  std::string expected;
  for (const auto& key : keys) expected.append(expected.empty() ? "{\"" : ",\"").append(key).append("\":1");
  EXPECT_EQ(write_canonical(members), expected + "}");
}

TEST(JsonWrite, WritesTextsOfEveryLengthWithAnEscapeAtEveryPlace) {
  for (std::size_t size = 0; size < 36; ++size) {
    EXPECT_EQ(write(value(std::string(size, 'x'))), "\"" + std::string(size, 'x') + "\"");
    for (std::size_t at = 0; at < size; ++at) {
      std::string text(size, 'x');
      text[at] = '\n';
      EXPECT_EQ(write(value(text)), "\"" + std::string(at, 'x') + "\\n" + std::string(size - at - 1, 'x') + "\"");
    }
  }
}

TEST(JsonWrite, WritesLongValuesWholeWhereverTheirPiecesEnd) {
  for (std::size_t size = 4080; size < 4110; ++size) {
    const std::string text(size, 'x');
    EXPECT_EQ(write(value(array{text, true, text, 12345, text})),
              "[\"" + text + "\",true,\"" + text + "\",12345,\"" + text + "\"]");
  }
}

TEST(JsonWrite, EqualValuesHaveEqualCanonicalTexts) {
  EXPECT_EQ(write_canonical(value(0.0)), write_canonical(value(-0.0)));
  EXPECT_EQ(write_canonical(value(std::uint64_t{7})), write_canonical(value(std::int64_t{7})));
}

TEST(JsonWrite, PrettyTextIsIndentedByTwoSpaces) {
  const value tree = {{"a", {1, object()}}, {"b", array()}};
  EXPECT_EQ(write_pretty(tree), "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": []\n}");
}

TEST(JsonWrite, AppendsToTheText) {
  std::string out = "data: ";
  append(out, value{1, 2});
  append_string(out, "x");
  EXPECT_EQ(out, "data: [1,2]\"x\"");
}

}  // namespace
}  // namespace gantry::json
