// SPDX-License-Identifier: Apache-2.0
#include "core/transport/session/caller_places.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace gantry::testing {
namespace {

using transport::CallerPlaces;

TEST(PlacesOfCallers, AreBoundedForEachAndForAll) {
  const auto places = std::make_shared<CallerPlaces>(4, 2);
  std::vector<CallerPlaces::Place> held;
  for (const auto* caller : {"a", "a", "b", "b"}) {
    held.push_back(places->take(caller));
    EXPECT_TRUE(held.back()) << caller;
    EXPECT_FALSE(held.size() == 2 && places->take("a")) << "it has two";
  }
  EXPECT_FALSE(places->take("c")) << "all have four";
  held.erase(held.begin());
  EXPECT_TRUE(places->take("c"));
  EXPECT_TRUE(places->take("a")) << "the place before was given back at once";
}

TEST(PlacesOfCallers, AreGivenBackOnce) {
  const auto places = std::make_shared<CallerPlaces>(2, 2);
  auto first = places->take("a");
  auto second = places->take("a");
  auto moved = std::move(first);
  moved.release();
  moved.release();
  EXPECT_FALSE(moved);
  auto third = places->take("a");
  EXPECT_TRUE(third);
  EXPECT_FALSE(places->take("a"));
  second = std::move(third);
  EXPECT_TRUE(places->take("a")) << "a place that is replaced is given back";
}

TEST(PlacesOfCallers, KeepTheCountBeyondItsOwner) {
  auto places = std::make_shared<CallerPlaces>(1, 1);
  const auto held = places->take("a");
  places.reset();
  EXPECT_TRUE(held);
}

}  // namespace
}  // namespace gantry::testing
