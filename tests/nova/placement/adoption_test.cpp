// SPDX-License-Identifier: Apache-2.0
#include "core/nova/placement/adoption.hpp"

#include <gtest/gtest.h>

#include "tests/nova/placement/scripted_placement.hpp"

namespace gantry::nova {
namespace {

json::object allocations(const char* text) {
  return *json::parse_object(text);
}

TEST(Adoption, FindsTheOneCandidateThatAConsumerHolds) {
  const auto candidates = Candidates::read(R"({"allocation_requests":[
    {"allocations":{"a":{"resources":{"VCPU":1}},"disk":{"resources":{"DISK_GB":1}}}},
    {"allocations":{"b":{"resources":{"VCPU":1}},"disk":{"resources":{"DISK_GB":1}}}}],"provider_summaries":{}})");
  ASSERT_TRUE(candidates);
  const auto found = find_held_candidate(
      *candidates, allocations(R"({"a":{"resources":{"VCPU":1}},"disk":{"resources":{"DISK_GB":1}}})"));
  EXPECT_EQ(found, candidates->requests()[0]);
  EXPECT_FALSE(find_held_candidate(*candidates, {}));
  EXPECT_FALSE(find_held_candidate(*candidates, allocations(R"({"a":{"resources":{"VCPU":1}}})")));
  EXPECT_FALSE(find_held_candidate(
      *candidates, allocations(R"({"a":{"resources":{"VCPU":2}},"disk":{"resources":{"DISK_GB":1}}})")));
  // An instance that moves between both.
  EXPECT_FALSE(find_held_candidate(*candidates, allocations(R"({"a":{"resources":{"VCPU":1}},
    "b":{"resources":{"VCPU":1}},"disk":{"resources":{"DISK_GB":1}}})")));
}

TEST(Adoption, AsksUntilPlacementIsBack) {
  testing::ManualTimers timers;
  testing::ScriptedPlacement placement(timers);
  std::vector<bool> found;
  const auto look_up = [&](std::deque<HttpOutcome> script) {
    look_up_consumer(Attempt(placement, timers, {}, timers.now() + std::chrono::seconds(5)), "c", "",
                     [&](const auto& held) { found.push_back(held && held->generation == 2); });
    placement.run(std::move(script));
  };
  look_up({testing::not_sent(), testing::answered(503), testing::lost(),
           testing::answered(200, R"({"allocations":{"a":{"resources":{"VCPU":1}}},"consumer_generation":2})")});
  EXPECT_EQ(placement.verbs(), "GET GET GET GET");
  look_up({testing::not_sent()});
  look_up({testing::answered(404)});
  EXPECT_EQ(found, (std::vector<bool>{true, false, false}));
}

}  // namespace
}  // namespace gantry::nova
