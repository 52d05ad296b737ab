// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <memory>

#include "tests/fleet/snapshot.hpp"

namespace gantry::fleet::testing {
namespace {

TEST(FleetMoment, AnEmptyMomentHasNothing) {
  const Moment moment;
  EXPECT_EQ(moment.view("compute"), nullptr);
  EXPECT_EQ(moment.row_of("compute", "h1", ""), std::nullopt);
  EXPECT_EQ(moment.locate({}), std::nullopt);
  EXPECT_TRUE(moment.topics().empty());
}

TEST(FleetMoment, APinnedMomentNeverChangesAndANewOneShowsTheChange) {
  Fleet fleet({});
  put(fleet, report("h1", "n", R"({"vcpus":1,"stats":{"a":1}})"));
  const auto old = fleet.pin(noon);
  const auto shown = snapshot(old);
  const auto generation = old.view("compute")->generation;
  put(fleet, report("h1", "n", R"({"vcpus":2,"stats":{"a":2}})"));
  put(fleet, report("h2", "n", R"({"vcpus":2})"));
  const auto fresh = fleet.pin(noon);
  EXPECT_EQ(snapshot(old), shown);
  EXPECT_EQ(row_of(fresh, "h1", "n").at("vcpus"), 2);
  EXPECT_GT(fresh.view("compute")->generation, generation);
}

TEST(FleetMoment, HandsOutTheSameCopyWithoutAChange) {
  Fleet fleet({});
  put(fleet, report("h1", "n", R"({"vcpus":1})"));
  const auto first = fleet.pin(noon);
  put(fleet, report("h1", "n", R"({"vcpus":1})"));
  const auto same = fleet.pin(noon + second);
  EXPECT_EQ(first.view("compute"), same.view("compute"));
}

TEST(FleetMoment, OneTopicsChangeLeavesTheOthersCopies) {
  Fleet fleet({});
  fleet.put_service(service("h1", noon, "volume"));
  const auto before = fleet.pin(noon);
  fleet.put_service(service("h1"));
  const auto after = fleet.pin(noon);
  EXPECT_EQ(before.view("volume"), after.view("volume"));
  EXPECT_NE(before.view("compute"), after.view("compute"));
}

TEST(FleetMoment, OutlivesItsFleet) {
  auto fleet = std::make_unique<Fleet>(FleetSettings{});
  put(*fleet, report("h1", "n", R"({"vcpus":1,"cpu_info":{"a":1}})"));
  const auto moment = fleet->pin(noon);
  const auto shown = snapshot(moment);
  fleet.reset();
  EXPECT_EQ(snapshot(moment), shown);
}

TEST(FleetMoment, EachOfManyPinnedMomentsKeepsItsState) {
  Fleet fleet({});
  std::vector<Moment> moments;
  for (int at = 0; at < 20; ++at) {
    put(fleet, report("h" + std::to_string(at), "n", R"({"vcpus":)" + std::to_string(at) + "}"));
    moments.push_back(fleet.pin(noon));
  }
  for (std::size_t at = 0; at < moments.size(); ++at) {
    EXPECT_EQ(moments[at].view("compute")->rows, at + 1);
    EXPECT_EQ(snapshot(moments[at]).size(), at + 1);
  }
}

TEST(FleetMoment, FindsRowsByHostAndNode) {
  Fleet fleet({});
  fleet.put_service(service("h1"));
  put(fleet, report("h2", "b", "{}"));
  put(fleet, report("h2", "a", "{}"));
  const auto moment = fleet.pin(noon);
  const auto& view = *moment.view("compute");
  EXPECT_EQ(moment.row_name(view, *moment.row_of("compute", "h2", "b")).node, "b");
  EXPECT_EQ(moment.row_name(view, *moment.row_of("compute", "h2", "")).node, "a");
  EXPECT_EQ(moment.row_name(view, *moment.row_of("compute", "h1", "")).host, "h1");
  EXPECT_EQ(moment.row_of("compute", "h2", "c"), std::nullopt);
  EXPECT_EQ(moment.row_of("volume", "h2", "a"), std::nullopt);
  EXPECT_EQ(moment.row_name(view, 99).host, "");
  EXPECT_EQ(moment.column(gantry_view{}, "host"), nullptr);
}

}  // namespace
}  // namespace gantry::fleet::testing
