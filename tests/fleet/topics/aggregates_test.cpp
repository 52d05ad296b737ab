// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/fleet/snapshot.hpp"

namespace gantry::fleet::testing {
namespace {

Aggregate aggregate(std::int64_t id, std::string_view name, std::vector<std::string> hosts,
                    std::string_view zone = {}) {
  Aggregate made;
  made.id = id;
  made.uuid = text_of(static_cast<std::uint64_t>(id));
  made.name = name;
  made.hosts = std::move(hosts);
  if (!zone.empty()) made.metadata.emplace("availability_zone", zone);
  return made;
}

json::array names(std::initializer_list<std::string_view> texts) {
  json::array array;
  for (const auto text : texts) array.emplace_back(text);
  return array;
}

TEST(FleetAggregates, AHostShowsItsAggregatesAndTheirZone) {
  Fleet fleet({});
  fleet.put_service(service("h1"));
  fleet.put_service(service("h2"));
  fleet.put_aggregate(aggregate(7, "fast", {"h1"}, "az1"));
  fleet.put_aggregate(aggregate(3, "ssd", {"h1", "h2", "h2"}));
  const auto moment = fleet.pin(noon);
  EXPECT_EQ(row_of(moment, "h1").at("aggregates"), names({"ssd", "fast"}));
  EXPECT_EQ(row_of(moment, "h1").at("availability_zone"), "az1");
  EXPECT_EQ(row_of(moment, "h2").at("aggregates"), names({"ssd"}));
  EXPECT_EQ(row_of(moment, "h2").at("availability_zone"), "nova");
  const auto& view = *moment.view("compute");
  ASSERT_EQ(view.aggregate_count, 2u);
  EXPECT_EQ(view.aggregate_stride, sizeof(gantry_aggregate));
  EXPECT_EQ(view.aggregates[0].id, 3);
  ASSERT_EQ(view.aggregates[1].metadata.count, 1u);
  const auto& pair = view.aggregates[1].metadata.items[0];
  EXPECT_EQ(std::string_view(pair.key.data, pair.key.size), "availability_zone");
  EXPECT_EQ(std::string_view(pair.value.data, pair.value.size), "az1");
}

TEST(FleetAggregates, TheZoneOfTheLowestIdCounts) {
  Fleet fleet({});
  fleet.put_service(service("h1"));
  fleet.put_aggregate(aggregate(2, "b", {"h1"}, "second"));
  fleet.put_aggregate(aggregate(1, "a", {"h1"}, "first"));
  EXPECT_EQ(row_of(fleet.pin(noon), "h1").at("availability_zone"), "first");
  fleet.remove_aggregate(1);
  EXPECT_EQ(row_of(fleet.pin(noon), "h1").at("availability_zone"), "second");
  fleet.put_aggregate(aggregate(2, "b", {"h1"}, "renamed"));
  EXPECT_EQ(row_of(fleet.pin(noon), "h1").at("availability_zone"), "renamed");
  fleet.put_aggregate(aggregate(2, "b", {}, "renamed"));
  EXPECT_EQ(row_of(fleet.pin(noon), "h1").at("availability_zone"), "nova");
  EXPECT_EQ(row_of(fleet.pin(noon), "h1").at("aggregates"), names({}));
}

TEST(FleetAggregates, AHostThatComesLaterIsInTheAggregatesThatNamedIt) {
  Fleet fleet({});
  fleet.put_aggregate(aggregate(1, "a", {"h1"}, "az1"));
  put(fleet, report("h1", "n1", "{}"));
  EXPECT_EQ(row_of(fleet.pin(noon), "h1", "n1").at("availability_zone"), "az1");
  fleet.remove_compute_node("compute", "h1", "n1");
  put(fleet, report("h1", "n2", "{}"));
  EXPECT_EQ(row_of(fleet.pin(noon), "h1", "n2").at("aggregates"), names({"a"}));
}

TEST(FleetAggregates, AnOldMomentKeepsItsAggregates) {
  Fleet fleet({});
  fleet.put_service(service("h1"));
  fleet.put_aggregate(aggregate(1, "a", {"h1"}, "az1"));
  fleet.put_aggregate(aggregate(2, "b", {"h1"}));
  const auto before = fleet.pin(noon);
  fleet.remove_aggregate(1);
  fleet.put_aggregate(aggregate(2, "renamed", {"h1"}));
  EXPECT_EQ(row_of(fleet.pin(noon), "h1").at("aggregates"), names({"renamed"}));
  EXPECT_EQ(row_of(before, "h1").at("aggregates"), names({"a", "b"}));
  EXPECT_EQ(before.view("compute")->aggregate_count, 2u);
}

TEST(FleetAggregates, ChangedDefinitionsGetAnotherDictionaryVersionAndChangedMembersDoNot) {
  Fleet fleet({});
  fleet.put_service(service("h1"));
  fleet.put_service(service("h2"));
  const auto version = [&] {
    const auto moment = fleet.pin(noon);
    return moment.column(*moment.view("compute"), "aggregates")->dictionary_version;
  };
  fleet.put_aggregate(aggregate(1, "a", {"h1"}));
  const auto first = version();
  fleet.put_aggregate(aggregate(1, "a", {"h1", "h2"}));
  EXPECT_EQ(version(), first);
  fleet.put_aggregate(aggregate(1, "a", {"h1", "h2"}, "az1"));
  EXPECT_NE(version(), first);
}

std::uint64_t sets_of(const Moment& moment) {
  return moment.column(*moment.view("compute"), "aggregates")->dictionary_count;
}

TEST(FleetAggregates, HostsThatGoThroughManySetsBetweenTwoMomentsLeaveNoneOfThemBehind) {
  Fleet fleet({});
  fleet.put_service(service("h1"));
  fleet.put_service(service("h2"));
  for (std::int64_t id = 1; id <= 300; ++id) fleet.put_aggregate(aggregate(id, "p" + std::to_string(id), {"h1", "h2"}));
  const auto moment = fleet.pin(noon);
  EXPECT_EQ(sets_of(moment), 2U) << "the empty set, and that of all";
  EXPECT_EQ(row_of(moment, "h2").at("aggregates").as_array().size(), 300U);
}

TEST(FleetAggregates, SetsThatNoHostIsInAnyMoreAreForgottenAfterAWhile) {
  Fleet fleet({});
  fleet.put_service(service("h1"));
  fleet.put_service(service("h2"));
  fleet.put_aggregate(aggregate(1, "kept", {"h2"}));
  const auto kept = fleet.pin(noon);
  for (std::int64_t id = 2; id <= 4000; ++id) {
    fleet.put_aggregate(aggregate(id, "p" + std::to_string(id), {"h1"}));
    EXPECT_EQ(row_of(fleet.pin(noon), "h1").at("aggregates").as_array().size(), 1U);
    fleet.remove_aggregate(id);
  }
  const auto moment = fleet.pin(noon);
  EXPECT_LT(sets_of(moment), 2500U);
  EXPECT_EQ(row_of(moment, "h2").at("aggregates"), names({"kept"}));
  EXPECT_EQ(row_of(kept, "h2").at("aggregates"), names({"kept"}));
}

TEST(FleetAggregates, AnAggregateThatComesBackIsInItsHostsSetAgain) {
  Fleet fleet({});
  fleet.put_service(service("h1"));
  for (int round = 0; round < 3; ++round) {
    fleet.put_aggregate(aggregate(1, "low", {"h1"}));
    fleet.put_aggregate(aggregate(2, "high", {"h1"}));
    EXPECT_EQ(row_of(fleet.pin(noon), "h1").at("aggregates"), names({"low", "high"}));
    fleet.remove_aggregate(2);
    EXPECT_EQ(row_of(fleet.pin(noon), "h1").at("aggregates"), names({"low"}));
    fleet.put_aggregate(aggregate(3, "other", {"h1"}));
    EXPECT_EQ(row_of(fleet.pin(noon), "h1").at("aggregates"), names({"low", "other"}));
    fleet.remove_aggregate(3);
    fleet.remove_aggregate(1);
    EXPECT_EQ(row_of(fleet.pin(noon), "h1").at("aggregates"), names({}));
  }
}

TEST(FleetAggregates, AreFoundByNameByUuidAndByHost) {
  Fleet fleet({});
  fleet.put_aggregate(aggregate(1, "a", {"h1", "h2"}, "az1"));
  fleet.put_aggregate(aggregate(2, "b", {"h1"}));
  using Ids = std::vector<std::int64_t>;
  EXPECT_EQ(fleet.aggregate_ids("a"), Ids{1});
  EXPECT_EQ(fleet.aggregate_ids(text_of(2)), Ids{2});
  EXPECT_EQ(fleet.aggregate_ids("c"), Ids{});
  EXPECT_EQ(fleet.aggregates_of("h1"), (Ids{1, 2}));
  ASSERT_EQ(fleet.zones_of("h1").size(), 1U);
  EXPECT_EQ(fleet.zones_of("h1")[0].zone, "az1");
  fleet.put_aggregate(aggregate(1, "renamed", {"h2"}));
  EXPECT_EQ(fleet.aggregate_ids("a"), Ids{});
  EXPECT_EQ(fleet.aggregates_of("h1"), Ids{2});
  EXPECT_TRUE(fleet.zones_of("h2").empty());
}

TEST(FleetAggregates, OnlyTheComputeTopicHasAggregates) {
  Fleet fleet({});
  fleet.put_service(service("h1", noon, "volume"));
  fleet.put_aggregate(aggregate(1, "a", {"h1"}, "az1"));
  const auto moment = fleet.pin(noon);
  EXPECT_EQ(row_of(moment, "h1", "", "volume").at("availability_zone"), "nova");
  EXPECT_EQ(moment.view("volume")->aggregate_count, 0u);
  EXPECT_EQ(moment.view("compute")->rows, 0u);
}

TEST(FleetAggregates, PutsRemovesAndListsAggregates) {
  Fleet fleet({});
  EXPECT_FALSE(fleet.put_aggregate(aggregate(2, "b", {"h1"})).has_value());
  EXPECT_EQ(fleet.put_aggregate(aggregate(2, "c", {}))->name, "b");
  fleet.put_aggregate(aggregate(1, "a", {}));
  ASSERT_EQ(fleet.aggregates().size(), 2u);
  EXPECT_EQ(fleet.aggregates()[0].id, 1);
  EXPECT_EQ(fleet.aggregate(2)->name, "c");
  EXPECT_EQ(fleet.remove_aggregate(2)->name, "c");
  EXPECT_FALSE(fleet.remove_aggregate(2).has_value());
}

}  // namespace
}  // namespace gantry::fleet::testing
