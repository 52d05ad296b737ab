// SPDX-License-Identifier: Apache-2.0
//
// Signals, and an end that nothing may hold up.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>

#include "tests/end_to_end/running_gantry.hpp"
#include "tests/end_to_end/site_driver.hpp"

namespace gantry::test {
namespace {

using testing::HasSubstr;

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Stopping : public testing::Test {
 protected:
  RunningGantry gantry;
};

TEST_F(Stopping, AHangUpOpensTheLogFileAnewAfterItsRotation) {
  const auto log = gantry.directory() / "rotated.log";
  gantry.configure("\"simple\"", "log.file = \"" + log.string() + "\"\n");
  gantry.start();
  std::filesystem::rename(log, log.string() + ".1");
  gantry.signal(SIGHUP);
  EXPECT_TRUE(eventually([&] { return content(log).find("opened anew") != std::string::npos; }));
  EXPECT_EQ(gantry.gantry({"status"}).exit_status, 0);
  EXPECT_EQ(gantry.stop(), 0);
  EXPECT_THAT(content(log), HasSubstr("stopping"));
  EXPECT_THAT(content(log.string() + ".1"), testing::AllOf(HasSubstr("ready"), testing::Not(HasSubstr("stopping"))));
}

TEST_F(Stopping, AHangUpWithoutALogFileChangesNothing) {
  gantry.configure("\"simple\"");
  gantry.start();
  gantry.signal(SIGHUP);
  EXPECT_EQ(gantry.gantry({"status"}).exit_status, 0);
  EXPECT_EQ(gantry.stop(), 0);
}

TEST_F(Stopping, AnAgentBearsAHangUp) {
  gantry.configure("\"simple\"");
  gantry.start();
  Background agent({std::string(GANTRY_BIN_DIRECTORY) + "/gantry", "--url", gantry.url(), "agent", "--host", "here",
                    "--state-dir", (gantry.directory() / "agent").string()},
                   (gantry.directory() / "agent.log").string());
  ASSERT_TRUE(eventually([&] { return gantry.list({"hosts-up", "compute"}).size() == 1; }));
  agent.signal(SIGHUP);
  EXPECT_EQ(agent.end(SIGTERM), 0);
}

TEST_F(Stopping, ADriverThatNeverReturnsDoesNotHoldUpTheEnd) {
  build({.id = "stuck", .begin = "for (;;) sleep(1);"}, gantry);
  gantry.configure("\"stuck\"", "server.stop_timeout = 2\n");
  gantry.start();
  ASSERT_EQ(gantry.gantry({"aggregate", "create", "kept"}).exit_status, 0);
  Background asking({std::string(GANTRY_BIN_DIRECTORY) + "/gantry", "--url", gantry.url(), "select", "--vcpus", "1"},
                    (gantry.directory() / "asking.log").string());
  ASSERT_TRUE(eventually([&] {
    return json::find_integer(gantry.ask({"status"}).at("drivers").at(0).as_object(), "calls").value_or(0) > 0;
  }));
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_EQ(gantry.stop(), 1);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(20));
  EXPECT_THAT(gantry.log(), testing::AllOf(HasSubstr("a driver has not returned"), HasSubstr("stuck")));
  gantry.configure("\"simple\"");
  gantry.start();
  EXPECT_EQ(gantry.list({"aggregate", "list"}).size(), 1U) << "what was answered is kept";
}

TEST_F(Stopping, ADriverWhoseEndHangsDoesNotHoldUpTheEnd) {
  build({.id = "stuck", .destroy = "for (;;) sleep(1);"}, gantry);
  gantry.configure("\"stuck\"", "server.stop_timeout = 1\n");
  gantry.start();
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_EQ(gantry.stop(), 1);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(30));
}

TEST_F(Stopping, ADriverWhoseStartHangsIsEndedByTheSignal) {
  build({.id = "stuck", .create = "for (;;) sleep(1);"}, gantry);
  gantry.configure("\"stuck\"");
  Background daemon({std::string(GANTRY_BIN_DIRECTORY) + "/gantryd", "--config", gantry.config_file()},
                    (gantry.directory() / "gantryd.log").string());
  EXPECT_FALSE(eventually([&] { return !daemon.running(); }, std::chrono::seconds(1)));
  EXPECT_EQ(daemon.end(SIGTERM), 128 + SIGTERM);
}

}  // namespace
}  // namespace gantry::test
