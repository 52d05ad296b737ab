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

TEST(FleetGroups, AnInstanceThatIsGoneLeavesAllItsGroups) {
  Fleet fleet({});
  const std::vector<std::string> members{text_of(7), text_of(8)};
  for (const std::uint64_t number : {1, 2, 3}) fleet.put_group(group(number, "g"));
  EXPECT_TRUE(fleet.join_group(text_of(1), members)->members.empty());
  fleet.join_group(text_of(2), members);
  EXPECT_FALSE(fleet.join_group(text_of(2), members)) << "they are members already";
  EXPECT_FALSE(fleet.join_group(text_of(9), members)) << "there is no such group";
  const auto before = fleet.leave_groups(text_of(7));
  ASSERT_EQ(before.size(), 2U);
  EXPECT_EQ(before[0].members, members);
  EXPECT_EQ(fleet.group(text_of(1))->members, std::vector{text_of(8)});
  EXPECT_TRUE(fleet.leave_groups(text_of(7)).empty());
}

TEST(FleetGroups, OfOneNameAreAllFound) {
  Fleet fleet({});
  fleet.put_group(group(2, "web"));
  fleet.put_group(group(1, "web"));
  fleet.put_group(group(3, "webs"));
  EXPECT_EQ(fleet.groups_named("web"), (std::vector{text_of(1), text_of(2)}));
}

TEST(FleetGroups, LoseTheMembersThatNothingKnows) {
  Fleet fleet({});
  auto made = group(1, "web");
  for (const std::uint64_t number : {5, 6, 7, 8}) made.members.push_back(text_of(number));
  fleet.put_group(made);
  fleet.put_instance(instance(5, "h1", "n1"));
  put(fleet, report("h1", "n1", R"({"instances":[")" + text_of(6) + R"("]})"));
  fleet.load_claim([] {
    auto claim = claim_of(text_of(7), 1, 8);
    claim.topic = "compute";
    claim.host = "h1";
    claim.node = "n1";
    return claim;
  }());
  EXPECT_EQ(fleet.leave_unknown_members().size(), 1U);
  EXPECT_EQ(fleet.group(text_of(1))->members, (std::vector{text_of(5), text_of(6), text_of(7)}));
  EXPECT_TRUE(fleet.leave_unknown_members().empty());
}

}  // namespace
}  // namespace gantry::fleet::testing
