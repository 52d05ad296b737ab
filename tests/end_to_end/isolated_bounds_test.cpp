// SPDX-License-Identifier: Apache-2.0
//
// The bounds of a driver in a process of its own: of rights, memory, lines, and harm to the service.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/end_to_end/risky_driver.hpp"

namespace gantry::test {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

class IsolatedDriverBounds : public RiskyDriver {};

TEST_F(IsolatedDriverBounds, HasNoMoreMemoryThanItsLimit) {
#ifdef GANTRY_SANITIZE
  GTEST_SKIP() << "a sanitizer takes address space of its own";
#endif
  serve("memory_limit = 100\n");
  EXPECT_THAT(select(eat), HasSubstr("ended by signal 6 (SIGABRT)"));
  expect_healthy();
}

TEST_F(IsolatedDriverBounds, CannotLeaveItsProcess) {
  serve();
  const auto said = select(escape);
  for (const std::string what :
       {"socket", "socketpair", "execve", "fork", "write", "read", "unlink", "ptrace", "peek", "kill", "cells"}) {
    EXPECT_THAT(said, ContainsRegex(what + "=-(1|13) ")) << what;
  }
  expect_healthy();
}

// Returns a value of /proc/PID/status of the driver's process.
std::string fact_of(std::int64_t process, const std::string& name) {
  std::ifstream file("/proc/" + std::to_string(process) + "/status");
  for (std::string word, value; file >> word;)
    if (word == name + ":" && file >> value) return value;
  return {};
}

TEST_F(IsolatedDriverBounds, IsConfinedAndSaysNothingOfIt) {
  serve();
  EXPECT_EQ(fact_of(process(), "Seccomp"), "2");
  EXPECT_EQ(fact_of(process(), "NoNewPrivs"), "1");
  EXPECT_THAT(gantry.gantry({"status"}).err, Not(HasSubstr("debug")));
}

TEST_F(IsolatedDriverBounds, KeepsAllRightsForADebuggerWhichTheStatusWarnsOf) {
  serve({}, {}, "debug");
  EXPECT_EQ(fact_of(process(), "Seccomp"), fact_of(gantry.pid(), "Seccomp"));
  EXPECT_EQ(fact_of(process(), "NoNewPrivs"), fact_of(gantry.pid(), "NoNewPrivs"));
  EXPECT_THAT(gantry.gantry({"status"}).err, HasSubstr("isolation = \"debug\" leaves its process all rights"));
  EXPECT_THAT(select(decide), HasSubstr("h1"));
}

TEST_F(IsolatedDriverBounds, HasNoThreadThatMayMoreThanItsCalls) {
  serve();
  EXPECT_THAT(select(tell_of_its_thread), HasSubstr("file=-13 look=-13 link=-13 code=-13 pages=-1 "));
}

TEST_F(IsolatedDriverBounds, CannotBringTheServiceDownByWhatItWritesIntoItsLanes) {
  serve();
  const auto service = gantry.pid();
  for (int round = 0; round < 5; ++round) {
    select(scribble);
    for (int call = 0; call < 20; ++call) select(decide);
  }
  EXPECT_TRUE(gantry.is_running());
  EXPECT_EQ(gantry.ask({"status"}).at("pid").as_int64(), service);
  EXPECT_EQ(gantry.gantry({"hosts-up", "volume"}).exit_status, 0);
}

TEST_F(IsolatedDriverBounds, GivesBackWhatItHasWrittenIntoItsLanes) {
  serve("memory_limit = 100\n");
  EXPECT_THAT(select(fill_lanes),
              AnyOf(HasSubstr("had not returned by its deadline"),
                    HasSubstr("into the memory that it shares with the service (memory_limit: 100)"),
                    HasSubstr("found it still running after")));
  expect_healthy();
  EXPECT_TRUE(eventually([this] { return lane_bytes() < 10 << 20; })) << lane_bytes();
}

TEST_F(IsolatedDriverBounds, IsNotCalledAThirdTimeByARequestThatEndedItTwice) {
  serve();
  for (int end = 1; end <= 2; ++end) {
    ASSERT_TRUE(eventually([this] { return select(decide).find("h1") != std::string::npos; }));
    EXPECT_THAT(select(fault, {"--request-id", "req-6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a01"}),
                HasSubstr("ended by signal 11"));
  }
  ASSERT_TRUE(eventually([this] { return select(decide).find("h1") != std::string::npos; }));
  EXPECT_THAT(select(fault, {"--request-id", "req-6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a01"}),
              HasSubstr("request req-6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a01 is not tried again, for it has ended the "
                        "process twice within an hour"));
  EXPECT_EQ(driver().at("process").at("ends").as_int64(), 2);
}

TEST_F(IsolatedDriverBounds, MayLogAnythingWhileItIsCreated) {
  serve({},
        "for (int i = 0; i < 9000; ++i) given->log(given, call, GANTRY_LOG_WARNING, (gantry_string){\"one more line "
        "of many\", 21});");
  expect_healthy();
  EXPECT_EQ(lines_with("one more line of many"), 9000);
}

TEST_F(IsolatedDriverBounds, MayLogSoMuchInACall) {
  serve();
  EXPECT_THAT(select(log_much), HasSubstr("h1"));
  EXPECT_EQ(lines_with("and again"), 1000);
  EXPECT_EQ(lines_with("29000 more lines of one call of the driver, left out: expected at most 1000 lines"), 1);
  expect_healthy();
}

TEST_F(IsolatedDriverBounds, ReadsOnlyItsOwnFilesWhileItIsCreated) {
  const auto own = (gantry.directory() / "table").string();
  std::ofstream(own) << "racks";
  serve("table = \"" + own + "\"\n");
  if (!driver().at("process").at("reads_only_its_files").as_bool()) {
    EXPECT_THAT(gantry.log(), HasSubstr("the kernel has no Landlock"));
    GTEST_SKIP() << "this kernel has no Landlock";
  }
  EXPECT_THAT(select(tell_what_it_read), HasSubstr("passwd=-13 configuration=-13 service=-13 own=1 libraries=1 "));
  expect_healthy();
}

TEST_F(IsolatedDriverBounds, IsTriedOutInSuchAProcessToo) {
  const auto made = gantry.directory() / "made";
  build({.id = "risky",
         .top = "#include <fcntl.h>",
         .create = "close(open(\"" + made.string() + "\", O_WRONLY | O_CREAT, 0600));"},
        gantry);
  const auto checked_with = [this](const std::string& isolation) {
    gantry.configure("\"risky\"", "[driver.risky]\nisolation = \"" + isolation + "\"\n");
    return gantry.gantry({"config", "check", "--config", gantry.config_file()});
  };
  const auto apart = checked_with("process");
  EXPECT_EQ(apart.exit_status, 0) << apart.err;
  EXPECT_FALSE(std::filesystem::exists(made));
  EXPECT_EQ(checked_with("none").exit_status, 0);
  EXPECT_TRUE(std::filesystem::exists(made));
}

}  // namespace
}  // namespace gantry::test
