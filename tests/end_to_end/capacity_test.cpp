// SPDX-License-Identifier: Apache-2.0
//
// How many more instances fit, as an operator asks it of a real gantryd; and then they are booted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/end_to_end/running_gantry.hpp"

namespace gantry::test {
namespace {

using ::testing::HasSubstr;

constexpr auto unlike_hosts = R"(
[[hosts]]
name = "h{1..2}"
vcpus = 4
memory_mb = 8192
local_gb = 100
[[hosts]]
name = "small"
vcpus = 1
memory_mb = 1024
local_gb = 10
stats = { rack = "r1" }
)";

class CapacityOfAFleet : public ::testing::Test {
 protected:
  void serve(const std::string& driver, const std::string& more = "") {
    gantry.configure("[\"" + driver + "\"]", more);
    gantry.start();
    gantry.simulate(unlike_hosts);
    ASSERT_TRUE(eventually([&] { return gantry.list({"hosts-up", "compute"}).size() == 3; }));
  }
  json::object capacity(std::vector<std::string> more = {}) const {
    std::vector<std::string> words{"capacity", "--flavor", "web", "--vcpus", "1", "--memory-mb", "1024"};
    words.insert(words.end(), more.begin(), more.end());
    return gantry.ask(words).at("flavors").as_array().at(0).as_object();
  }
  Ran boot(std::uint64_t count) const {
    return gantry.gantry({"-o", "value", "server", "create", "--flavor", "web", "--vcpus", "1", "--memory-mb", "1024",
                          "--count", std::to_string(count), "web"});
  }
  void expect_that_many_boot() {
    const auto web = capacity();
    EXPECT_TRUE(web.at("exact").as_bool());
    const auto count = web.at("count").to_number<std::uint64_t>();
    ASSERT_GT(count, 0U);
    EXPECT_EQ(boot(count).exit_status, 0);
    EXPECT_EQ(capacity().at("count").to_number<int>(), 0);
    EXPECT_NE(boot(1).exit_status, 0);
  }

  RunningGantry gantry;
};

TEST_F(CapacityOfAFleet, IsAsManyAsBootByTheFiltersOfTheFilterDriver) {
  serve("filter",
        "[driver.filter]\nmax_instances_per_host = 3\nenabled_filters = [\"ComputeFilter\", \"CoreFilter\", "
        "\"RamFilter\", \"DiskFilter\", \"NumInstancesFilter\"]\n");
  expect_that_many_boot();
}

TEST_F(CapacityOfAFleet, IsAsManyAsBootByTheSimpleDriver) {
  serve("simple");
  expect_that_many_boot();
}

TEST_F(CapacityOfAFleet, IsCountedByDecidingWhereALibraryHasASay) {
  std::filesystem::copy_file(GANTRY_SITE_FILTERS, gantry.drivers() / "site_filters.so");
  std::filesystem::permissions(gantry.drivers() / "site_filters.so", std::filesystem::perms(0644));
  serve("filter",
        "[driver.filter]\nlibraries = [\"site_filters.so\"]\n"
        "enabled_filters = [\"ComputeFilter\", \"CoreFilter\", \"RamFilter\", \"DiskFilter\", \"RackFilter\"]\n");
  expect_that_many_boot();
}

TEST_F(CapacityOfAFleet, IsShownForEachZone) {
  serve("simple");
  ASSERT_EQ(gantry.gantry({"aggregate", "create", "--zone", "north", "racks-1"}).exit_status, 0);
  ASSERT_EQ(gantry.gantry({"aggregate", "add-host", "racks-1", "small"}).exit_status, 0);
  const auto shown = gantry.gantry({"capacity", "--flavor", "m1.tiny", "--by", "zone"});
  EXPECT_EQ(shown.exit_status, 0) << shown.err;
  EXPECT_THAT(shown.out, ::testing::AllOf(HasSubstr("ZONE"), HasSubstr("(all)"), HasSubstr("north")));
  EXPECT_EQ(gantry.gantry({"capacity", "--by", "rack"}).exit_status, 2);
}

}  // namespace
}  // namespace gantry::test
