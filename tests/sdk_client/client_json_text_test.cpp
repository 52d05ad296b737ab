// SPDX-License-Identifier: Apache-2.0
#include "client/json_text.hpp"

#include <gmock/gmock.h>

namespace gantry::client_library {
namespace {

using ::testing::HasSubstr;

TEST(ClientJsonText, ExtractsAMemberUnchanged) {
  const std::string text = R"( {"a\"b" : 1.50 ,"deep":{"a":[1,"]}"]}, "text":"x,\"}","last":null } )";
  std::string why;
  ASSERT_TRUE(parse_json(text, why)) << why;
  EXPECT_EQ(member_text(text, "a\"b"), "1.50");
  EXPECT_EQ(member_text(text, "deep"), R"({"a":[1,"]}"]})");
  EXPECT_EQ(member_text(text, "text"), R"("x,\"}")");
  EXPECT_EQ(member_text(text, "last"), "null");
  EXPECT_EQ(member_text(text, "a"), "");
  EXPECT_EQ(member_text("{}", "a"), "");
}

TEST(ClientJsonText, BuildsAnObject) {
  JsonObjectText object;
  object.add_text("text", "say \"x\"");
  object.add_text("left out", nullptr);
  object.add_object("object", R"({"a":1.50})");
  object.add_integer("number", -3);
  EXPECT_EQ(object.text(), R"({"text":"say \"x\"","object":{"a":1.50},"number":-3})");
  EXPECT_EQ(object.failure(), "");
}

TEST(ClientJsonText, KeepsTheFirstError) {
  JsonObjectText object;
  object.add_object("first", "[1]");
  object.add_object("second", "{");
  EXPECT_EQ(object.failure(), "first: expected a JSON object, found another kind of value");
  EXPECT_THAT(refuse_non_object("second", "{"),
              HasSubstr("second: expected a JSON object, found text that is no JSON"));
}

}  // namespace
}  // namespace gantry::client_library
