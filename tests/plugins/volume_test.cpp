// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include "bundled_driver.hpp"

namespace gantry::tests {
namespace {

using ::testing::ElementsAre;
using testing::fake_host;
using ::testing::HasSubstr;
using testing::host_row;

host_row volume_host(const std::string& name, double free_capacity_gb, const std::string& zone = "nova") {
  host_row row{name};
  row.availability_zone = zone;
  row.columns = {{"stats.free_capacity_gb", free_capacity_gb}};
  return row;
}

class Volume : public ::testing::Test {
 protected:
  Volume()
      : host_({volume_host("v1", 100, "east"), volume_host("v2", 300, "west"), volume_host("v3", 200, "west")},
              "volume") {
    host_.needs = {"host", "up", "disabled", "stats.free_capacity_gb"};
    driver_ = host_.create(*bundled_driver("volume"));
  }

  std::string host_for(const std::string& args) {
    const auto outcome = driver_->call_method("create_volume", args);
    EXPECT_EQ(outcome.code, GANTRY_OK) << outcome.sentence;
    return outcome.claims.empty() ? "" : outcome.claims[0].host;
  }

  fake_host host_;
  std::unique_ptr<testing::fake_driver> driver_;
};

TEST_F(Volume, PlacesTheVolumeOnTheHostWithTheMostRoom) {
  EXPECT_EQ(host_for(R"({"size":10})"), "v2");
}

TEST_F(Volume, CountsWhatOthersHaveClaimed) {
  EXPECT_EQ(host_for(R"({"size":150})"), "v2");
  EXPECT_EQ(host_for(R"({"size":150})"), "v3");
  EXPECT_EQ(host_for(R"({"size":150})"), "v2");
  EXPECT_EQ(driver_->call_method("create_volume", R"({"size":150})").code, GANTRY_NO_VALID_HOST);
}

TEST_F(Volume, FillsAHostToItsLastGibibyte) {
  EXPECT_EQ(host_for(R"({"size":300})"), "v2");
  EXPECT_EQ(host_for(R"({"size":200})"), "v3");
}

TEST_F(Volume, ClaimsTheSpaceThenRepliesAndCasts) {
  const auto outcome = driver_->call_method("create_volume", R"({"size":10,"volume_id":"vol-1"})");
  ASSERT_EQ(outcome.claims.size(), 1u);
  EXPECT_EQ(outcome.claims[0].consumer, "vol-1");
  EXPECT_EQ(outcome.claims[0].resource, "capacity_gb");
  EXPECT_EQ(outcome.claims[0].amount, 10);
  EXPECT_EQ(outcome.claims[0].limit, 300);
  ASSERT_EQ(outcome.replies.size(), 1u);
  EXPECT_EQ(boost::json::parse(outcome.replies[0]),
            boost::json::parse(R"({"volume_id":"vol-1","host":"v2","free_capacity_gb":290})"));
  ASSERT_EQ(outcome.casts.size(), 1u);
  EXPECT_EQ(outcome.casts[0].host, "v2");
  EXPECT_EQ(outcome.casts[0].method, "create_volume");
  EXPECT_EQ(boost::json::parse(outcome.casts[0].args), boost::json::parse(R"({"volume_id":"vol-1","size":10})"));
}

TEST_F(Volume, RefusesAnIdThatIsTooLongForAClaim) {
  EXPECT_EQ(host_for(R"({"size":1,"volume_id":")" + std::string(255, 'v') + R"("})"), "v2");
  const auto outcome =
      driver_->call_method("create_volume", R"({"size":1,"volume_id":")" + std::string(256, 'v') + R"("})");
  EXPECT_EQ(outcome.code, GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(outcome.sentence, HasSubstr("'volume_id': expected at most 255 bytes, found 256"));
  EXPECT_TRUE(outcome.claims.empty());
}

TEST_F(Volume, MakesUpAVersion4UuidFromTheSeed) {
  host_.seed = 5;
  const auto first = driver_->call_method("create_volume", R"({"size":1})");
  host_.seed = 5;
  const auto second = driver_->call_method("create_volume", R"({"size":1})");
  EXPECT_THAT(first.claims.at(0).consumer,
              ::testing::MatchesRegex("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"));
  EXPECT_EQ(first.claims.at(0).consumer, second.claims.at(0).consumer);
  EXPECT_NE(driver_->call_method("create_volume", R"({"size":1})").claims.at(0).consumer, first.claims.at(0).consumer);
}

TEST_F(Volume, PrefersTheHostOfTheInstanceThenItsZoneThenAny) {
  host_.instances["near"] = {"v1", "east"};
  host_.instances["west"] = {"compute-7", "west"};
  host_.instances["north"] = {"compute-8", "north"};
  EXPECT_EQ(host_for(R"({"size":60,"near_instance":"near"})"), "v1");
  EXPECT_EQ(host_for(R"({"size":60,"near_instance":"near"})"), "v2");
  EXPECT_EQ(host_for(R"({"size":20,"scheduler_hints":{"near_instance":"near"}})"), "v1");
  EXPECT_EQ(host_for(R"({"size":60,"near_instance":"west"})"), "v2");
  EXPECT_EQ(host_for(R"({"size":190,"near_instance":"north"})"), "v3");
}

TEST_F(Volume, SaysThatANearInstanceIsNowhereAndTakesAnyHost) {
  const auto outcome = driver_->call_method("create_volume", R"({"size":10,"near_instance":"gone"})");
  EXPECT_EQ(outcome.code, GANTRY_OK);
  ASSERT_EQ(outcome.logs.size(), 1u);
  EXPECT_THAT(outcome.logs[0].message, HasSubstr("near_instance gone is on no host"));
}

TEST_F(Volume, PassesOverHostsThatAreDownDisabledOrSilent) {
  host_.rows()[1].up = false;
  host_.rows()[2].columns.clear();
  EXPECT_EQ(host_for(R"({"size":10})"), "v1");
  host_.rows()[0].disabled = true;
  EXPECT_EQ(driver_->call_method("create_volume", R"({"size":10})").code, GANTRY_NO_VALID_HOST);
}

TEST_F(Volume, SaysWhatIsLackingWhenNoHostHasRoom) {
  const auto outcome = driver_->call_method("create_volume", R"({"size":500})");
  EXPECT_EQ(outcome.code, GANTRY_NO_VALID_HOST);
  EXPECT_EQ(outcome.sentence, "free_capacity_gb: 500 GiB wanted, at most 300 free on a host");
  EXPECT_THAT(outcome.casts, ElementsAre());
  EXPECT_THAT(outcome.replies, ElementsAre());
}

class VolumeArguments : public Volume, public ::testing::WithParamInterface<std::pair<const char*, const char*>> {};

TEST_P(VolumeArguments, RefusesInvalidArgumentsWithWhatWasExpectedAndFound) {
  const auto outcome = driver_->call_method("create_volume", GetParam().first);
  EXPECT_EQ(outcome.code, GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(outcome.sentence, HasSubstr(GetParam().second));
}

INSTANTIATE_TEST_SUITE_P(
    Bad, VolumeArguments,
    ::testing::Values(std::pair{"{}", "'size': expected a number of GiB above 0, found none"},
                      std::pair{R"({"size":0})", "found 0"}, std::pair{R"({"size":-1})", "found -1"},
                      std::pair{R"({"size":"10"})", "found \"10\""}, std::pair{R"({"size":1e999})", "size"},
                      std::pair{R"({"size":1,"volume_id":7})", "'volume_id': expected a text"},
                      std::pair{R"({"size":1,"near_instance":[]})", "'near_instance': expected a text"},
                      std::pair{"[]", "expected the arguments as a JSON object"},
                      std::pair{"{", "expected the arguments as a JSON object"}));

TEST_F(Volume, PlacesNoInstances) {
  for (const auto& outcome : {driver_->select_destinations({}), driver_->schedule_run_instance({})}) {
    EXPECT_EQ(outcome.code, GANTRY_UNSUPPORTED);
    EXPECT_THAT(outcome.sentence, HasSubstr("schedule_method 'create_volume'"));
  }
}

}  // namespace
}  // namespace gantry::tests
