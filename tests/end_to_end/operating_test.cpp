// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/end_to_end/running_gantry.hpp"

namespace gantry::test {
namespace {

using ::testing::HasSubstr;

class Operating : public ::testing::Test {
 protected:
  void SetUp() override {
    gantry.configure("\"simple\"", "[log]\nlevel = \"debug\"\n");
    gantry.start();
    gantry.simulate("[[hosts]]\nname = \"h{1..3}\"\nvcpus = 4\nmemory_mb = 8192\nlocal_gb = 100\n");
    ASSERT_TRUE(eventually([&] { return hosts_up() == 3; }));
  }
  std::size_t hosts_up() { return gantry.list({"hosts-up", "compute"}).size(); }
  std::string chosen(std::vector<std::string> more = {}) {
    std::vector<std::string> words{"select", "--flavor", "m1.tiny"};
    words.insert(words.end(), more.begin(), more.end());
    return std::string(gantry.ask(words).as_array().at(0).at("host").as_string());
  }
  RunningGantry gantry;
};

TEST_F(Operating, ADisabledOrForcedDownHostTakesNothingUntilItIsEnabled) {
  ASSERT_EQ(gantry.gantry({"service", "disable", "compute", "h1", "--reason", "new disk"}).exit_status, 0);
  ASSERT_EQ(gantry.gantry({"service", "force-down", "compute", "h2"}).exit_status, 0);
  EXPECT_EQ(chosen(), "h3");
  EXPECT_EQ(hosts_up(), 1U);
  ASSERT_EQ(gantry.gantry({"service", "disable", "compute", "h3"}).exit_status, 0);
  EXPECT_EQ(gantry.gantry({"select", "--flavor", "m1.tiny"}).exit_status, 3);
  ASSERT_EQ(gantry.gantry({"service", "enable", "compute", "h1"}).exit_status, 0);
  EXPECT_EQ(chosen(), "h1");
}

TEST_F(Operating, AnAggregateGivesItsHostsAZone) {
  ASSERT_EQ(gantry.gantry({"aggregate", "create", "--zone", "north", "racks-1"}).exit_status, 0);
  ASSERT_EQ(gantry.gantry({"aggregate", "add-host", "racks-1", "h2"}).exit_status, 0);
  EXPECT_EQ(chosen({"--zone", "north"}), "h2");
  EXPECT_EQ(gantry.gantry({"select", "--flavor", "m1.tiny", "--zone", "south"}).exit_status, 3);
  ASSERT_EQ(gantry.gantry({"aggregate", "create", "--zone", "south", "racks-2"}).exit_status, 0);
  const auto both = gantry.gantry({"aggregate", "add-host", "racks-2", "h2"});
  EXPECT_EQ(both.exit_status, 1);
  EXPECT_THAT(both.err, HasSubstr("north"));
}

TEST_F(Operating, AHostThatStopsReportingGoesDown) {
  gantry.stop();
  gantry.configure("\"simple\"", "[scheduling]\nservice_down_time = 2\n");
  gantry.start();
  ASSERT_TRUE(eventually([&] { return hosts_up() == 0 || hosts_up() == 3; }));
  gantry.end_simulation();
  EXPECT_TRUE(eventually([&] { return hosts_up() == 0; }));
  const auto refused = gantry.gantry({"select", "--flavor", "m1.tiny"});
  EXPECT_EQ(refused.exit_status, 3);
}

constexpr std::string_view request_of_a_user =
    R"({"request_spec": {"num_instances": 1, "instance_type": {"vcpus": 1, "memory_mb": 64},
         "instance_properties": {"metadata": {"admin_password": "hunter2"}, "user_data": "am9pbiBzZWNyZXQ=",
                                 "key_data": "ssh-rsa AAAA", "system_metadata": {"boots": "blue"}}},
        "filter_properties": {"scheduler_hints": {"colour": "green"}}})";

TEST_F(Operating, TheDebugLogShowsWhatADriverDecidesWithButNotWhatUsersWrote) {
  std::ofstream(gantry.directory() / "request.json") << request_of_a_user;
  ASSERT_EQ(gantry.gantry({"select", "--request", (gantry.directory() / "request.json").string()}).exit_status, 0);
  EXPECT_THAT(gantry.log(), HasSubstr("\\\"memory_mb\\\":64"));
  for (const auto* text : {"hunter2", "am9pbiBzZWNyZXQ=", "ssh-rsa", "blue", "green"})
    EXPECT_THAT(gantry.log(), ::testing::Not(HasSubstr(text)));
}

TEST_F(Operating, TheDebugLogShowsTheWholeRequestWhereThatIsSetButNoPassword) {
  gantry.stop();
  gantry.configure("\"simple\"", "[log]\nlevel = \"debug\"\nrequests = \"full\"\n");
  gantry.start();
  std::ofstream(gantry.directory() / "request.json") << request_of_a_user;
  ASSERT_TRUE(eventually([&] { return hosts_up() == 3; }));
  ASSERT_EQ(gantry.gantry({"select", "--request", (gantry.directory() / "request.json").string()}).exit_status, 0);
  for (const auto* text : {"am9pbiBzZWNyZXQ=", "ssh-rsa", "blue", "green"}) EXPECT_THAT(gantry.log(), HasSubstr(text));
  EXPECT_THAT(gantry.log(), ::testing::Not(HasSubstr("hunter2")));
}

TEST_F(Operating, TheLogTellsADryRunFromADecision) {
  chosen();
  EXPECT_THAT(gantry.log(), HasSubstr("INFO dry run: scheduled"));
  EXPECT_EQ(gantry.gantry({"select", "--vcpus", "9999"}).exit_status, 3);
  EXPECT_THAT(gantry.log(), HasSubstr("INFO dry run: no valid host"));
  EXPECT_THAT(gantry.log(), ::testing::Not(HasSubstr("INFO scheduled")));
  EXPECT_THAT(gantry.log(), ::testing::Not(HasSubstr("WARNING no valid host")));
}

TEST_F(Operating, MisspeltWordsAreAnsweredWithTheNearestOnes) {
  const auto verb = gantry.gantry({"servers", "list"});
  EXPECT_EQ(verb.exit_status, 2);
  EXPECT_THAT(verb.err, HasSubstr("server"));
  const auto host = gantry.gantry({"host", "show", "nowhere"});
  EXPECT_EQ(host.exit_status, 1);
  EXPECT_THAT(host.err, HasSubstr("nowhere"));
}

TEST_F(Operating, WithoutADaemonEveryCommandSaysSo) {
  gantry.stop();
  const auto ran = gantry.gantry({"--timeout", "2", "status"});
  EXPECT_EQ(ran.exit_status, 69);
  EXPECT_THAT(ran.err, HasSubstr("gantryd"));
}

TEST_F(Operating, ReportedFieldsBeyondTheCoresAreKept) {
  const auto tables = gantry.directory() / "tables.json";
  std::ofstream(tables)
      << R"({"services": [], "compute_nodes": [{"host": "new", "hypervisor_hostname": "new", "rack": "r7"}]})";
  ASSERT_EQ(gantry.gantry({"host", "import", tables.string()}).exit_status, 0);
  EXPECT_THAT(json::write(gantry.ask({"host", "show", "new"})), HasSubstr("\"rack\":\"r7\""));
}

}  // namespace
}  // namespace gantry::test
