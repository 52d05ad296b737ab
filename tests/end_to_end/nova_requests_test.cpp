// SPDX-License-Identifier: Apache-2.0
//
// Messages and rows that were captured from a running Nova 26.2.2, taken as they are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>

#include "tests/end_to_end/running_gantry.hpp"

namespace gantry::test {
namespace {

const std::string messages = std::string(GANTRY_TEST_DATA) + "/nova_rpc_zed.json";
const std::string tables = std::string(GANTRY_TEST_DATA) + "/nova_tables_zed.json";

std::string content_of(const std::string& name) {
  std::ifstream file(name);
  return {std::istreambuf_iterator<char>(file), {}};
}

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

// Nova's scheduler chose c0 for the captured messages: each was followed by update_instance_info from c0.
class TheFilterDriver : public ::testing::Test {
 protected:
  void serve(const std::string& options, const std::string& rows) {
    gantry.configure("\"filter\"", "[driver.filter]\n" + options);
    gantry.start();
    ASSERT_EQ(gantry.ask({"host", "import", rows}).at("compute_nodes").as_int64(), 3);
  }
  // The rows were read after the third message: its migration is c0's one I/O operation, and the servers of the
  // second message are there. Returns a file of the rows before that.
  std::string rows_before_the_messages() {
    auto rows = *json::parse(content_of(tables));
    auto& c0 = rows.at("compute_nodes").as_array().at(0).as_object();
    EXPECT_EQ(c0.at("host").as_string(), "c0");
    EXPECT_EQ(c0.at("disk_available_least").as_int64(), 0);
    auto stats = *json::parse(c0.at("stats").as_string());
    EXPECT_EQ(stats.at("num_task_resize_prep").as_string(), "1");
    stats.as_object()["io_workload"] = "0";
    c0["stats"] = json::write(stats);
    rows.as_object()["instances"] = json::array();
    return scratch.write("rows.json", json::write(rows));
  }
  json::array hosts_for(const std::string& message) {
    json::array hosts;
    const auto chosen = gantry.ask({"select", "--request", messages, "--message", message});
    // The messages ask for objects: each instance's chosen host, then its alternates.
    for (const auto& each : chosen.as_array())
      hosts.push_back(each.as_array().at(0).at("nova_object.data").at("service_host"));
    return hosts;
  }
  RunningGantry gantry;
  support::ScratchDirectory scratch;
};

TEST_F(TheFilterDriver, ChoosesTheHostThatZedChoseThoughItsDiskAvailableLeastIsZero) {
  serve("", rows_before_the_messages());
  EXPECT_EQ(hosts_for("select_destinations"), (json::array{"c0"}));
  const auto two = hosts_for("select_destinations_2");
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[0], "c0");
  EXPECT_NE(two[1], "c0");
}

TEST_F(TheFilterDriver, RefusesThatHostByTheRulesOfOcata) {
  serve("compatibility = \"ocata\"\n", rows_before_the_messages());
  EXPECT_EQ(hosts_for("select_destinations"), (json::array{"h000002"}));
  const auto shown = gantry.gantry({"select", "--request", messages, "--message", "select_destinations", "--explain"});
  EXPECT_THAT(shown.out, ::testing::ContainsRegex("c0 .*DiskFilter +1024 MiB wanted, 0 there"));
}

TEST_F(TheFilterDriver, KeepsThatHostInAsTheRowsAre) {
  serve("", tables);
  const auto shown = gantry.gantry({"select", "--request", messages, "--message", "select_destinations", "--explain"});
  EXPECT_THAT(shown.out, ::testing::Not(::testing::HasSubstr("MiB wanted")));
  EXPECT_THAT(shown.out, ::testing::Not(::testing::ContainsRegex(" -0 *\n"))) << "a term of 0 has no sign";
}

}  // namespace
}  // namespace gantry::test
