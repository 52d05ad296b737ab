// SPDX-License-Identifier: Apache-2.0
//
// New settings for a fleet that is in use.
#include <gtest/gtest.h>

#include "tests/fleet/snapshot.hpp"

namespace gantry::fleet::testing {
namespace {

TEST(FleetSettingsChange, HostsWithoutARatioOfTheirOwnShowTheNewOne) {
  Fleet fleet({});
  fleet.put_service(service("own"));
  put(fleet, report("own", "own", R"({"vcpus": 4, "cpu_allocation_ratio": 3.0, "ram_allocation_ratio": 0})"));
  put(fleet, report("none", "none", R"({"vcpus": 4})"));
  fleet.put_service(service("unreported"));
  const auto before = fleet.pin(noon);
  FleetSettings settings;
  settings.cpu_allocation_ratio = 2.0;
  settings.ram_allocation_ratio = 1.25;
  settings.disk_allocation_ratio = 0.5;
  fleet.change_settings(settings);
  const auto after = fleet.pin(noon);
  EXPECT_EQ(row_of(before, "none", "none").at("cpu_allocation_ratio"), 16.0);
  EXPECT_EQ(row_of(after, "none", "none").at("cpu_allocation_ratio"), 2.0);
  EXPECT_EQ(row_of(after, "none", "none").at("disk_allocation_ratio"), 0.5);
  EXPECT_EQ(row_of(after, "own", "own").at("cpu_allocation_ratio"), 3.0);
  EXPECT_EQ(row_of(after, "own", "own").at("ram_allocation_ratio"), 1.25);
  EXPECT_EQ(row_of(after, "unreported").at("cpu_allocation_ratio"), 2.0);
}

TEST(FleetSettingsChange, HostsInNoZoneOfAnAggregateShowTheNewDefaultZone) {
  Fleet fleet({});
  fleet.put_service(service("h1"));
  EXPECT_EQ(row_of(fleet.pin(noon), "h1").at("availability_zone"), "nova");
  FleetSettings settings;
  settings.default_availability_zone = "home";
  fleet.change_settings(settings);
  EXPECT_EQ(fleet.default_availability_zone(), "home");
  EXPECT_EQ(row_of(fleet.pin(noon), "h1").at("availability_zone"), "home");
}

TEST(FleetSettingsChange, ServicesGoDownAndComeBackWithTheDownTime) {
  Fleet fleet({});
  fleet.put_service(service("h1", noon));
  const auto later = noon + 30 * second;
  EXPECT_EQ(row_of(fleet.pin(later), "h1").at("up"), true);
  FleetSettings settings;
  settings.service_down_time = 10 * second;
  fleet.change_settings(settings);
  EXPECT_EQ(row_of(fleet.pin(later), "h1").at("up"), false);
  EXPECT_FALSE(fleet.is_up(service("h1", noon), later));
  fleet.change_settings({});
  EXPECT_EQ(row_of(fleet.pin(later), "h1").at("up"), true);
  EXPECT_EQ(row_of(fleet.pin(noon + 61 * second), "h1").at("up"), false);
}

TEST(FleetSettingsChange, ClaimsEndByTheNewAge) {
  Fleet fleet({});
  put(fleet, report("h1", "n1", R"({"vcpus": 4})"));
  ASSERT_EQ(claim(fleet, "h1", "n1", claim_of(text_of(1), 1, 4)), ClaimOutcome::held);
  FleetSettings settings;
  settings.claim_max_age = 5 * second;
  fleet.change_settings(settings);
  EXPECT_EQ(sweep(fleet, noon + 6 * second).size(), 1U);
}

}  // namespace
}  // namespace gantry::fleet::testing
