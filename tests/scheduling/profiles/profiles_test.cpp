// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/profiles/profiles.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/drivers/driver_loader.hpp"
#include "tests/drivers/trusted_directory.hpp"

namespace gantry::scheduling {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view legacy = R"({"instance_type":{"name":"g1.x"},
  "instance_properties":{"project_id":"p1","availability_zone":"az1"}})";
constexpr std::string_view versioned = R"({"nova_object.name":"RequestSpec","nova_object.data":{
  "flavor":{"nova_object.name":"Flavor","nova_object.data":{"name":"g1.x"}},"project_id":"p1","availability_zone":"az1",
  "scheduler_hints":{"arch":["x86","arm64"]},
  "requested_destination":{"nova_object.name":"Destination","nova_object.data":{"aggregates":["u1,u2","u3"]}},
  "instance_group":{"nova_object.name":"InstanceGroup","nova_object.data":{"policy":"affinity"}}}})";

// Three drivers of topic compute: simple, and two of one file.
class ProfilesTest : public ::testing::Test {
 protected:
  ProfilesTest() {
    for (const std::string file : {"simple.so", "chance.so"})
      directory_.add(std::string(GANTRY_DRIVERS) + "/" + file, file);
    settings_.scheduler_driver = {"simple", "gpu", "arm"};
    settings_.driver_directories = {directory_.path().string()};
    for (const std::string driver : {"gpu", "arm"}) {
      settings_.drivers[driver].file = "chance.so";
      settings_.profiles.push_back({});
      settings_.profiles.back().name = "for_" + driver;
      settings_.profiles.back().driver = driver;
    }
    auto set = drivers::load_drivers(settings_, telemetry::Logger::none(), std::make_shared<telemetry::Counters>(), {});
    EXPECT_TRUE(set) << (set ? "" : set.error().message);
    if (set) set_.emplace(*std::move(set));
  }
  config::Profile& rule(std::size_t at) { return settings_.profiles.at(at); }

  // The driver and the rule of a request, as the arguments alone tell them and as the parsed request does: "gpu for_gpu".
  std::string chosen(std::string_view spec, bool are_required = false) {
    const Profiles profiles(settings_.profiles, are_required, *set_);
    const auto text_of = [](const Result<ChosenDriver>& choice) {
      if (!choice) return choice.error().message;
      return choice->driver->manifest().id + " " + std::string(choice->profile);
    };
    json::object args{{"request_spec", *json::parse(spec, json::stored_depth)}};
    const auto by_arguments = text_of(profiles.choose(facts_of(args, {}), *set_));
    const auto parsed = parse_request_spec(args["request_spec"], {}, {});
    EXPECT_TRUE(parsed);
    const auto* const group = parsed->group ? &*parsed->group : nullptr;
    EXPECT_EQ(text_of(profiles.choose(facts_of(*parsed, group, "", nullptr), *set_)), by_arguments);
    return by_arguments;
  }

  drivers::TrustedDirectory directory_;
  config::Settings settings_;
  std::optional<drivers::DriverSet> set_;
};

TEST_F(ProfilesTest, LeaveARequestThatNoneTakesToTheDefault) {
  rule(0).flavor = {"m1.*"};
  rule(1).project = {"p2"};
  EXPECT_EQ(chosen(legacy), "simple ");
  EXPECT_EQ(chosen(versioned), "simple ");
  EXPECT_THAT(chosen(legacy, true), HasSubstr("No profile takes the request (flavor 'g1.x', project 'p1')"));
}

TEST_F(ProfilesTest, AreTriedInTheirOrder) {
  rule(0).flavor = {"g1.*"};
  rule(1).project = {"p1"};
  EXPECT_EQ(chosen(legacy), "gpu for_gpu");
  std::swap(settings_.profiles[0], settings_.profiles[1]);
  EXPECT_EQ(chosen(legacy), "arm for_arm");
}

TEST_F(ProfilesTest, TakeARequestForWhichAllConditionsHold) {
  rule(0).flavor = {"g1.*"};
  rule(0).availability_zone = {"az2"};
  rule(1).flavor = {"m1.*", "g1.x"};
  rule(1).availability_zone = {"az1"};
  EXPECT_EQ(chosen(legacy), "arm for_arm");
  EXPECT_EQ(chosen(versioned), "arm for_arm");
}

TEST_F(ProfilesTest, AskForHintsAggregatesAndTheGroup) {
  rule(0).hint = {{"arch", {"arm*"}}};
  rule(0).aggregate = {"u2"};
  rule(0).group_policy = {"affinity"};
  rule(1).aggregate = {"u3"};
  EXPECT_EQ(chosen(versioned), "gpu for_gpu");
  rule(0).group_policy = {"anti-affinity"};
  EXPECT_EQ(chosen(versioned), "arm for_arm");
  rule(1).hint = {{"rack", {"*"}}};
  EXPECT_EQ(chosen(versioned), "simple ");
}

TEST_F(ProfilesTest, KnowAggregatesByTheirNames) {
  rule(0).aggregate = {"gpus"};
  const std::string uuid = "u3";
  const std::string name = "gpus";
  gantry_aggregate aggregate{};
  aggregate.uuid = {uuid.data(), uuid.size()};
  aggregate.name = {name.data(), name.size()};
  gantry_view view{};
  view.aggregates = &aggregate;
  view.aggregate_count = 1;
  view.aggregate_stride = sizeof aggregate;
  const auto spec = parse_request_spec(*json::parse(versioned, json::stored_depth), {}, {});
  const Profiles profiles(settings_.profiles, false, *set_);
  const auto chosen = profiles.choose(facts_of(*spec, nullptr, "", &view), *set_);
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->profile, "for_gpu");
}

}  // namespace
}  // namespace gantry::scheduling
