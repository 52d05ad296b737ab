// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fleet/snapshot.hpp"

namespace gantry::fleet::testing {
namespace {

using ::testing::HasSubstr;

TEST(FleetColumns, EveryCoreColumnIsInTheViewOfEveryTopic) {
  Fleet fleet({});
  fleet.declare_topic("volume");
  const auto moment = fleet.pin(noon);
  for (const auto* topic : {"compute", "volume"}) {
    const auto& view = *moment.view(topic);
    EXPECT_EQ(view.struct_size, sizeof(gantry_view));
    EXPECT_EQ(view.column_stride, sizeof(gantry_column));
    for (const auto* name :
         {"host", "up", "vcpus", "cpu_info", "aggregates", "instances", "claims.vcpu", "claims.memory_mb",
          "claims.disk_gb", "claims.instances", "free_disk_gb", "capabilities"}) {
      EXPECT_NE(moment.column(view, name), nullptr) << name;
      EXPECT_TRUE(Fleet::is_core_column(name)) << name;
    }
    EXPECT_EQ(moment.column(view, "stats.rack"), nullptr);
  }
  EXPECT_TRUE(Fleet::is_core_column("claims.gpu"));
  EXPECT_FALSE(Fleet::is_core_column("claims."));
  EXPECT_FALSE(Fleet::is_core_column("stats.rack"));
}

TEST(FleetColumns, ADeclaredColumnShowsWhatReportsCarryBeyondTheCoresFields) {
  Fleet fleet({});
  ASSERT_TRUE(fleet.declare_column({"stats.rack", GANTRY_TYPE_STRING, "one"}));
  ASSERT_TRUE(fleet.declare_column({"stats.io_workload", GANTRY_TYPE_I64, "one"}));
  ASSERT_TRUE(fleet.declare_column({"stats.load", GANTRY_TYPE_F64, "one"}));
  ASSERT_TRUE(fleet.declare_column({"stats.ssd", GANTRY_TYPE_BOOL, "one"}));
  put(fleet, report("h1", "n", R"({"rack":"r7","stats":{"io_workload":"3","load":"0.5"},"ssd":true})"));
  put(fleet, report("h2", "n", R"({"rack":7,"io_workload":3.5,"load":"high","ssd":"true"})"));
  put(fleet, report("h3", "n", R"({"load":2,"io_workload":3.0})"));
  const auto moment = fleet.pin(noon);
  const auto h1 = row_of(moment, "h1", "n");
  EXPECT_EQ(h1.at("stats.rack"), "r7");
  EXPECT_EQ(h1.at("stats.io_workload"), 3);
  EXPECT_EQ(h1.at("stats.load"), 0.5);
  EXPECT_EQ(h1.at("stats.ssd"), true);
  const auto h2 = row_of(moment, "h2", "n");
  for (const auto* name : {"stats.rack", "stats.io_workload", "stats.load", "stats.ssd"}) {
    EXPECT_FALSE(h2.contains(name)) << name;
  }
  EXPECT_EQ(row_of(moment, "h3", "n").at("stats.load"), 2.0);
  EXPECT_EQ(row_of(moment, "h3", "n").at("stats.io_workload"), 3);
}

TEST(FleetColumns, AColumnDeclaredLaterIsFilledFromWhatWasReported) {
  Fleet fleet({});
  put(fleet, report("h1", "n", R"({"rack":"r7"})"));
  const auto before = fleet.pin(noon);
  ASSERT_TRUE(fleet.declare_column({"stats.rack", GANTRY_TYPE_STRING, "one"}));
  EXPECT_EQ(row_of(fleet.pin(noon), "h1", "n").at("stats.rack"), "r7");
  EXPECT_FALSE(row_of(before, "h1", "n").contains("stats.rack"));
}

TEST(FleetColumns, RefusesTwoTypesForOneNameAndSaysWhoDeclaredWhat) {
  Fleet fleet({});
  ASSERT_TRUE(fleet.declare_column({"stats.rack", GANTRY_TYPE_STRING, "first"}));
  EXPECT_TRUE(fleet.declare_column({"stats.rack", GANTRY_TYPE_STRING, "second"}));
  const auto refused = fleet.declare_column({"stats.rack", GANTRY_TYPE_I64, "third"});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_configuration);
  for (const auto* part : {"stats.rack", "first", "third", "string", "i64"}) {
    EXPECT_THAT(refused.error().message, HasSubstr(part));
  }
}

TEST(FleetColumns, RefusesCoreNamesForeignNamesAndForeignTypes) {
  Fleet fleet({});
  EXPECT_FALSE(fleet.declare_column({"vcpus", GANTRY_TYPE_I64, "one"}));
  EXPECT_FALSE(fleet.declare_column({"claims.gpu", GANTRY_TYPE_F64, "one"}));
  EXPECT_FALSE(fleet.declare_column({"rack", GANTRY_TYPE_STRING, "one"}));
  EXPECT_FALSE(fleet.declare_column({"stats.", GANTRY_TYPE_STRING, "one"}));
  const auto refused = fleet.declare_column({"stats.rack", GANTRY_TYPE_JSON, "one"});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("expected type bool, i64, f64 or string"));
}

TEST(FleetColumns, AClaimsColumnIsThereOnceAskedForOrClaimed) {
  Fleet fleet({});
  fleet.put_service(service("h1"));
  fleet.declare_claims_resource("gpu");
  fleet.declare_topic("volume");
  EXPECT_EQ(row_of(fleet.pin(noon), "h1").at("claims.gpu"), 0.0);
  const auto moment = fleet.pin(noon);
  EXPECT_NE(moment.column(*moment.view("volume"), "claims.gpu"), nullptr);
  Claim iops;
  iops.consumer = "v1";
  iops.items = {{"iops", 500, 1000}};
  iops.created_at = noon;
  EXPECT_EQ(claim(fleet, "h1", "", iops), ClaimOutcome::held);
  EXPECT_EQ(row_of(fleet.pin(noon), "h1").at("claims.iops"), 500.0);
  EXPECT_EQ(moment.column(*moment.view("compute"), "claims.iops"), nullptr);
}

TEST(FleetColumns, MoreThanSixtyFourColumnsFollowTheirChangesToo) {
  Fleet fleet({});
  for (int at = 0; at < 80; ++at) {
    ASSERT_TRUE(fleet.declare_column({"stats.k" + std::to_string(at), GANTRY_TYPE_I64, "one"}));
  }
  put(fleet, report("h1", "n", R"({"k0":1,"k40":1,"k79":1})"));
  const auto before = fleet.pin(noon);
  put(fleet, report("h1", "n", R"({"k0":2,"k40":3,"k79":4})"));
  const auto after = row_of(fleet.pin(noon), "h1", "n");
  EXPECT_EQ(after.at("stats.k0"), 2);
  EXPECT_EQ(after.at("stats.k40"), 3);
  EXPECT_EQ(after.at("stats.k79"), 4);
  EXPECT_EQ(row_of(before, "h1", "n").at("stats.k79"), 1);
}

}  // namespace
}  // namespace gantry::fleet::testing
