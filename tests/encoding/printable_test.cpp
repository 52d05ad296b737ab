// SPDX-License-Identifier: Apache-2.0
#include "core/encoding/printable.hpp"

#include <gtest/gtest.h>

#include "core/encoding/json.hpp"

namespace gantry {
namespace {

TEST(Printable, EscapesWhatControlsATerminal) {
  EXPECT_EQ(printable("a\x1b[31mb\nc\td\x7f"), "a\\x1b[31mb\\nc\\td\\x7f");
  EXPECT_EQ(printable("\u0085\u009b"), "\\x85\\x9b");
  EXPECT_EQ(printable("node\u00e9\u4e2d"), "node\u00e9\u4e2d");
}

TEST(Printable, EscapesWhatTurnsTheDirectionOfWritingAndLineSeparators) {
  for (const auto& [text, escaped] :
       {std::pair{"\u202a", "\\u202a"}, std::pair{"\u202e", "\\u202e"}, std::pair{"\u2066", "\\u2066"},
        std::pair{"\u2069", "\\u2069"}, std::pair{"\u2028", "\\u2028"}, std::pair{"\u2029", "\\u2029"},
        std::pair{"\u200f", "\\u200f"}, std::pair{"\u061c", "\\u061c"}})
    EXPECT_EQ(printable(std::string("a") + text + "b"), std::string("a") + escaped + "b");
}

TEST(Printable, KeepsTheMeaningAndTheLinesOfJson) {
  const json::value value = json::object{{"a\u202e", "\u009b\x1b\x7f\u2028"}, {"b", json::array{"plain"}}};
  const auto text = printable_json(json::write_pretty(value));
  EXPECT_EQ(text.find("\u202e"), std::string::npos);
  EXPECT_EQ(text.find("\u009b"), std::string::npos);
  EXPECT_NE(text.find("\\u009b"), std::string::npos);
  EXPECT_NE(text.find('\n'), std::string::npos);
  const auto again = json::parse_object(text);
  ASSERT_TRUE(again);
  EXPECT_EQ(json::value(*again), value);
}

}  // namespace
}  // namespace gantry
