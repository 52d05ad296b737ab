// SPDX-License-Identifier: Apache-2.0
#include "core/nova/check/found_level.hpp"

#include <gmock/gmock.h>

namespace gantry::nova {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using Levels = std::vector<std::string>;

constexpr const char* before_zed = "16f1fbcab42b";
constexpr const char* unknown = "ffffffffffff";

CellSchema schema(const std::string& revision, bool has_compute_id) {
  return {"nova_cell1 at db1:3306", revision, has_compute_id};
}

CellSchema schema_of(std::string_view level) {
  return schema(std::string(nova_release(level).cell_schema), level != "zed" && level != "antelope");
}

std::vector<RunningServices> running(std::int64_t controllers, std::int64_t computes) {
  return {{"nova-conductor", controllers, {"ctl1"}}, {"nova-compute", computes, {"c1", "c2"}}};
}

FoundLevel found(const LevelSigns& signs) {
  return found_level(signs);
}

Levels could_be(const LevelSigns& signs) {
  const auto all = found(signs);
  Levels levels;
  for (const auto* release : all.could_be) levels.emplace_back(release->level);
  EXPECT_EQ(all.level == nullptr, levels.empty());
  if (all.level != nullptr) {
    EXPECT_EQ(all.level->level, levels.front());
  }
  return levels;
}

TEST(FoundLevel, IsTheReleaseThatHasTheServiceVersion) {
  for (const auto* level : {"zed", "epoxy", "flamingo", "gazpacho", "hibiscus"}) {
    const auto version = nova_release(level).service_version;
    EXPECT_THAT(could_be({running(version, version), {schema_of(level)}, {}}), ElementsAre(level));
  }
}

TEST(FoundLevel, TellsAntelopeFromBobcatByTheSchema) {
  EXPECT_THAT(could_be({running(66, 66), {schema_of("antelope")}, {}}), ElementsAre("antelope"));
  EXPECT_THAT(could_be({running(66, 66), {schema_of("bobcat")}, {}}), ElementsAre("bobcat"));
  EXPECT_THAT(found({running(66, 66), {schema_of("bobcat")}, {}}).signs,
              Contains("the schema of revision 1acf2c98e646 in nova_cell1 at db1:3306 has the column "
                       "instances.compute_id, as from Nova 28 (Bobcat) on"));
}

TEST(FoundLevel, TellsThemByTheColumnWhereTheRevisionCannotBeRead) {
  EXPECT_THAT(could_be({running(66, 66), {schema("", false)}, {}}), ElementsAre("antelope"));
  EXPECT_THAT(could_be({running(66, 66), {schema("", true)}, {}}), ElementsAre("bobcat"));
}

TEST(FoundLevel, TakesTheOldestSchemaOfSeveralCells) {
  EXPECT_THAT(could_be({running(66, 66), {schema_of("bobcat"), schema_of("antelope")}, {}}), ElementsAre("antelope"));
}

TEST(FoundLevel, IsTheOlderOneWhileTheSchemaIsAheadOfTheServices) {
  for (const auto& ahead : {schema_of("caracal"), schema_of("hibiscus"), schema(unknown, true)}) {
    const auto all = found({running(66, 66), {ahead}, {}});
    EXPECT_THAT(could_be({running(66, 66), {ahead}, {}}), ElementsAre("antelope", "bobcat"));
    EXPECT_EQ(all.signs.back(),
              "the databases do not tell Nova 27 (Antelope) from Nova 28 (Bobcat): the older one is chosen");
  }
}

TEST(FoundLevel, DoesNotTellCaracalFromDalmatianByServicesAndSchema) {
  EXPECT_THAT(could_be({running(67, 67), {schema_of("caracal")}, {}}), ElementsAre("caracal", "dalmatian"));
  EXPECT_THAT(could_be({running(67, 67), {}, {}}), ElementsAre("caracal", "dalmatian"));
}

TEST(FoundLevel, TellsThemByTheRequestsThatTheyStored) {
  EXPECT_THAT(could_be({running(67, 67), {schema_of("caracal")}, {38}}), ElementsAre("dalmatian"));
  EXPECT_THAT(could_be({running(67, 67), {schema_of("caracal")}, {34, 37, 38}}), ElementsAre("dalmatian"));
  EXPECT_THAT(could_be({running(67, 67), {schema_of("caracal")}, {34, 37}}), ElementsAre("caracal"));
  EXPECT_THAT(
      found({running(67, 67), {schema_of("caracal")}, {37}}).signs,
      Contains(HasSubstr("hold ImageMetaProps 1.37, as Nova 29 (Caracal) stores them; name the release if it was "
                         "upgraded and no server was made since")));
}

TEST(FoundLevel, LearnsNothingFromRequestsThatAnotherReleaseStored) {
  for (const auto& stored : {std::set<std::int64_t>{34}, {39}, {37, 39}})
    EXPECT_THAT(could_be({running(67, 67), {schema_of("caracal")}, stored}), ElementsAre("caracal", "dalmatian"));
}

TEST(FoundLevel, IsTheOldestOfAMixedDeployment) {
  const LevelSigns signs{running(70, 68), {schema_of("flamingo")}, {}};
  EXPECT_THAT(could_be(signs), ElementsAre("epoxy"));
  EXPECT_THAT(found(signs).signs,
              ElementsAre("service versions: nova-conductor 70 (1 service), nova-compute 68 (2 services)",
                          "the deployment is mixed, as during an upgrade: its oldest services decide, which are those "
                          "of version 68 on c1, c2",
                          "service version 68 is that of Nova 31 (Epoxy)"));
  EXPECT_THAT(found({running(68, 68), {}, {}}).signs, Not(Contains(HasSubstr("mixed"))));
}

TEST(FoundLevel, IsTheReleaseBeforeAVersionThatNoReleaseHas) {
  const LevelSigns signs{running(69, 69), {schema_of("epoxy")}, {}};
  EXPECT_THAT(could_be(signs), ElementsAre("epoxy"));
  EXPECT_THAT(found(signs).signs, Contains("service version 69 is of no release: the one before is Nova 31 (Epoxy)"));
}

TEST(FoundLevel, IsTheNewestForServicesThatAreNewer) {
  const LevelSigns signs{running(76, 75), {schema(unknown, true)}, {}};
  EXPECT_THAT(could_be(signs), ElementsAre("hibiscus"));
  EXPECT_THAT(found(signs).signs, Contains(HasSubstr("is newer than that of Nova 34 (Hibiscus), the newest")));
}

TEST(FoundLevel, IsNoneForServicesThatAreOlderThanZedsOrAbsent) {
  const LevelSigns signs{running(61, 61), {schema(before_zed, false)}, {}};
  EXPECT_THAT(could_be(signs), ElementsAre());
  EXPECT_THAT(found(signs).signs, Contains("service version 61 is older than that of Nova 26 (Zed), which is 64"));
  EXPECT_THAT(could_be({}), ElementsAre());
  EXPECT_THAT(found({}).signs, ElementsAre(HasSubstr("no service has a row")));
}

TEST(FoundLevel, NamesAFewHostsOfMany) {
  const auto all = found({{{"nova-conductor", 70, {"x"}}, {"nova-compute", 68, {"e", "d", "c", "b", "a"}}}, {}, {}});
  EXPECT_THAT(all.signs, Contains(HasSubstr("of version 68 on a, b, c and 2 others")));
}

}  // namespace
}  // namespace gantry::nova
