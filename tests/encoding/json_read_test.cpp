// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <string>

#include "core/encoding/json.hpp"

namespace gantry::json {
namespace {

using testing::HasSubstr;

value parsed(std::string_view text) {
  auto result = parse(text);
  EXPECT_TRUE(result) << text << ": " << (result ? "" : result.error().message);
  return result ? std::move(*result) : value();
}

std::string refusal_of(std::string_view text) {
  const auto result = parse(text);
  EXPECT_FALSE(result) << "accepted: " << text.substr(0, 80);
  if (result) return "";
  EXPECT_EQ(result.error().code, ErrorCode::invalid_argument);
  return result.error().message;
}

std::string nested(std::size_t levels) {
  return std::string(levels, '[') + std::string(levels, ']');
}

TEST(JsonRead, ReadsEachType) {
  const value tree = parsed(R"( {"n":null,"t":true,"f":false,"i":-7,"d":1.5,"s":"a","a":[1,2],"o":{"x":{}}} )");
  const auto& members = tree.as_object();
  EXPECT_TRUE(members.at("n").is_null());
  EXPECT_TRUE(members.at("t").as_bool());
  EXPECT_FALSE(members.at("f").as_bool());
  EXPECT_EQ(members.at("i").as_int64(), -7);
  EXPECT_EQ(members.at("d").as_double(), 1.5);
  EXPECT_EQ(members.at("s").as_string(), "a");
  EXPECT_EQ(members.at("a").as_array().size(), 2U);
  EXPECT_TRUE(members.at("o").at("x").as_object().empty());
}

TEST(JsonRead, ReadsAScalarAsAWholeText) {
  EXPECT_EQ(parsed("5").as_int64(), 5);
  EXPECT_EQ(parsed(" \"x\"\n").as_string(), "x");
}

TEST(JsonRead, KeepsIntegersOf64BitsExactly) {
  EXPECT_EQ(parsed("9223372036854775807").as_int64(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(parsed("-9223372036854775808").as_int64(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(parsed("9223372036854775808").as_uint64(), 9223372036854775808U);
  EXPECT_EQ(parsed("18446744073709551615").as_uint64(), std::numeric_limits<std::uint64_t>::max());
}

TEST(JsonRead, TurnsLargerIntegersIntoTheNearestDouble) {
  EXPECT_EQ(parsed("18446744073709551616").as_double(), 0x1p64);
  EXPECT_EQ(parsed("-9223372036854775809").as_double(), -0x1p63);
}

TEST(JsonRead, ReadsDoublesToTheLastDigit) {
  for (const char* text : {"0.1", "-0.1", "2.2250738585072014e-308", "1.7976931348623157e308", "9007199254740993.0",
                           "123456789.12345678", "5e-324", "-1.0e-2", "1E5", "0.30000000000000004"}) {
    EXPECT_EQ(parsed(text).as_double(), std::strtod(text, nullptr)) << text;
  }
}

TEST(JsonRead, ReadsNumbersTooSmallForADoubleAsZero) {
  EXPECT_EQ(parsed("1e-400").as_double(), 0.0);
  EXPECT_TRUE(std::signbit(parsed("-1e-400").as_double()));
  EXPECT_TRUE(std::signbit(parsed("-0.0").as_double()));
}

TEST(JsonRead, RefusesNumbersThatAreNotFinite) {
  for (const char* text : {"1e400", "-1e400", "[1,2,1e309]", "1e99999999999999999999", "{\"a\":1.8e308}"}) {
    EXPECT_THAT(refusal_of(text), HasSubstr("too large for a double")) << text;
  }
  EXPECT_THAT(refusal_of("[NaN]"), HasSubstr("NaN and Infinity are not JSON"));
  EXPECT_THAT(refusal_of("Infinity"), HasSubstr("NaN and Infinity are not JSON"));
  refusal_of("-Infinity");
}

TEST(JsonRead, RefusesADigitStringOfFourHundredDigits) {
  EXPECT_THAT(refusal_of(std::string(400, '9')), HasSubstr("too large"));
}

TEST(JsonRead, RefusesRepeatedKeysAndNamesThem) {
  EXPECT_THAT(refusal_of(R"({"a":1,"b":2,"a":3})"), HasSubstr(R"(at byte 15: the key "a" appears twice)"));
  EXPECT_THAT(refusal_of(R"([{"x":{"host":1,"host":1}}])"), HasSubstr(R"("host")"));
}

TEST(JsonRead, RefusesKeysThatAreEqualOnceUnescaped) {
  EXPECT_THAT(refusal_of(R"({"a":1,"\u0061":2})"), HasSubstr(R"("a")"));
  EXPECT_THAT(refusal_of(R"({"":1,"":2})"), HasSubstr(R"("")"));
}

TEST(JsonRead, RefusesARepeatedKeyEvenWhenItsFirstValueHidesMore) {
  refusal_of(R"({"a":{"x":1,"y":2,"z":3},"a":0})");
  refusal_of(R"({"a":{"x":1,"x":2},"a":0})");
}

TEST(JsonRead, RefusesARepeatedKeyAmongManyKeys) {
  std::string text = "{";
  for (int i = 0; i < 1000; ++i) text += "\"key_" + std::to_string(i) + "\":0,";
  EXPECT_TRUE(parse(text + "\"last\":0}"));
  EXPECT_THAT(refusal_of(text + "\"key_500\":0}"), HasSubstr("\"key_500\""));
}

TEST(JsonRead, AllowsOneKeyInDifferentObjects) {
  EXPECT_TRUE(parse(R"([{"a":1},{"a":{"a":1}}])"));
}

TEST(JsonRead, RefusesNestingBelow64Levels) {
  EXPECT_TRUE(parse(nested(64)));
  EXPECT_THAT(refusal_of(nested(65)), HasSubstr("nesting deeper than 64 levels"));
  EXPECT_THAT(refusal_of(std::string(1'000'000, '[')), HasSubstr("nesting deeper than 64 levels"));
}

TEST(JsonRead, RefusesNestingBelowFewerLevelsIfAsked) {
  EXPECT_TRUE(parse(nested(10), 10));
  const auto refused = parse(nested(11), 10);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("nesting deeper than 10 levels"));
}

TEST(JsonRead, RefusesTextThatIsNotUtf8) {
  for (const std::string text :
       {"\"\xff\"", "\"\xc0\xaf\"", "\"\xed\xa0\x80\"", "\"\xf4\x90\x80\x80\"", "\"\xe2\x82\"", "{\"\x80\":1}"}) {
    EXPECT_THAT(refusal_of(text), HasSubstr("is not UTF-8")) << testing::PrintToString(text);
  }
}

TEST(JsonRead, ReadsAllOfUnicode) {
  EXPECT_EQ(parsed("\"\xf0\x9f\x90\x98\"").as_string(), "\xf0\x9f\x90\x98");
  EXPECT_EQ(parsed(R"("\ud83d\udc18\u00e9\u0000")").as_string(), std::string_view("\xf0\x9f\x90\x98\xc3\xa9\0", 7));
}

TEST(JsonRead, RefusesHalfOfASurrogatePair) {
  EXPECT_THAT(refusal_of(R"(["\ud83d\u0041aaaaaaa"])"), HasSubstr("surrogate"));
  EXPECT_THAT(refusal_of(R"(["\udc18aaaaaaaaaaaaa"])"), HasSubstr("surrogate"));
  EXPECT_THAT(refusal_of(R"("\u00g0aaaaaaaaaa")"), HasSubstr("hexadecimal"));
}

TEST(JsonRead, SaysWhereAndWhyATextIsRefused) {
  EXPECT_EQ(refusal_of(""), "not valid JSON at byte 0: the text is empty");
  EXPECT_EQ(refusal_of("{\"a\":"), "not valid JSON at byte 5: the text ends too early");
  EXPECT_EQ(refusal_of("[1,x]"), "not valid JSON at byte 3: unexpected 'x'");
  EXPECT_EQ(
      refusal_of("\xef\xbb\xbf[1]"),
      "not valid JSON at byte 0: expected JSON in UTF-8, found a byte order mark (BOM) in front of it; save the text "
      "without BOM");
  EXPECT_EQ(refusal_of("[1]]"), "not valid JSON at byte 3: unexpected ']' after the value");
  EXPECT_EQ(refusal_of("\"a\nb\""),
            "not valid JSON at byte 2: unexpected control character 0x0a (in a string it must be escaped)");
}

TEST(JsonRead, RefusesTextsThatOtherReadersAccept) {
  for (const char* text :
       {"[1,]", "{\"a\":1,}", "// c\n1", "/**/1", "{a:1}", "'a'",   "01",        "1.",    ".5",
        "+1",   "1e",         "-",       "tru",   "nul",   "[1 2]", "{\"a\" 1}", "{1:2}", "\xef\xbb\xbf{}",
        "1 2",  "\"\\x\"",    "\"a",     "0x1"}) {
    refusal_of(text);
  }
  refusal_of(std::string_view("1\0", 2));
  refusal_of(std::string_view("\"\0\"", 3));
}

TEST(JsonRead, ReadsLongStringsWithEscapesWhole) {
  const std::string run(10'000, 'a');
  EXPECT_EQ(parsed('"' + run + "\\n" + run + "\\t\"").as_string(), run + '\n' + run + '\t');
}

TEST(JsonRead, RefusesATextCutAtAnyByte) {
  const std::string text = R"({"a":[1,-2.5e3,"x\u00e9\n",{"b":null}],"c":true})";
  ASSERT_TRUE(parse(text));
  for (std::size_t size = 0; size < text.size(); ++size) EXPECT_FALSE(parse(text.substr(0, size))) << size;
}

TEST(JsonRead, ReadsAnObjectAndRefusesOtherTypes) {
  EXPECT_EQ(parse_object(R"({"a":1})")->size(), 1U);
  const auto array = parse_object("[]");
  ASSERT_FALSE(array);
  EXPECT_EQ(array.error().message, "expected a JSON object, found array");
  EXPECT_FALSE(parse_object("{"));
}

}  // namespace
}  // namespace gantry::json
