// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/fleet/snapshot.hpp"

namespace gantry::fleet::testing {
namespace {

Group group(std::uint64_t number, std::string_view name) {
  Group made;
  made.uuid = text_of(number);
  made.name = name;
  made.policy = "anti-affinity";
  return made;
}

TEST(FleetGroups, FindsAGroupByUuidAndByName) {
  Fleet fleet({});
  fleet.put_group(group(1, "web"));
  EXPECT_EQ(fleet.group(text_of(1))->name, "web");
  EXPECT_EQ(fleet.group("web")->uuid, text_of(1));
  EXPECT_FALSE(fleet.group("we").has_value());
}

TEST(FleetGroups, FindsTheLowerUuidOfTwoGroupsWithOneName) {
  Fleet fleet({});
  fleet.put_group(group(2, "web"));
  fleet.put_group(group(1, "web"));
  EXPECT_EQ(fleet.group("web")->uuid, text_of(1));
  fleet.remove_group(text_of(1));
  EXPECT_EQ(fleet.group("web")->uuid, text_of(2));
}

TEST(FleetGroups, ReplacesRenamesAndRemovesAGroup) {
  Fleet fleet({});
  EXPECT_FALSE(fleet.put_group(group(1, "web")).has_value());
  EXPECT_EQ(fleet.put_group(group(1, "db"))->name, "web");
  EXPECT_FALSE(fleet.group("web").has_value());
  EXPECT_EQ(fleet.groups().size(), 1u);
  EXPECT_EQ(fleet.remove_group(text_of(1))->name, "db");
  EXPECT_FALSE(fleet.group("db").has_value());
  EXPECT_FALSE(fleet.remove_group(text_of(1)).has_value());
}

}  // namespace
}  // namespace gantry::fleet::testing
