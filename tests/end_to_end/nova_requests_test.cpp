// SPDX-License-Identifier: Apache-2.0
//
// Messages and rows that were captured from a running Nova 26.2.2, taken as they are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/end_to_end/running_gantry.hpp"

namespace gantry::test {
namespace {

const std::string messages = std::string(GANTRY_TEST_DATA) + "/nova_rpc_zed.json";
const std::string tables = std::string(GANTRY_TEST_DATA) + "/nova_tables_zed.json";

class NovaRequests : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    gantry.configure(std::string("\"") + GetParam() + "\"", "[driver.ip]\ndefault_prefix = \"h\"\n");
    gantry.start();
    const auto imported = gantry.ask({"host", "import", tables});
    ASSERT_EQ(imported.at("compute_nodes").as_int64(), 3);
    ASSERT_EQ(imported.at("instances").as_int64(), 3);
  }
  json::value select(const std::string& message, std::vector<std::string> more = {}) {
    std::vector<std::string> words{"select", "--request", messages, "--message", message};
    words.insert(words.end(), more.begin(), more.end());
    return gantry.ask(words);
  }
  RunningGantry gantry;
};

TEST_P(NovaRequests, APlainServerIsScheduled) {
  EXPECT_EQ(select("select_destinations").as_array().size(), 1U);
}

TEST_P(NovaRequests, TwoServersOfAnAntiAffinityGroupAreScheduled) {
  EXPECT_EQ(select("select_destinations_2").as_array().size(), 2U);
}

TEST_P(NovaRequests, AMigrationAvoidsTheHostItLeaves) {
  const auto answer = json::write(select("select_destinations_3"));
  EXPECT_THAT(answer, ::testing::ContainsRegex("h00000[012]"));
  EXPECT_THAT(answer, ::testing::Not(::testing::HasSubstr("\"service_host\":\"c0\"")));
}

INSTANTIATE_TEST_SUITE_P(EachDriver, NovaRequests, ::testing::Values("simple", "chance", "ip"),
                         [](const auto& driver) { return driver.param; });

TEST_P(NovaRequests, TheReplyCanBeSelectionObjects) {
  const auto answer = select("select_destinations", {"--objects"});
  const auto& first = answer.as_array().at(0);
  const auto& selection = (first.is_array() ? first.as_array().at(0) : first).as_object();
  EXPECT_EQ(selection.at("nova_object.name").as_string(), "Selection");
  EXPECT_EQ(selection.at("nova_object.version").as_string(), "1.1");
  const auto& data = selection.at("nova_object.data").as_object();
  EXPECT_EQ(data.at("limits").at("nova_object.name").as_string(), "SchedulerLimits");
  EXPECT_TRUE(data.contains("compute_node_uuid"));
}

TEST_P(NovaRequests, ImportedHostsAreUpUnlessTheirTimesAreKept) {
  EXPECT_GE(gantry.list({"hosts-up", "compute"}).size(), 3U);
  const auto kept = gantry.gantry({"host", "import", tables, "--keep-times"});
  EXPECT_EQ(kept.exit_status, 0) << kept.err;
  EXPECT_TRUE(gantry.list({"hosts-up", "compute"}).empty());
}

}  // namespace
}  // namespace gantry::test
