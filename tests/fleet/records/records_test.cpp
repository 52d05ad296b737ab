// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/records/records.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace gantry::fleet {
namespace {

using ::testing::HasSubstr;

TEST(FleetRecords, EveryRecordRoundTripsThroughTheStore) {
  const auto again = [](const json::object& document) { return *json::parse_object(json::write(document)); };
  const auto service = to_json(Service{"compute", "h1", "nova-compute", true, "fan", true, 17, 3});
  EXPECT_EQ(to_json(*service_from_json(again(service))), service);
  const auto node = to_json(ComputeNode{"compute", "h1", "n1", {{"vcpus", 3}}, 5, 6});
  EXPECT_EQ(to_json(*compute_node_from_json(again(node))), node);
  const auto capabilities = to_json(Capabilities{"volume", "h1", {{"free", 3}}, 6});
  EXPECT_EQ(to_json(*capabilities_from_json(again(capabilities))), capabilities);
  const auto aggregate = to_json(Aggregate{1, "u", "a", {{"k", "v"}}, {"h1", "h2"}});
  EXPECT_EQ(to_json(*aggregate_from_json(again(aggregate))), aggregate);
  const auto group = to_json(Group{"u", "g", "p", "us", "affinity", {{"max", 2}}, {"m1"}});
  EXPECT_EQ(to_json(*group_from_json(again(group))), group);
}

TEST(FleetRecords, AClaimsUnboundedLimitIsLeftOut) {
  Claim claim;
  claim.consumer = "c";
  claim.items = {{"vcpu", 1, 4}, {"gpu", 0.5}};
  claim.cast_waits = true;
  claim.created_at = 9;
  const auto document = to_json(claim);
  EXPECT_FALSE(document.at("items").at(1).as_object().contains("limit"));
  const auto read = claim_from_json(*json::parse_object(json::write(document)));
  ASSERT_TRUE(read);
  EXPECT_EQ(to_json(*read), document);
  EXPECT_TRUE(std::isnan(read->items[1].limit));
  EXPECT_EQ(read->items[0].limit, 4);
}

TEST(FleetRecords, AnAbsentMemberIsItsDefault) {
  EXPECT_EQ(to_json(*service_from_json({})), to_json(Service{}));
  EXPECT_EQ(to_json(*claim_from_json({})), to_json(Claim{}));
  EXPECT_EQ(to_json(*instance_from_json({})), to_json(Instance{}));
}

TEST(FleetRecords, AMemberOfAnotherTypeIsRefusedByName) {
  const auto refused = service_from_json({{"topic", "compute"}, {"disabled", "yes"}});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("service: member 'disabled': expected true or false, found string"));
  EXPECT_FALSE(service_from_json({{"report_count", -1}}));
  EXPECT_FALSE(aggregate_from_json({{"hosts", {"a", 1}}}));
  EXPECT_FALSE(aggregate_from_json({{"metadata", {{"a", 1}}}}));
  EXPECT_FALSE(compute_node_from_json({{"stats", "{}"}}));
  EXPECT_FALSE(claim_from_json({{"items", {1}}}));
  EXPECT_FALSE(claim_from_json({{"items", {{{"amount", "x"}}}}}));
}

}  // namespace
}  // namespace gantry::fleet
