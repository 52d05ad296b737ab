// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/encoding/json.hpp"

namespace gantry::json {
namespace {

class JsonMembers : public testing::Test {
 protected:
  const object members_ = *parse_object(
      R"({"null":null,"flag":true,"int":-3,"big":18446744073709551615,"whole":4.0,"part":4.5,"huge":1e30,
          "edge":9223372036854775808.0,"text":"x","list":[1],"map":{"a":1}})");
};

TEST_F(JsonMembers, FindPassesOverAbsentAndNull) {
  EXPECT_EQ(find(members_, "nothing"), nullptr);
  EXPECT_EQ(find(members_, "null"), nullptr);
  ASSERT_NE(find(members_, "flag"), nullptr);
}

TEST_F(JsonMembers, EachTypeIsFoundAsItselfOnly) {
  EXPECT_EQ(find_string(members_, "text"), "x");
  EXPECT_EQ(find_string(members_, "int"), std::nullopt);
  EXPECT_EQ(find_string(members_, "null"), std::nullopt);
  EXPECT_EQ(find_bool(members_, "flag"), true);
  EXPECT_EQ(find_bool(members_, "int"), std::nullopt);
  ASSERT_NE(find_array(members_, "list"), nullptr);
  EXPECT_EQ(find_array(members_, "map"), nullptr);
  ASSERT_NE(find_object(members_, "map"), nullptr);
  EXPECT_EQ(find_object(members_, "list"), nullptr);
  EXPECT_EQ(find_object(members_, "absent"), nullptr);
}

TEST_F(JsonMembers, AnIntegralDoubleCountsAsAnInteger) {
  EXPECT_EQ(find_integer(members_, "int"), -3);
  EXPECT_EQ(find_integer(members_, "whole"), 4);
  EXPECT_EQ(find_integer(members_, "part"), std::nullopt);
}

TEST_F(JsonMembers, AnIntegerThatDoesNotFitIsNotFound) {
  EXPECT_EQ(find_integer(members_, "big"), std::nullopt);
  EXPECT_EQ(find_integer(members_, "huge"), std::nullopt);
  EXPECT_EQ(find_integer(members_, "edge"), std::nullopt);
}

// An object that was not parsed may have sizes as they are.
TEST_F(JsonMembers, AnUnsignedIntegerThatFitsIsFound) {
  const object sizes{{"some", std::uint64_t{3}}, {"most", std::uint64_t{9223372036854775807U}}};
  EXPECT_EQ(find_integer(sizes, "some"), 3);
  EXPECT_EQ(find_integer(sizes, "most"), 9223372036854775807);
}

TEST_F(JsonMembers, EveryNumberIsFoundAsANumber) {
  EXPECT_EQ(find_number(members_, "int"), -3.0);
  EXPECT_EQ(find_number(members_, "part"), 4.5);
  EXPECT_EQ(find_number(members_, "big"), 0x1p64);
  EXPECT_EQ(find_number(members_, "text"), std::nullopt);
  EXPECT_EQ(find_number(members_, "absent"), std::nullopt);
}

TEST(JsonTypeName, NamesTypesAsPeopleDo) {
  EXPECT_EQ(type_name(nullptr), "null");
  EXPECT_EQ(type_name(true), "boolean");
  EXPECT_EQ(type_name(1), "number");
  EXPECT_EQ(type_name(1.5), "number");
  EXPECT_EQ(type_name("x"), "string");
  EXPECT_EQ(type_name(array()), "array");
  EXPECT_EQ(type_name(object()), "object");
}

}  // namespace
}  // namespace gantry::json
