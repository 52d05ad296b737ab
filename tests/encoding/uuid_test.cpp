// SPDX-License-Identifier: Apache-2.0
#include "core/encoding/uuid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace gantry {
namespace {

TEST(Uuid, ReadsAndWritesItsText) {
  const std::string text = "0f8fad5b-d9cb-469f-a165-70867728950e";
  const auto uuid = parse_uuid(text);
  ASSERT_TRUE(uuid);
  EXPECT_EQ(uuid->bytes[0], 0x0f);
  EXPECT_EQ(uuid->bytes[15], 0x0e);
  EXPECT_EQ(to_text(*uuid), text);
}

TEST(Uuid, ReadsUpperCaseAndWritesLowerCase) {
  const auto uuid = parse_uuid("0F8FAD5B-D9CB-469F-A165-70867728950E");
  ASSERT_TRUE(uuid);
  EXPECT_EQ(to_text(*uuid), "0f8fad5b-d9cb-469f-a165-70867728950e");
}

TEST(Uuid, RefusesAnyOtherShape) {
  for (const char* text : {"", "0f8fad5b", "0f8fad5bd9cb469fa16570867728950e", "0f8fad5b-d9cb-469f-a165-70867728950",
                           "0f8fad5b-d9cb-469f-a165-70867728950ee", "0f8fad5b-d9cb-469f-a165-70867728950g",
                           "0f8fad5bd-9cb-469f-a165-70867728950e", "{f8fad5b-d9cb-469f-a165-70867728950}"}) {
    EXPECT_FALSE(parse_uuid(text)) << text;
  }
}

TEST(Uuid, RandomOnesAreOfVersion4AndDiffer) {
  const auto first = random_uuid();
  const auto second = random_uuid();
  EXPECT_EQ(first.bytes[6] >> 4, 4);
  EXPECT_EQ(first.bytes[8] >> 6, 2);
  EXPECT_FALSE(std::equal(std::begin(first.bytes), std::end(first.bytes), std::begin(second.bytes)));
}

}  // namespace
}  // namespace gantry
