// SPDX-License-Identifier: Apache-2.0
//
// Filters whose inputs come from what the daemon records beside the hosts' reports: flavors of instances, counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/end_to_end/running_gantry.hpp"

namespace gantry::test {
namespace {

constexpr auto two_hosts = R"(
[[hosts]]
name = "h{1..2}"
vcpus = 8
memory_mb = 16384
local_gb = 100
)";

class FilterInputs : public ::testing::Test {
 protected:
  void serve(const std::string& options) {
    gantry.configure("[\"filter\"]", "[driver.filter]\n" + options);
    gantry.start();
  }
  void simulate() {
    gantry.simulate(two_hosts);
    ASSERT_TRUE(eventually([&] { return gantry.list({"hosts-up", "compute"}).size() == 2; }));
  }
  std::string host_of(const std::string& server) {
    return std::string(gantry.ask({"server", "show", server}).at("host").as_string());
  }
  std::string selected(const std::string& flavor) {
    const auto ran = gantry.gantry({"-o", "json", "select", "--flavor", flavor});
    if (ran.exit_status != 0) return "none";
    return std::string(ran.json().as_array().at(0).as_object().at("host").as_string());
  }

  RunningGantry gantry;
};

TEST_F(FilterInputs, HostsAreKeptToOneFlavorByWhatTheirInstancesHave) {
  serve("enabled_filters = [\"ComputeFilter\", \"TypeAffinityFilter\"]\ncompatibility = \"ocata\"\n");
  simulate();
  ASSERT_EQ(gantry.gantry({"server", "create", "--flavor", "m1.tiny", "first"}).exit_status, 0);
  ASSERT_EQ(gantry.gantry({"server", "create", "--flavor", "m1.small", "second"}).exit_status, 0);
  EXPECT_NE(host_of("first"), host_of("second"));
  EXPECT_EQ(selected("m1.tiny"), host_of("first"));
  EXPECT_EQ(selected("m1.small"), host_of("second"));
  EXPECT_EQ(selected("m1.large"), "none");
}

TEST_F(FilterInputs, ImportedInstancesHaveTheFlavorOfTheirRequest) {
  serve("enabled_filters = [\"ComputeFilter\", \"TypeAffinityFilter\"]\ncompatibility = \"ocata\"\n");
  ASSERT_EQ(gantry.ask({"host", "import", std::string(GANTRY_TEST_DATA) + "/nova_tables_zed.json"})
                .at("instances")
                .as_int64(),
            3);
  std::set<std::string> flavors;
  for (const auto& server : gantry.list({"server", "list"})) {
    const auto uuid = std::string(server.as_object().at("uuid").as_string());
    flavors.insert(std::string(gantry.ask({"server", "show", uuid}).at("flavor").at("name").as_string()));
  }
  EXPECT_THAT(flavors, ::testing::ElementsAre("m1.medium", "m1.tiny"));
}

TEST_F(FilterInputs, InstancesAreCountedThoughTheAgentReportsNoStatistics) {
  serve("enabled_filters = [\"ComputeFilter\", \"NumInstancesFilter\"]\nmax_instances_per_host = 1\n");
  simulate();
  ASSERT_EQ(gantry.gantry({"server", "create", "--flavor", "m1.tiny", "--count", "2", "one"}).exit_status, 0);
  EXPECT_TRUE(eventually([&] { return gantry.list({"claim", "list"}).empty(); }));  // the hosts have reported them
  EXPECT_EQ(selected("m1.tiny"), "none");
}

}  // namespace
}  // namespace gantry::test
