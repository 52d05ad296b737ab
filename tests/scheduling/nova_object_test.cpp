// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/nova_object.hpp"

#include <gtest/gtest.h>

namespace gantry::scheduling {
namespace {

TEST(NovaObject, EnvelopesGoAtEveryDepth) {
  const auto wrapped = *json::parse(
      R"({"nova_object.name": "A", "nova_object.data": {"b": {"nova_object.name": "B", "nova_object.data": {"c": 1}}},
          "nova_object.changes": ["b"]})");
  EXPECT_EQ(json::write(without_envelopes(wrapped)), R"({"b":{"c":1}})");
}

TEST(NovaObject, AListObjectBecomesTheList) {
  const auto wrapped = *json::parse(R"({"nova_object.name": "XList", "nova_object.data": {"objects": [1, 2]}})");
  EXPECT_EQ(json::write(without_envelopes(wrapped)), "[1,2]");
}

TEST(NovaObject, PlainValuesStayAsTheyAre) {
  const auto plain = *json::parse(R"({"objects": [1], "x": [null, {"y": true}]})");
  EXPECT_EQ(without_envelopes(plain), plain);
}

TEST(NovaObject, WrappingAndUnwrappingGivesTheSame) {
  const json::object data{{"host", "h1"}, {"limits", nullptr}};
  const json::value wrapped(nova_object("Selection", "1.1", data));
  EXPECT_TRUE(is_nova_object(wrapped, "Selection"));
  EXPECT_FALSE(is_nova_object(wrapped, "RequestSpec"));
  EXPECT_EQ(without_envelopes(wrapped), json::value(data));
}

}  // namespace
}  // namespace gantry::scheduling
