// SPDX-License-Identifier: Apache-2.0
#include "plugins/filter/decision/classes/class_cache.hpp"

#include <gtest/gtest.h>

namespace filter_driver {
namespace {

constexpr std::uint32_t rows = 1000;
const std::size_t bytes = kept_class::bytes_for(rows, 1);

std::unique_ptr<kept_class> made() {
  return std::make_unique<kept_class>(rows, 1, 1);
}

TEST(ClassCache, FindsAClassWorthKeepingFromItsSecondRequestOn) {
  class_cache cache(10 * bytes);
  EXPECT_FALSE(cache.take("a", bytes).is_worth_it);
  EXPECT_TRUE(cache.take("a", bytes).is_worth_it);
  EXPECT_FALSE(cache.take("b", bytes).is_worth_it);
}

TEST(ClassCache, HandsOutWhatWasPutAndToOneDecisionAtATime) {
  class_cache cache(10 * bytes);
  cache.take("a", bytes);
  auto kept = made();
  const auto* const address = kept.get();
  cache.put("a", std::move(kept));
  auto taken = cache.take("a", bytes);
  EXPECT_EQ(taken.kept.get(), address);
  EXPECT_EQ(cache.take("a", bytes).kept, nullptr);
  cache.put("a", std::move(taken.kept));
  EXPECT_EQ(cache.take("a", bytes).kept.get(), address);
}

TEST(ClassCache, ForgetsTheClassThatWasAskedForLongestAgoWhereThereIsNoRoom) {
  class_cache cache(2 * bytes);
  for (const auto* key : {"a", "b", "c"}) cache.take(key, bytes);
  cache.put("a", made());
  cache.put("b", made());
  cache.put("a", cache.take("a", bytes).kept);
  cache.put("c", made());
  EXPECT_FALSE(cache.take("b", bytes).is_worth_it);
  EXPECT_NE(cache.take("a", bytes).kept, nullptr);
  EXPECT_NE(cache.take("c", bytes).kept, nullptr);
}

TEST(ClassCache, KeepsNothingThatIsLargerThanItsBound) {
  class_cache cache(bytes - 1);
  cache.take("a", bytes);
  EXPECT_FALSE(cache.take("a", bytes).is_worth_it);
  class_cache nothing(0);
  nothing.take("a", bytes);
  EXPECT_FALSE(nothing.take("a", bytes).is_worth_it);
}

TEST(ClassCache, WaitsLongerEachTimeWhatItKeptWasOfNoUse) {
  class_cache cache(10 * bytes);
  cache.take("a", bytes);
  const auto requests_until_worth_it = [&] {
    for (int requests = 1;; ++requests)
      if (cache.take("a", bytes).is_worth_it) return requests;
  };
  for (const int wanted : {1, 2, 4, 8}) {
    EXPECT_EQ(requests_until_worth_it(), wanted);
    cache.spoil("a", *made());
  }
  const auto useful = made();
  useful->uses = 1;
  cache.spoil("a", *useful);
  EXPECT_EQ(requests_until_worth_it(), 1);
}

TEST(ClassCache, RemembersABoundedNumberOfClasses) {
  class_cache cache(10 * bytes);
  cache.take("first", bytes);
  for (int i = 0; i < 2000; ++i) cache.take(std::to_string(i), bytes);
  EXPECT_FALSE(cache.take("first", bytes).is_worth_it);
  EXPECT_TRUE(cache.take("1999", bytes).is_worth_it);
}

}  // namespace
}  // namespace filter_driver
