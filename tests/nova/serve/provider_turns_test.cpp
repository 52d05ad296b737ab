// SPDX-License-Identifier: Apache-2.0
#include "core/nova/serve/provider_turns.hpp"

#include <gtest/gtest.h>

#include <future>

namespace gantry::nova {
namespace {

using std::chrono::minutes;

TEST(ProviderTurns, LetClaimsOfOtherProvidersGoOn) {
  ProviderTurns turns;
  const auto one = turns.wait({"a", "disk"}, Clock::now() + minutes(1));
  const auto other = turns.wait({"b"}, Clock::now() + minutes(1));
  EXPECT_TRUE(one);
  EXPECT_TRUE(other);
}

TEST(ProviderTurns, EndAtTheDeadlineWhileAProviderIsHeld) {
  ProviderTurns turns;
  const auto one = turns.wait({"a", "disk"}, Clock::now() + minutes(1));
  EXPECT_FALSE(turns.wait({"disk", "b"}, Clock::now()));
  EXPECT_TRUE(turns.wait({"b"}, Clock::now() + minutes(1))) << "a turn that did not come holds nothing";
}

TEST(ProviderTurns, ComeOnceTheProviderIsFree) {
  ProviderTurns turns;
  std::future<bool> second;
  {
    const auto first = turns.wait({"a"}, Clock::now() + minutes(1));
    second = std::async(std::launch::async,
                        [&turns] { return static_cast<bool>(turns.wait({"a"}, Clock::now() + minutes(1))); });
  }
  EXPECT_TRUE(second.get());
}

}  // namespace
}  // namespace gantry::nova
