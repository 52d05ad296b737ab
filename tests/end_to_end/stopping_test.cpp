// SPDX-License-Identifier: Apache-2.0
//
// Signals, and an end that nothing may hold up.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>

#include "tests/end_to_end/running_gantry.hpp"
#include "tests/end_to_end/site_driver.hpp"

namespace gantry::test {
namespace {

using ::testing::HasSubstr;

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A service manager that is slow to read: its queue is full, so each word of the daemon waits until one is taken.
class SlowServiceManager {
 public:
  explicit SlowServiceManager(const std::string& path) : descriptor_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.c_str(), std::min(path.size() + 1, sizeof address.sun_path - 1));
    const auto* to = reinterpret_cast<const sockaddr*>(&address);
    EXPECT_EQ(::bind(descriptor_, to, sizeof address), 0);
    const int filling = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    while (::sendto(filling, "x", 1, MSG_NOSIGNAL, to, sizeof address) == 1) continue;
    ::close(filling);
  }
  ~SlowServiceManager() { ::close(descriptor_); }
  SlowServiceManager(const SlowServiceManager&) = delete;
  SlowServiceManager& operator=(const SlowServiceManager&) = delete;

  void take_one() {
    std::array<char, 512> text{};
    (void)::recv(descriptor_, text.data(), text.size(), 0);
  }

 private:
  int descriptor_;
};

class Stopping : public ::testing::Test {
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
  EXPECT_THAT(content(log.string() + ".1"),
              ::testing::AllOf(HasSubstr("ready"), ::testing::Not(HasSubstr("stopping"))));
}

TEST_F(Stopping, AHangUpWithoutALogFileChangesNothing) {
  gantry.configure("\"simple\"");
  gantry.start();
  gantry.signal(SIGHUP);
  EXPECT_EQ(gantry.gantry({"status"}).exit_status, 0);
  EXPECT_EQ(gantry.stop(), 0);
}

TEST_F(Stopping, AnAgentGoesOnAfterAHangUp) {
  gantry.configure("\"simple\"");
  gantry.start();
  Background agent({std::string(GANTRY_BIN_DIRECTORY) + "/gantry", "--url", gantry.url(), "agent", "--host", "here",
                    "--state-dir", (gantry.directory() / "agent").string()},
                   (gantry.directory() / "agent.log").string());
  ASSERT_TRUE(eventually([&] { return gantry.list({"hosts-up", "compute"}).size() == 1; }));
  agent.signal(SIGHUP);
  EXPECT_EQ(agent.end(SIGTERM), 0);
}

TEST_F(Stopping, ASignalToADaemonThatServesAndHasNotSaidSoYetEndsItInOrder) {
  const auto path = (gantry.directory() / "notify").string();
  SlowServiceManager manager(path);
  gantry.configure("\"simple\"");
  gantry.launch({"NOTIFY_SOCKET=" + path});
  const auto serves = [this] { return gantry.gantry({"aggregate", "create", "kept"}).exit_status == 0; };
  ASSERT_TRUE(eventually([&] {
    if (eventually(serves, std::chrono::milliseconds(300))) return true;
    manager.take_one();
    return false;
  }));
  gantry.signal(SIGTERM);
  ASSERT_TRUE(eventually([&] {
    manager.take_one();
    return !gantry.is_running();
  }));
  EXPECT_EQ(gantry.stop(), 0);
  EXPECT_THAT(gantry.log(), HasSubstr("stopped"));
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
  EXPECT_THAT(gantry.log(), ::testing::AllOf(HasSubstr("a driver has not returned"), HasSubstr("stuck")));
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
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(8)) << "stop_timeout is 1 s";
  EXPECT_THAT(gantry.log(), ::testing::AllOf(HasSubstr("destroy has not returned"), HasSubstr("driver=stuck"),
                                             ::testing::Not(HasSubstr(" stopped"))));
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
