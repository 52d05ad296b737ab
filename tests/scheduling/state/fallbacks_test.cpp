// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/state/fallbacks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gantry::scheduling {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Fallbacks, WarnOfADriverWhoseDecisionsFailUntilNoneHasForAWhile) {
  Fallbacks fallbacks;
  const auto now = std::chrono::steady_clock::now();
  EXPECT_THAT(fallbacks.warnings(now), IsEmpty());
  fallbacks.note("filter", "simple", "it is broken", now);
  EXPECT_THAT(
      fallbacks.warnings(now + Fallbacks::warned / 2),
      ElementsAre("driver 'filter' fails, and its fallback 'simple' decides in its place; the last failure: it is "
                  "broken"));
  EXPECT_THAT(fallbacks.warnings(now + Fallbacks::warned), IsEmpty());
  EXPECT_EQ(fallbacks.count("filter"), 1U);
}

TEST(Fallbacks, CountADriverThatIsNotAskedAndLeaveTheWarningToItsProcess) {
  Fallbacks fallbacks;
  fallbacks.note("filter", "simple", "");
  EXPECT_EQ(fallbacks.count("filter"), 1U);
  EXPECT_EQ(fallbacks.count("simple"), 0U);
  EXPECT_THAT(fallbacks.warnings(), IsEmpty());
}

}  // namespace
}  // namespace gantry::scheduling
