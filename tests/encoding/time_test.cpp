// SPDX-License-Identifier: Apache-2.0
#include "core/encoding/time.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace gantry {
namespace {

constexpr std::int64_t second = 1'000'000'000;

TEST(TimeText, HasMicroseconds) {
  EXPECT_EQ(time_text(0), "1970-01-01T00:00:00.000000Z");
  EXPECT_EQ(time_text(951'782'400 * second + 123'456'789), "2000-02-29T00:00:00.123456Z");
}

TEST(TimeText, IsOfTheSecondBeforeForATimeBefore1970) {
  EXPECT_EQ(time_text(-1'000), "1969-12-31T23:59:59.999999Z");
  EXPECT_EQ(time_text(-second), "1969-12-31T23:59:59.000000Z");
}

TEST(TimeText, WritesTheEarliestAndTheLatestTime) {
  EXPECT_EQ(time_text(std::numeric_limits<std::int64_t>::min()), "1677-09-21T00:12:43.145224Z");
  EXPECT_EQ(exact_time_text(std::numeric_limits<std::int64_t>::min()), "1677-09-21T00:12:43.145224192Z");
  EXPECT_EQ(time_text(std::numeric_limits<std::int64_t>::max()), "2262-04-11T23:47:16.854775Z");
}

TEST(ExactTimeText, HasTheFewestDigitsThatRoundTrip) {
  EXPECT_EQ(exact_time_text(second), "1970-01-01T00:00:01Z");
  EXPECT_EQ(exact_time_text(second + 1'000'000), "1970-01-01T00:00:01.001Z");
  EXPECT_EQ(exact_time_text(second + 1'000), "1970-01-01T00:00:01.000001Z");
  EXPECT_EQ(exact_time_text(second + 1), "1970-01-01T00:00:01.000000001Z");
}

TEST(ExactTimeText, RoundTrips) {
  for (const std::int64_t time : {second, second + 1, 1'763'800'000 * second + 123'000'000, std::int64_t{1'001}})
    EXPECT_EQ(parse_time(exact_time_text(time)), time);
}

TEST(ParseTime, TakesASpaceForTheT) {
  EXPECT_EQ(parse_time("1970-01-02 00:00:01"), (24 * 3600 + 1) * second);
  EXPECT_EQ(parse_time("1970-01-02T00:00:01.5+00:00"), (24 * 3600 + 1) * second + second / 2);
}

TEST(ParseTime, RefusesATextThatIsNotATime) {
  for (const auto* text : {"", "now", "2026-13-01T00:00:00", "2026-01-01", "2026-01-01T25:00:00", "1969-01-01T00:00:00",
                           "2026-01-01T00:00:00+01:00", "2026-01-01T00:00:00 and more"})
    EXPECT_EQ(parse_time(text), std::nullopt) << text;
}

TEST(ParseTime, RefusesADayThatDoesNotExist) {
  for (const auto* text : {"2026-02-29T00:00:00", "2026-02-31T00:00:00", "2026-04-31T00:00:00", "2100-02-29T00:00:00",
                           "2026-01-00T00:00:00", "2026-01--1T00:00:00", "2026-01-01T00:-1:00"})
    EXPECT_EQ(parse_time(text), std::nullopt) << text;
  EXPECT_EQ(parse_time("2000-02-29T00:00:00"), 951'782'400 * second);
}

}  // namespace
}  // namespace gantry
