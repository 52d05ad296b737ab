// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "tests/end_to_end/running_gantry.hpp"
#include "tests/end_to_end/site_driver.hpp"

namespace gantry::test {
namespace {

class Agent : public ::testing::Test {
 protected:
  void SetUp() override {
    gantry.configure("\"simple\"");
    gantry.start();
  }
  Background agent(std::vector<std::string> more = {}) {
    std::vector<std::string> words{std::string(GANTRY_BIN_DIRECTORY) + "/gantry",
                                   "--url",
                                   gantry.url(),
                                   "agent",
                                   "--host",
                                   "here",
                                   "--report-interval",
                                   "1",
                                   "--state-dir",
                                   (gantry.directory() / "agent").string()};
    words.insert(words.end(), more.begin(), more.end());
    return {words, (gantry.directory() / "agent.log").string()};
  }
  bool is_up() {
    return eventually([&] { return gantry.list({"hosts-up", "compute"}).size() == 1; });
  }
  std::string script(const std::string& name, const std::string& text) {
    const auto path = gantry.directory() / name;
    std::ofstream(path) << text;
    std::filesystem::permissions(path, std::filesystem::perms(0755));
    return path.string();
  }
  RunningGantry gantry;
};

TEST_F(Agent, ReportsThisMachinesRealProcessorsAndMemory) {
  auto running = agent();
  ASSERT_TRUE(is_up());
  ASSERT_TRUE(eventually([&] { return gantry.ask({"host", "list"}).at(0).as_object().contains("vcpus"); }));
  const auto host = gantry.ask({"host", "list"}).at(0).as_object();
  EXPECT_EQ(json::find_integer(host, "vcpus"), sysconf(_SC_NPROCESSORS_ONLN));
  const auto memory_mb = sysconf(_SC_PHYS_PAGES) / (1048576 / sysconf(_SC_PAGESIZE));
  EXPECT_NEAR(static_cast<double>(json::find_integer(host, "memory_mb").value_or(0)), static_cast<double>(memory_mb),
              static_cast<double>(memory_mb) / 20);
}

TEST_F(Agent, AFailedLaunchPutsTheServerInErrorWithTheCommandsLastLine) {
  auto running =
      agent({"--launch", script("launch", "#!/bin/sh\necho starting\necho 'no image on this machine' >&2\nexit 1\n")});
  ASSERT_TRUE(is_up());
  const auto ran = gantry.gantry({"server", "create", "--flavor", "m1.tiny", "broken"});
  EXPECT_EQ(ran.exit_status, 1) << ran.out << ran.err;
  const auto server = gantry.ask({"server", "show", "broken"});
  EXPECT_EQ(server.at("vm_state").as_string(), "error");
  EXPECT_EQ(server.at("fault").as_string(), "no image on this machine");
  EXPECT_TRUE(gantry.list({"claim", "list"}).empty());
}

TEST_F(Agent, RunsTheLaunchCommandOncePerServer) {
  const auto trace = (gantry.directory() / "launched").string();
  auto running = agent({"--launch", script("launch", "#!/bin/sh\necho $GANTRY_INSTANCE_UUID >> " + trace + "\n")});
  ASSERT_TRUE(is_up());
  ASSERT_EQ(gantry.gantry({"server", "create", "--flavor", "m1.tiny", "--count", "3", "real"}).exit_status, 0);
  std::ifstream file(trace);
  const std::vector<std::string> lines{std::istream_iterator<std::string>(file), {}};
  EXPECT_EQ(lines.size(), 3U);
}

TEST_F(Agent, AClaimEndsWhenTheHostReportsItsServer) {
  auto running = agent();
  ASSERT_TRUE(is_up());
  ASSERT_EQ(gantry.gantry({"server", "create", "--flavor", "m1.tiny", "counted"}).exit_status, 0);
  EXPECT_TRUE(eventually([&] { return gantry.list({"claim", "list"}).empty(); }));
  const auto host = gantry.ask({"host", "list"}).at(0).as_object();
  EXPECT_EQ(json::find_number(host, "vcpus_used"), 1.0);
}

TEST_F(Agent, SurvivesARestartOfTheDaemon) {
  auto running = agent();
  ASSERT_TRUE(is_up());
  gantry.kill();
  gantry.start();
  EXPECT_EQ(gantry.gantry({"server", "create", "--flavor", "m1.tiny", "after"}).exit_status, 0);
  EXPECT_TRUE(running.running());
  EXPECT_EQ(running.end(SIGTERM), 0);
}

TEST_F(Agent, CollectsWhatADriverWantsThatCameWithARestart) {
  const auto collectors = gantry.directory() / "collectors.d";
  std::filesystem::create_directory(collectors);
  script("collectors.d/rack", "#!/bin/sh\n[ \"$1\" = --provides ] && echo rack || echo '{\"rack\": \"r7\"}'\n");
  build({.id = "racks", .manifest = "[columns]\\nneeds = ['stats.rack:string']\\n"}, gantry);
  auto running = agent({"--collectors", collectors.string()});
  ASSERT_TRUE(is_up());
  EXPECT_THAT(json::write(gantry.ask({"host", "show", "here"})), ::testing::Not(::testing::HasSubstr("r7")));
  EXPECT_EQ(gantry.stop(), 0);
  gantry.configure("\"racks\"");
  gantry.start();
  EXPECT_TRUE(eventually([&] {
    return json::write(gantry.ask({"host", "show", "here"})).find("\"rack\":\"r7\"") != std::string::npos;
  }));
  EXPECT_EQ(gantry.gantry({"server", "create", "--flavor", "m1.tiny", "racked"}).exit_status, 0);
  std::filesystem::remove(collectors / "rack");
  script("collectors.d/rack", "#!/bin/sh\nexit 1\n");
  EXPECT_TRUE(eventually([&] {
    return json::write(gantry.ask({"host", "show", "here"})).find("r7") == std::string::npos;
  })) << "a collector that fails takes its last value back";
}

TEST_F(Agent, ServesDeletesToo) {
  auto running = agent();
  ASSERT_TRUE(is_up());
  ASSERT_EQ(gantry.gantry({"server", "create", "--flavor", "m1.tiny", "gone"}).exit_status, 0);
  ASSERT_EQ(gantry.gantry({"server", "delete", "gone"}).exit_status, 0);
  EXPECT_TRUE(gantry.list({"server", "list"}).empty());
  EXPECT_TRUE(eventually([&] { return gantry.list({"cast", "list"}).empty(); }));
}

}  // namespace
}  // namespace gantry::test
