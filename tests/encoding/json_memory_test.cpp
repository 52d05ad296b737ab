// SPDX-License-Identifier: Apache-2.0
#include "core/encoding/json_memory.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <set>

#include "core/encoding/json_without.hpp"
#include "core/encoding/random.hpp"

namespace gantry::json {
namespace {

TEST(JsonMemory, AValueOutlivesItsTextAndTheOtherValuesOfItsMemory) {
  value kept;
  {
    const std::string text = R"({"gone": [1, 2, 3], "list": [{"key": "a text that is too long to lie in its value"}]})";
    auto whole = parse_object_into(shared_memory(16), text);
    ASSERT_TRUE(whole);
    kept = value(std::move((*whole)["list"]), {});
  }
  EXPECT_EQ(write(kept), R"([{"key":"a text that is too long to lie in its value"}])");
}

TEST(JsonMemory, APartKeepsTheMemoryOfTheWhole) {
  std::optional<object> part;
  {
    auto whole = parse_object_into(shared_memory(16), R"({"part": {"key": "a text that is too long to lie inside"}})");
    ASSERT_TRUE(whole);
    part.emplace(std::move((*whole)["part"].get_object()));
  }
  EXPECT_EQ(write(*part), R"({"key":"a text that is too long to lie inside"})");
}

TEST(JsonMemory, LendsMemoryOfAnySizeAnyNumberOfTimes) {
  const std::string item = R"("a text that is too long to lie inside")";
  for (const std::size_t items : {1U, 10'000U, 3U}) {
    std::string text = R"({"list":[)" + item;
    for (std::size_t i = 1; i < items; ++i) text += "," + item;
    text += "]}";
    BorrowedMemory small(16);
    BorrowedMemory large(4 * text.size());
    const auto in_small = parse_object_into(small.lend(), text);
    const auto in_large = parse_object_into(large.lend(), text);
    ASSERT_TRUE(in_small);
    ASSERT_TRUE(in_large);
    EXPECT_EQ(write(*in_small), text);
    EXPECT_EQ(write(*in_large), text);
  }
}

TEST(JsonMemory, RefusesTextsThatParseRefuses) {
  EXPECT_EQ(parse_object_into(shared_memory(16), R"({"a":1,"a":2})").error().message,
            parse_object(R"({"a":1,"a":2})").error().message);
  EXPECT_FALSE(parse_object_into(shared_memory(16), "[1]"));
}

TEST(JsonWithout, LeavesMembersOutAtEveryDepth) {
  const auto given = *parse_object(R"({"a":1,"secret":2,"list":[{"secret":3,"b":4},{"secret":5}],"c":{"secret":6}})");
  EXPECT_EQ(write_without(given, [](std::string_view key) { return key == "secret"; }),
            R"({"a":1,"list":[{"b":4},{}],"c":{}})");
}

TEST(RandomNumber, DiffersEachTime) {
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(seen.insert(random_number()).second);
}

}  // namespace
}  // namespace gantry::json
