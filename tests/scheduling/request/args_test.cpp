// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/request/args.hpp"

#include <gtest/gtest.h>

namespace gantry::scheduling {
namespace {

json::object args(std::string_view text) {
  return *json::parse_object(text);
}

TEST(Args, ReadsTheTextOfAQueryAsTheExpectedType) {
  EXPECT_TRUE(*optional_bool(args(R"({"x": "true"})"), "x", false));
  EXPECT_EQ(*optional_integer(args(R"({"x": "12"})"), "x", 0, 0, 100), 12);
}

TEST(Args, NamesTheArgumentAndTheFoundTypeInAnError) {
  EXPECT_EQ(required_text(args("{}"), "topic").error().message, "argument 'topic': missing; expected text");
  EXPECT_EQ(required_text(args(R"({"topic": 3})"), "topic").error().message,
            "argument 'topic': expected text, found number");
  EXPECT_EQ(optional_integer(args(R"({"n": 7})"), "n", 0, 0, 5).error().message,
            "argument 'n': expected 0 to 5, found 7");
}

TEST(Args, ReadsAHostFromATextOrAPair) {
  EXPECT_EQ(required_host_name(args(R"({"name": "h"})"), "name")->host, "h");
  const auto pair = required_host_name(args(R"({"name": ["h", "n"]})"), "name");
  EXPECT_EQ(pair->host + "/" + pair->node, "h/n");
  EXPECT_EQ(required_host_name(args(R"({"name": ["h", null]})"), "name")->node, "");
  for (const auto* wrong : {R"({"name": []})", R"({"name": ["h"]})", R"({"name": ""})", R"({"name": 1})", "{}"}) {
    EXPECT_FALSE(required_host_name(args(wrong), "name")) << wrong;
  }
}

}  // namespace
}  // namespace gantry::scheduling
