// SPDX-License-Identifier: Apache-2.0
#include "core/telemetry/log_line.hpp"

#include <gtest/gtest.h>

#include "core/encoding/json.hpp"

namespace gantry::telemetry {
namespace {

using std::chrono::system_clock;

// 2026-11-21T09:00:00.123456Z
const system_clock::time_point moment{std::chrono::microseconds(1'795'251'600'123'456)};

std::string text(std::string_view message, std::initializer_list<Field> fields = {}) {
  return log_line({}, moment, Level::info, message, fields);
}

TEST(LogLine, SaysWhenHowBadWhatAndTheFields) {
  EXPECT_EQ(text("driver loaded", {{"id", "ip"}, {"version", "1.2"}}),
            "2026-11-21T09:00:00.123456Z INFO driver loaded id=ip version=1.2");
}

TEST(LogLine, NamesTheLevels) {
  EXPECT_EQ(log_line({}, moment, Level::debug, "x", {}), "2026-11-21T09:00:00.123456Z DEBUG x");
  EXPECT_EQ(log_line({}, moment, Level::warning, "x", {}), "2026-11-21T09:00:00.123456Z WARNING x");
  EXPECT_EQ(log_line({}, moment, Level::error, "x", {}), "2026-11-21T09:00:00.123456Z ERROR x");
}

TEST(LogLine, QuotesValuesThatWouldRunIntoTheNext) {
  EXPECT_EQ(text("m", {{"a", ""}, {"b", "two words"}, {"c", "x=y"}, {"d", "say \"hi\"\\"}, {"e", "plain/1.so"}}),
            R"(2026-11-21T09:00:00.123456Z INFO m a="" b="two words" c="x=y" d="say \"hi\"\\" e=plain/1.so)");
}

TEST(LogLine, StaysOneLineForAnyInput) {
  EXPECT_EQ(text("a\nb\x1b[31m", {{"k", "x\r\n\ty\x7f"}}),
            R"(2026-11-21T09:00:00.123456Z INFO a\nb\x1b[31m k="x\x0d\n\ty\x7f")");
}

TEST(LogLine, EscapesTerminalControlsAboveAsciiAndBytesThatAreNotUtf8) {
  EXPECT_EQ(text("\xc2\x9b[31m caf\xc3\xa9 \xff"), R"(2026-11-21T09:00:00.123456Z INFO \xc2\x9b[31m caf)"
                                                   "\xc3\xa9"
                                                   R"( \xff)");
}

TEST(LogLine, LeavesQuotesInAMessageAlone) {
  EXPECT_EQ(text(R"(driver "ip" refused)"), R"(2026-11-21T09:00:00.123456Z INFO driver "ip" refused)");
}

TEST(LogLine, IsOneObjectAsJson) {
  EXPECT_EQ(log_line({LogFormat::json, false}, moment, Level::warning, "disk \"full\"\n", {{"path", "/x"}}),
            R"({"time":"2026-11-21T09:00:00.123456Z","level":"warning","message":"disk \"full\"\n","path":"/x"})");
}

TEST(LogLine, CanAlwaysBeReadAsJson) {
  const auto line =
      log_line({LogFormat::json, false}, moment, Level::info, "\xff\x1b", {{"message", "b"}, {"level", "\xc3"}});
  const auto read = json::parse_object(line);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(json::find_string(*read, "message_"), "b");
}

TEST(LogLine, IsKeysAndValuesAsLogfmt) {
  EXPECT_EQ(
      log_line({LogFormat::logfmt, false}, moment, Level::warning, "disk \"full\"\n", {{"path", "/x"}, {"why", ""}}),
      R"(time=2026-11-21T09:00:00.123456Z level=warning msg="disk \"full\"\n" path=/x why="")");
  EXPECT_EQ(log_line({LogFormat::logfmt, true}, moment, Level::info, "m", {{"msg", "a"}, {"a b=c", "\x1b"}}),
            "<6>level=info msg=m msg_=a a_b_c=\"\\x1b\"");
}

TEST(LogLevels, HaveTheNamesOfTheConfiguration) {
  for (const auto level : {Level::debug, Level::info, Level::warning, Level::error})
    EXPECT_EQ(level_of(name_of(level)), level);
  EXPECT_EQ(level_of("loud"), std::nullopt);
}

TEST(LogLine, HasAPriorityAndNoTimeForTheJournal) {
  const LineForm form{LogFormat::text, true};
  EXPECT_EQ(log_line(form, moment, Level::debug, "m", {}), "<7>DEBUG m");
  EXPECT_EQ(log_line(form, moment, Level::info, "m", {{"k", "v"}}), "<6>INFO m k=v");
  EXPECT_EQ(log_line(form, moment, Level::warning, "m", {}), "<4>WARNING m");
  EXPECT_EQ(log_line(form, moment, Level::error, "m", {}), "<3>ERROR m");
  EXPECT_EQ(log_line({LogFormat::json, true}, moment, Level::error, "m", {}), R"(<3>{"level":"error","message":"m"})");
}

}  // namespace
}  // namespace gantry::telemetry
