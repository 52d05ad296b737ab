// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {
namespace {

TEST(Time, IsShownInIsoWithMicroseconds) {
  EXPECT_EQ(time_json(1'700'000'000'123'456'789).as_string(), "2023-11-14T22:13:20.123456Z");
  EXPECT_TRUE(time_json(0).is_null());
}

TEST(Time, IsReadInTheFormsOfNovasTablesAndWire) {
  EXPECT_EQ(parse_time("2023-11-14 22:13:20"), 1'700'000'000'000'000'000);
  EXPECT_EQ(parse_time("2023-11-14T22:13:20Z"), 1'700'000'000'000'000'000);
  EXPECT_EQ(parse_time("2023-11-14T22:13:20.123456"), 1'700'000'000'123'456'000);
}

TEST(Time, RefusesATextThatIsNoTime) {
  for (const auto* text :
       {"", "yesterday", "2023-13-14 22:13:20", "2023-11-14", "2023-11-14T22:13:20+05:00", "2023-11-14T22:13:20x"}) {
    EXPECT_FALSE(parse_time(text)) << text;
  }
}

}  // namespace
}  // namespace gantry::scheduling
