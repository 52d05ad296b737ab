// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/request/nova_object.hpp"

#include <gtest/gtest.h>

namespace gantry::scheduling {
namespace {

TEST(NovaObject, RemovesEnvelopesAtEveryDepth) {
  auto wrapped = *json::parse(
      R"({"nova_object.name": "A", "nova_object.data": {"b": {"nova_object.name": "B", "nova_object.data": {"c": 1}}},
          "nova_object.changes": ["b"]})");
  open_envelopes(wrapped);
  EXPECT_EQ(json::write(wrapped), R"({"b":{"c":1}})");
}

TEST(NovaObject, TurnsAListObjectIntoItsList) {
  auto wrapped = *json::parse(R"({"nova_object.name": "XList", "nova_object.data": {"objects": [1, 2]}})");
  open_envelopes(wrapped);
  EXPECT_EQ(json::write(wrapped), "[1,2]");
}

TEST(NovaObject, LeavesPlainValuesAsTheyAre) {
  const auto plain = *json::parse(R"({"objects": [1], "x": [null, {"y": true}]})");
  auto opened = plain;
  open_envelopes(opened);
  EXPECT_EQ(opened, plain);
}

TEST(NovaObject, RecognisesAnObjectByItsName) {
  const auto wrapped = *json::parse(R"({"nova_object.name": "Selection", "nova_object.data": {"host": "h1"}})");
  EXPECT_TRUE(is_nova_object(wrapped, "Selection"));
  EXPECT_FALSE(is_nova_object(wrapped, "RequestSpec"));
}

}  // namespace
}  // namespace gantry::scheduling
