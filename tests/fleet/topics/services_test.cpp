// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/fleet/snapshot.hpp"

namespace gantry::fleet::testing {
namespace {

TEST(FleetServices, AServiceWithoutAComputeNodeHasARowWithoutANode) {
  Fleet fleet({});
  fleet.put_service(service("h1"));
  const auto row = row_of(fleet.pin(noon), "h1");
  EXPECT_EQ(row.at("host"), "h1");
  EXPECT_FALSE(row.contains("hypervisor_hostname"));
  EXPECT_FALSE(row.contains("vcpus"));
  EXPECT_EQ(row.at("up"), true);
  EXPECT_EQ(row.at("last_seen_up"), noon);
}

TEST(FleetServices, TheFirstComputeNodeTakesOverTheRowOfAService) {
  Fleet fleet({});
  fleet.put_service(service("h1"));
  fleet.put_service(service("h2"));
  const auto before = fleet.pin(noon);
  const auto row = before.row_of("compute", "h1", "");
  put(fleet, report("h1", "n1", "{}"));
  const auto after = fleet.pin(noon);
  EXPECT_EQ(after.view("compute")->rows, 2u);
  EXPECT_EQ(after.row_of("compute", "h1", "n1"), row);
  EXPECT_EQ(after.row_of("compute", "h1", ""), row);
  EXPECT_EQ(before.row_of("compute", "h1", "n1"), std::nullopt);
}

TEST(FleetServices, TheLastComputeNodeLeavesItsRowToTheHost) {
  Fleet fleet({});
  fleet.put_service(service("h1"));
  put(fleet, report("h1", "n1", R"({"vcpus":4})"));
  fleet.remove_compute_node("compute", "h1", "n1");
  const auto row = row_of(fleet.pin(noon), "h1");
  EXPECT_FALSE(row.contains("vcpus"));
  EXPECT_FALSE(row.contains("hypervisor_hostname"));
  EXPECT_EQ(fleet.pin(noon).view("compute")->rows, 1u);
}

TEST(FleetServices, AComputeNodeWithoutAServiceIsDownAndNotDisabled) {
  Fleet fleet({});
  put(fleet, report("h1", "n1", "{}"));
  const auto row = row_of(fleet.pin(noon), "h1", "n1");
  EXPECT_EQ(row.at("up"), false);
  EXPECT_EQ(row.at("disabled"), false);
  EXPECT_EQ(row.at("forced_down"), false);
  EXPECT_FALSE(row.contains("last_seen_up"));
}

TEST(FleetServices, AHeartbeatThatGrowsTooOldTakesTheServiceDownAndANewOneBringsItUp) {
  Fleet fleet({});
  fleet.put_service(service("h1", noon));
  EXPECT_EQ(row_of(fleet.pin(noon + 60 * second), "h1").at("up"), true);
  EXPECT_EQ(row_of(fleet.pin(noon + 60 * second + 1), "h1").at("up"), false);
  fleet.put_service(service("h1", noon + 61 * second));
  EXPECT_EQ(row_of(fleet.pin(noon + 61 * second), "h1").at("up"), true);
}

TEST(FleetServices, AHeartbeatOfTheFutureIsNoSignOfLifeUntilItIsNear) {
  Fleet fleet({});
  const auto ahead = noon + 3600 * second;
  fleet.put_service(service("h1", ahead));
  EXPECT_FALSE(fleet.is_up(service("h1", ahead), noon));
  EXPECT_EQ(row_of(fleet.pin(noon), "h1").at("up"), false);
  EXPECT_EQ(row_of(fleet.pin(ahead - 60 * second - 1), "h1").at("up"), false);
  EXPECT_EQ(row_of(fleet.pin(ahead - 60 * second), "h1").at("up"), true);
  EXPECT_EQ(row_of(fleet.pin(ahead + 60 * second), "h1").at("up"), true);
  EXPECT_EQ(row_of(fleet.pin(ahead + 60 * second + 1), "h1").at("up"), false);
  EXPECT_EQ(row_of(fleet.pin(noon), "h1").at("up"), false);
}

TEST(FleetServices, NamesTheServicesWhoseHeartbeatsAreOfTheFuture) {
  Fleet fleet({});
  fleet.put_service(service("h1", noon + 6 * second));
  fleet.put_service(service("h2", noon + 5 * second));
  const auto ahead = fleet.clocks_ahead(noon, 5 * second);
  ASSERT_EQ(ahead.size(), 1U);
  EXPECT_EQ(ahead[0].host, "h1");
  EXPECT_EQ(ahead[0].by, 6 * second);
}

TEST(FleetServices, AMomentOfAnEarlierTimeSeesTheServiceUpAgain) {
  Fleet fleet({});
  fleet.put_service(service("h1", noon));
  EXPECT_EQ(row_of(fleet.pin(noon + 90 * second), "h1").at("up"), false);
  EXPECT_EQ(row_of(fleet.pin(noon + 30 * second), "h1").at("up"), true);
  EXPECT_EQ(row_of(fleet.pin(noon + 90 * second), "h1").at("up"), false);
}

TEST(FleetServices, AnOldHeartbeatThatComesLateDoesNotBringTheServiceUp) {
  Fleet fleet({});
  fleet.pin(noon + 90 * second);
  fleet.put_service(service("h1", noon));
  EXPECT_EQ(row_of(fleet.pin(noon + 90 * second), "h1").at("up"), false);
}

TEST(FleetServices, AServiceThatNeverReportedIsDown) {
  Fleet fleet({});
  fleet.put_service(service("h1", 0));
  const auto row = row_of(fleet.pin(30 * second), "h1");
  EXPECT_EQ(row.at("up"), false);
  EXPECT_FALSE(row.contains("last_seen_up"));
  EXPECT_FALSE(fleet.is_up(service("h1", 0), 30 * second));
}

// A fleet whose system clock is stepped at will.
struct SteppedClock {
  Nanoseconds steps = 0;
  FleetSettings settings() {
    FleetSettings made;
    made.clock_steps = [this] { return steps; };
    return made;
  }
};

TEST(FleetServices, AStepOfTheSystemClockMakesNoHeartbeatOldAndNoneYoung) {
  for (const Nanoseconds step : {3600 * second, -300 * second}) {
    SteppedClock clock;
    Fleet fleet(clock.settings());
    fleet.put_service(service("h1", noon));
    clock.steps = step;
    EXPECT_EQ(row_of(fleet.pin(noon + 30 * second), "h1").at("up"), true) << step;
    EXPECT_TRUE(fleet.is_up(service("h1", noon), noon + 30 * second)) << step;
    // A change by an operator does not count as a heartbeat.
    auto disabled = service("h1", noon);
    disabled.disabled = true;
    fleet.put_service(disabled);
    EXPECT_EQ(row_of(fleet.pin(noon + 60 * second), "h1").at("up"), true) << step;
    EXPECT_EQ(row_of(fleet.pin(noon + 61 * second), "h1").at("up"), false) << step;
    // The next heartbeat is of the new clock's time.
    fleet.put_service(service("h1", noon + 61 * second + step));
    EXPECT_EQ(row_of(fleet.pin(noon + 121 * second), "h1").at("up"), true) << step;
    EXPECT_EQ(row_of(fleet.pin(noon + 122 * second), "h1").at("up"), false) << step;
  }
}

TEST(FleetServices, ADocumentAfterAStepShowsAgesAsTheyAre) {
  SteppedClock clock;
  Fleet fleet(clock.settings());
  fleet.put_service(service("h1", noon));
  clock.steps = 3600 * second;
  const auto document = fleet.document(noon + 30 * second);
  EXPECT_EQ(document.now - document.hosts.at(0).service->last_seen_up, 30 * second);
  EXPECT_EQ(document.now, noon + 3630 * second);
}

TEST(FleetServices, ThoseThatWereUpAtTheStopAreBelievedForOneDownTimeAfterTheStart) {
  Fleet fleet({});
  fleet.put_service(service("up", noon));
  fleet.put_service(service("late", noon - 60 * second));
  fleet.put_service(service("gone", noon - 61 * second));
  const auto start = noon + 86'400 * second;
  EXPECT_EQ(fleet.begin(noon, start), 2U);
  for (const auto* host : {"up", "late"}) {
    EXPECT_EQ(row_of(fleet.pin(start + 60 * second), host).at("up"), true) << host;
    EXPECT_EQ(row_of(fleet.pin(start + 61 * second), host).at("up"), false) << host;
    EXPECT_EQ(row_of(fleet.pin(start), host).at("last_seen_up"), fleet.service("compute", host)->last_seen_up);
  }
  EXPECT_EQ(row_of(fleet.pin(start), "gone").at("up"), false);
  EXPECT_EQ(fleet.unheard(start + 30 * second), 2U);
  fleet.put_service(service("up", start + 30 * second));
  EXPECT_EQ(fleet.unheard(start + 30 * second), 1U);
  EXPECT_EQ(fleet.unheard(start + 61 * second), 0U);
}

TEST(FleetServices, AHostOfABackupIsDownUntilItWasHeardAndHasReportedSince) {
  Fleet fleet({});
  fleet.put_service(service("h1", noon));
  fleet.put_service(service("none", noon));
  fleet.restore_compute_node({"compute", "h1", "h1", {{"vcpus", 8}}, noon, noon});
  const auto restored = noon + 10 * second;
  const auto start = noon + 20 * second;
  fleet.distrust_reports_before(restored);
  fleet.begin(restored + 60 * second, start);
  const auto is_up = [&fleet](const char* host, Nanoseconds now) {
    const bool shown = row_of(fleet.pin(now), host).at("up").as_bool();
    EXPECT_EQ(fleet.is_up(*fleet.service("compute", host), now), shown);
    return shown;
  };
  EXPECT_FALSE(is_up("h1", start));
  fleet.put_service(service("h1", start + second));
  EXPECT_FALSE(is_up("h1", start + second));
  ComputeNode merged;
  ClaimChanges ended;
  fleet.put_compute_node({"compute", "h1", "h1", {{"vcpus", 8}}, start, start + 2 * second}, merged, ended);
  EXPECT_TRUE(is_up("h1", start + 2 * second));
  EXPECT_FALSE(is_up("none", start + 2 * second));
  fleet.put_service(service("none", start + 2 * second));
  EXPECT_TRUE(is_up("none", start + 2 * second));
}

TEST(FleetServices, AClockThatWasSetBackBetweenTwoRunsLeavesTheDownDown) {
  Fleet fleet({});
  fleet.put_service(service("up", noon));
  fleet.put_service(service("gone", noon - 180 * second));
  const auto start = noon - 300 * second;
  EXPECT_EQ(fleet.begin(noon, start), 1U);
  EXPECT_EQ(row_of(fleet.pin(start), "up").at("up"), true);
  EXPECT_EQ(row_of(fleet.pin(start + 61 * second), "up").at("up"), false);
  EXPECT_EQ(row_of(fleet.pin(start), "gone").at("up"), false);
}

TEST(FleetServices, ShowsWhatAnOperatorSet) {
  Fleet fleet({});
  auto set = service("h1");
  set.disabled = true;
  set.disabled_reason = "broken fan";
  set.forced_down = true;
  fleet.put_service(set);
  const auto row = row_of(fleet.pin(noon), "h1");
  EXPECT_EQ(row.at("disabled"), true);
  EXPECT_EQ(row.at("disabled_reason"), "broken fan");
  EXPECT_EQ(row.at("forced_down"), true);
  EXPECT_EQ(row.at("up"), false);
}

TEST(FleetServices, EveryNodeOfAHostShowsItsService) {
  Fleet fleet({});
  put(fleet, report("ironic", "n1", "{}"));
  put(fleet, report("ironic", "n2", "{}"));
  fleet.put_service(service("ironic"));
  const auto moment = fleet.pin(noon);
  EXPECT_EQ(moment.view("compute")->rows, 2u);
  EXPECT_EQ(row_of(moment, "ironic", "n1").at("up"), true);
  EXPECT_EQ(row_of(moment, "ironic", "n2").at("up"), true);
  EXPECT_EQ(moment.row_of("compute", "ironic", ""), moment.row_of("compute", "ironic", "n1"));
}

TEST(FleetServices, PutAndRemoveReturnTheServiceBefore) {
  Fleet fleet({});
  EXPECT_FALSE(fleet.put_service(service("h1", noon)).has_value());
  const auto before = fleet.put_service(service("h1", noon + second));
  ASSERT_TRUE(before.has_value());
  EXPECT_EQ(before->last_seen_up, noon);
  const auto removed = fleet.remove_service("compute", "h1");
  ASSERT_TRUE(removed.has_value());
  EXPECT_EQ(removed->last_seen_up, noon + second);
  EXPECT_FALSE(fleet.remove_service("compute", "h1").has_value());
  EXPECT_EQ(fleet.pin(noon).view("compute")->rows, 0u);
}

TEST(FleetServices, ListsServicesByTopicAndHost) {
  Fleet fleet({});
  fleet.put_service(service("b", noon, "volume"));
  fleet.put_service(service("b"));
  fleet.put_service(service("a"));
  const auto services = fleet.services();
  ASSERT_EQ(services.size(), 3u);
  EXPECT_EQ(services[0].host, "a");
  EXPECT_EQ(services[1].host, "b");
  EXPECT_EQ(services[2].topic, "volume");
  EXPECT_TRUE(fleet.service("volume", "b").has_value());
  EXPECT_FALSE(fleet.service("volume", "a").has_value());
}

TEST(FleetTopics, ATopicExistsOnceAFactWasPutOrItWasDeclared) {
  Fleet fleet({});
  EXPECT_NE(fleet.pin(noon).view("compute"), nullptr);
  EXPECT_EQ(fleet.pin(noon).view("volume"), nullptr);
  const auto before = fleet.pin(noon);
  fleet.declare_topic("volume");
  EXPECT_NE(fleet.pin(noon).view("volume"), nullptr);
  EXPECT_EQ(before.view("volume"), nullptr);
  fleet.put_capabilities({"network", "h1", {{"plugin", "ovs"}}, noon});
  const auto moment = fleet.pin(noon);
  EXPECT_EQ(row_of(moment, "h1", "", "network").at("capabilities").at("plugin"), "ovs");
  EXPECT_EQ(moment.topics(), (std::vector<std::string_view>{"compute", "network", "volume"}));
}

TEST(FleetTopics, CapabilitiesCanBeReplacedAndRemoved) {
  Fleet fleet({});
  fleet.put_service(service("h1"));
  EXPECT_FALSE(fleet.put_capabilities({"compute", "h1", {{"a", 1}}, noon}).has_value());
  const auto before = fleet.put_capabilities({"compute", "h1", {{"a", 2}}, noon + 1});
  ASSERT_TRUE(before.has_value());
  EXPECT_EQ(before->capabilities.at("a"), 1);
  EXPECT_EQ(before->updated_at, noon);
  EXPECT_EQ(fleet.capabilities("compute", "h1")->capabilities.at("a"), 2);
  fleet.remove_capabilities("compute", "h1");
  EXPECT_FALSE(row_of(fleet.pin(noon), "h1").contains("capabilities"));
}

}  // namespace

}  // namespace gantry::fleet::testing
