// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/encoding/uuid.hpp"
#include "tests/fleet/snapshot.hpp"

namespace gantry::fleet::testing {
namespace {

json::array uuids(std::initializer_list<std::uint64_t> numbers) {
  json::array array;
  for (const auto number : numbers) array.emplace_back(text_of(number));
  return array;
}

std::string where(const Moment& moment, std::uint64_t number) {
  const auto row = moment.locate(*parse_uuid(text_of(number)));
  if (!row) return "nowhere";
  const auto name = moment.row_name(*moment.view("compute"), *row);
  return std::string(name.host) + "/" + std::string(name.node);
}

TEST(FleetInstances, AnInstanceIsOnItsRowUntilItIsDeletedOrRemoved) {
  Fleet fleet({});
  put(fleet, report("h1", "n1", "{}"));
  fleet.put_instance(instance(2, "h1", "n1"));
  fleet.put_instance(instance(1, "h1", "n1"));
  const auto before = fleet.pin(noon);
  EXPECT_EQ(row_of(before, "h1", "n1").at("instances"), uuids({1, 2}));
  EXPECT_EQ(where(before, 1), "h1/n1");
  auto deleted = instance(1, "h1", "n1");
  deleted.vm_state = "deleted";
  fleet.put_instance(deleted);
  EXPECT_EQ(row_of(fleet.pin(noon), "h1", "n1").at("instances"), uuids({2}));
  EXPECT_EQ(where(fleet.pin(noon), 1), "nowhere");
  fleet.remove_instance(text_of(2));
  EXPECT_EQ(row_of(fleet.pin(noon), "h1", "n1").at("instances"), uuids({}));
  EXPECT_EQ(where(before, 1), "h1/n1");
  EXPECT_EQ(row_of(before, "h1", "n1").at("instances"), uuids({1, 2}));
}

TEST(FleetInstances, AnInstanceMovesWithItsRecord) {
  Fleet fleet({});
  put(fleet, report("h1", "n1", "{}"));
  put(fleet, report("h2", "n2", "{}"));
  fleet.put_instance(instance(1, "h1", "n1"));
  fleet.pin(noon);
  fleet.put_instance(instance(1, "h2", "n2"));
  const auto moment = fleet.pin(noon);
  EXPECT_EQ(where(moment, 1), "h2/n2");
  EXPECT_EQ(row_of(moment, "h1", "n1").at("instances"), uuids({}));
  EXPECT_EQ(row_of(moment, "h2", "n2").at("instances"), uuids({1}));
}

TEST(FleetInstances, AnInstanceIsOnTheRowOfAHostThatReportsLater) {
  Fleet fleet({});
  fleet.put_instance(instance(1, "h1", "n1"));
  EXPECT_EQ(where(fleet.pin(noon), 1), "nowhere");
  fleet.put_service(service("h1"));
  EXPECT_EQ(where(fleet.pin(noon), 1), "h1/");
  put(fleet, report("h1", "n1", "{}"));
  EXPECT_EQ(where(fleet.pin(noon), 1), "h1/n1");
  put(fleet, report("h1", "n0", "{}"));
  EXPECT_EQ(where(fleet.pin(noon), 1), "h1/n1");
  fleet.remove_compute_node("compute", "h1", "n1");
  EXPECT_EQ(where(fleet.pin(noon), 1), "nowhere");
}

TEST(FleetInstances, AnInstanceWithoutANodeIsOnTheFirstRowOfItsHost) {
  Fleet fleet({});
  put(fleet, report("h1", "n2", "{}"));
  fleet.put_instance(instance(1, "h1", ""));
  EXPECT_EQ(where(fleet.pin(noon), 1), "h1/n2");
  put(fleet, report("h1", "n1", "{}"));
  const auto moment = fleet.pin(noon);
  EXPECT_EQ(where(moment, 1), "h1/n1");
  EXPECT_EQ(row_of(moment, "h1", "n2").at("instances"), uuids({}));
}

TEST(FleetInstances, AnInstanceFollowsItsRowWhenTheRowMoves) {
  Fleet fleet({});
  put(fleet, report("h1", "n", "{}"));
  put(fleet, report("h2", "n", "{}"));
  fleet.put_instance(instance(1, "h2", "n"));
  fleet.pin(noon);
  fleet.remove_compute_node("compute", "h1", "n");
  EXPECT_EQ(where(fleet.pin(noon), 1), "h2/n");
}

TEST(FleetInstances, AClaimedInstanceIsOnTheRowOfItsClaim) {
  Fleet fleet({});
  put(fleet, report("h1", "n1", "{}"));
  ASSERT_EQ(claim(fleet, "h1", "n1", claim_of(text_of(1), 1, 10)), ClaimOutcome::held);
  ASSERT_EQ(claim(fleet, "h1", "n1", claim_of("not-a-uuid", 1, 10)), ClaimOutcome::held);
  EXPECT_EQ(where(fleet.pin(noon), 1), "h1/n1");
  EXPECT_EQ(row_of(fleet.pin(noon), "h1", "n1").at("instances"), uuids({1}));
  fleet.put_instance(instance(1, "h1", "n1"));
  EXPECT_EQ(row_of(fleet.pin(noon), "h1", "n1").at("instances"), uuids({1}));
  release_all(fleet, text_of(1));
  EXPECT_EQ(row_of(fleet.pin(noon), "h1", "n1").at("instances"), uuids({1}));
  fleet.remove_instance(text_of(1));
  EXPECT_EQ(where(fleet.pin(noon), 1), "nowhere");
}

TEST(FleetInstances, AMovingInstanceIsOnBothRowsAndLocatedOnTheRowOfItsRecord) {
  Fleet fleet({});
  put(fleet, report("h1", "n", "{}"));
  put(fleet, report("h2", "n", "{}"));
  fleet.put_instance(instance(1, "h1", "n"));
  ASSERT_EQ(claim(fleet, "h2", "n", claim_of(text_of(1), 1, 10)), ClaimOutcome::held);
  const auto moment = fleet.pin(noon);
  EXPECT_EQ(row_of(moment, "h1", "n").at("instances"), uuids({1}));
  EXPECT_EQ(row_of(moment, "h2", "n").at("instances"), uuids({1}));
  EXPECT_EQ(where(moment, 1), "h1/n");
  Fleet loaded({});
  put(loaded, report("h1", "n", "{}"));
  put(loaded, report("h2", "n", "{}"));
  for (const auto& held : fleet.claims()) loaded.load_claim(held);
  EXPECT_EQ(where(loaded.pin(noon), 1), "h2/n");
}

TEST(FleetInstances, AnInstanceWithoutARecordIsWhereAReportListsIt) {
  Fleet fleet({});
  const auto listing = R"({"instances":[")" + text_of(1) + R"("]})";
  put(fleet, report("h2", "n", "{}"));
  ASSERT_EQ(claim(fleet, "h2", "n", claim_of(text_of(1), 1, 10)), ClaimOutcome::held);
  put(fleet, report("h2", "n", listing));
  EXPECT_TRUE(fleet.claims().empty());
  EXPECT_EQ(where(fleet.pin(noon), 1), "h2/n");
  EXPECT_EQ(row_of(fleet.pin(noon), "h2", "n").at("instances"), uuids({1}));
  put(fleet, report("h1", "n", listing));
  EXPECT_EQ(where(fleet.pin(noon), 1), "h1/n");
  put(fleet, report("h1", "n", "{}"));
  EXPECT_EQ(where(fleet.pin(noon), 1), "h1/n");
  put(fleet, report("h1", "n", R"({"instances":[]})"));
  EXPECT_EQ(where(fleet.pin(noon), 1), "h2/n");
  fleet.remove_compute_node("compute", "h2", "n");
  EXPECT_EQ(where(fleet.pin(noon), 1), "nowhere");
}

TEST(FleetInstances, ReturnsAnInstanceAsItWasPut) {
  Fleet fleet({});
  Instance put_in;
  put_in.uuid = text_of(1);
  put_in.name = "web-1";
  put_in.project_id = "p";
  put_in.user_id = "u";
  put_in.host = "h1";
  put_in.node = "n1";
  put_in.availability_zone = "az1";
  put_in.vm_state = "building";
  put_in.task_state = "spawning";
  put_in.fault = "none yet";
  put_in.flavor = {{"name", "m1.tiny"}, {"vcpus", 1}};
  put_in.image = "cirros";
  put_in.launch_index = 3;
  put_in.request_id = "req-1";
  put_in.created_at = 1;
  put_in.updated_at = 2;
  put_in.active_at = 3;
  put_in.decision = {{"driver", "filter"}};
  EXPECT_FALSE(fleet.put_instance(put_in).has_value());
  EXPECT_EQ(to_json(*fleet.instance(text_of(1))), to_json(put_in));
  const auto before = fleet.put_instance(instance(1, "h2", ""));
  ASSERT_TRUE(before.has_value());
  EXPECT_EQ(to_json(*before), to_json(put_in));
  EXPECT_EQ(to_json(*fleet.remove_instance(text_of(1))), to_json(instance(1, "h2", "")));
}

TEST(FleetInstances, ListsInstancesByUuidAndIgnoresOneWithoutAUuid) {
  Fleet fleet({});
  fleet.put_instance(instance(2, "", ""));
  fleet.put_instance(instance(1, "", ""));
  auto nameless = instance(3, "", "");
  nameless.uuid = "three";
  EXPECT_FALSE(fleet.put_instance(nameless).has_value());
  ASSERT_EQ(fleet.instances().size(), 2u);
  EXPECT_EQ(fleet.instances()[0].uuid, text_of(1));
  EXPECT_FALSE(fleet.instance("three").has_value());
  EXPECT_FALSE(fleet.remove_instance("three").has_value());
}

}  // namespace
}  // namespace gantry::fleet::testing
