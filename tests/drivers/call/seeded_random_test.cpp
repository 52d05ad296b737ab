// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/call/seeded_random.hpp"

#include <gtest/gtest.h>

namespace gantry::drivers {
namespace {

// The published numbers of xoshiro256** 1.0 seeded by splitmix64: a recorded decision has to replay for ever.
TEST(Random, GivesThePublishedNumbersForSeedZero) {
  Random random(0);
  EXPECT_EQ(random.next(), 11091344671253066420U);
  EXPECT_EQ(random.next(), 13793997310169335082U);
  EXPECT_EQ(random.next(), 1900383378846508768U);
  EXPECT_EQ(random.next(), 7684712102626143532U);
}

TEST(Random, GivesOtherNumbersForAnotherSeed) {
  EXPECT_NE(Random(1).next(), Random(2).next());
}

}  // namespace
}  // namespace gantry::drivers
