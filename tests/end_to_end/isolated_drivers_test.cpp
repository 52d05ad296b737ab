// SPDX-License-Identifier: Apache-2.0
//
// A driver in a process of its own that crashes, hangs, leaks, sends garbage or wants out: its callers are told, it is
// started again, and the topic beside it is served as before.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/end_to_end/running_gantry.hpp"
#include "tests/end_to_end/site_driver.hpp"

namespace gantry::test {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

// The memory that a request wants tells the driver what to do.
enum Wish { decide = 100, crash, leave, hang, eat, garble, escape, shout, tell_what_it_read };

// Where the cells of views lie (core/fleet/cells/cell_memory.cpp). The lanes follow.
#ifdef GANTRY_SANITIZE_THREAD
constexpr std::string_view cells = "0x4000000000";
#else
constexpr std::string_view cells = "0x200000000000";
#endif

constexpr std::string_view misdeeds = R"(
static char said[4096];
static void say(const char *what, long result) {
  snprintf(said + strlen(said), sizeof said - strlen(said), "%s=%ld ", what, result < 0 ? -(long)errno : result);
}
static void try_to_escape(void) {
  said[0] = 0;
  say("socket", socket(AF_INET, SOCK_STREAM, 0));
  say("socketpair", syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, (int[2]){0, 0}));
  char *const words[] = {"/bin/true", NULL};
  say("execve", execve(words[0], words, words + 1));
  say("fork", syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
  say("write", open("/tmp/gantry-runner-was-here", O_WRONLY | O_CREAT, 0600));
  say("read", open("/etc/passwd", O_RDONLY));
  say("unlink", unlink("/etc/passwd"));
  say("ptrace", syscall(SYS_ptrace, 16, getppid(), 0, 0));
  say("peek", syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0));
  say("kill", kill(getppid(), 0));
  say("cells", mprotect((void *)CELLS, 4096, PROT_READ | PROT_WRITE));
}
static long reads(const char *path) {
  const int file = open(path, O_RDONLY);
  char c;
  const long got = file < 0 ? -errno : read(file, &c, 1);
  if (file >= 0) close(file);
  return got;
}
static char read_at_create[200];
static void read_files(gantry_string given) {
  char service[64];
  snprintf(service, sizeof service, "/proc/%d/environ", getppid());
  char own[200];
  snprintf(own, sizeof own, "%.*s", (int)given.size, given.data);
  snprintf(read_at_create, sizeof read_at_create, "passwd=%ld configuration=%ld service=%ld own=%ld libraries=%ld ",
           reads("/etc/passwd"), reads(CONFIGURATION), reads(service), reads(own), reads("/etc/ld.so.cache"));
}
static void send_garbage(void) {
  volatile uint64_t *lane = (uint64_t *)(CELLS + ((uint64_t)64 << 30));
  lane[1] = 1 << 20;
  memset((char *)lane + 4096 + (80 << 20), 0xee, 1 << 20);
  *(volatile uint32_t *)lane = 0;
  syscall(SYS_futex, lane, 1, 1, NULL, NULL, 0);
  for (;;) pause();
}
static void eat(void) {
  for (;;) {
    char *memory = malloc(16 << 20);
    if (memory == NULL) abort();
    memset(memory, 1, 16 << 20);
  }
}
)";

class IsolatedDriver : public ::testing::Test {
 protected:
  void serve(const std::string& keys = {}) {
    build({.id = "risky",
           .threads = "serial",
           .manifest = "[options.table]\\ntype = 'string'\\ndefault = ''\\nhelp = 'a file'\\n",
           .top = "#define CELLS " + std::string(cells) + "\n#define CONFIGURATION \"" + gantry.config_file() +
                  "\"\n#include <errno.h>\n#include <fcntl.h>\n#include <stdio.h>\n#include <string.h>\n"
                  "#include <sys/mman.h>\n#include <sys/socket.h>\n#include <sys/syscall.h>\n" +
                  std::string(misdeeds),
           .create = "read_files(options->options[0].string);",
           .begin = R"(
  switch (request->memory_mb) {
    case 101:
      signal(SIGSEGV, SIG_DFL); /* a sanitizer makes an exit of it */
      raise(SIGSEGV);
      break;
    case 102: _exit(3);
    case 103: for (;;) pause();
    case 104: eat(); break;
    case 105: send_garbage(); break;
    case 106:
      try_to_escape();
      return host->fail(call, GANTRY_INTERNAL, (gantry_string){said, strlen(said)});
    case 107:
      host->log(host, call, GANTRY_LOG_WARNING, (gantry_string){"from the driver", 15});
      host->count(host, (gantry_string){"shouts", 6}, 2);
      fprintf(stderr, "printed by the driver\n");
      break;
    case 108: return host->fail(call, GANTRY_INTERNAL, (gantry_string){read_at_create, strlen(read_at_create)});
    default: break;
  })"},
          gantry);
    gantry.configure("[\"risky\", \"volume\"]",
                     "scheduling.call_timeout = 1\n[driver.risky]\nisolation = \"process\"\n" + keys);
    gantry.start();
    gantry.simulate(
        "[[hosts]]\nname = \"h1\"\nvcpus = 4\nmemory_mb = 8192\nlocal_gb = 100\n"
        "[[hosts]]\nname = \"v1\"\ntopic = \"volume\"\nstats = { free_capacity_gb = 50 }\n");
    for (const std::string topic : {"compute", "volume"})
      ASSERT_TRUE(eventually([&] { return gantry.list({"hosts-up", topic}).size() == 1; }));
  }

  std::string select(Wish wish) const {
    const auto ran = gantry.gantry({"select", "--vcpus", "1", "--memory-mb", std::to_string(wish)});
    return ran.exit_status == 0 ? ran.out : ran.err;
  }
  json::object driver() const {
    const auto status = gantry.ask({"status"});
    for (const auto& each : status.at("drivers").as_array())
      if (each.at("id") == "risky") return each.as_object();
    return {};
  }
  std::int64_t process() const { return driver().at("process").at("pid").as_int64(); }
  void expect_healthy() const {
    EXPECT_THAT(select(decide), HasSubstr("h1"));
    EXPECT_EQ(gantry.gantry({"hosts-up", "volume"}).exit_status, 0);
  }

  RunningGantry gantry;
};

TEST_F(IsolatedDriver, RunsInAProcessOfItsOwnThatDiesWithTheService) {
  serve();
  expect_healthy();
  const auto runner = static_cast<pid_t>(process());
  EXPECT_NE(runner, gantry.pid());
  EXPECT_EQ(::kill(runner, 0), 0);
  gantry.end_simulation();
  gantry.kill();
  EXPECT_TRUE(eventually([runner] { return ::kill(runner, 0) != 0; }));
}

TEST_F(IsolatedDriver, EndsWithTheService) {
  serve();
  const auto runner = static_cast<pid_t>(process());
  gantry.end_simulation();
  EXPECT_EQ(gantry.stop(), 0);
  EXPECT_NE(::kill(runner, 0), 0);
}

TEST_F(IsolatedDriver, ThatCrashesFailsItsCallAndIsThereForTheNext) {
  serve();
  EXPECT_THAT(select(crash),
              AllOf(HasSubstr("'risky'"), HasSubstr("select_destinations"), HasSubstr("ended by signal 11 (SIGSEGV)")));
  expect_healthy();
  EXPECT_THAT(select(leave), HasSubstr("ended with exit status 3"));
  EXPECT_TRUE(eventually([this] { return select(decide).find("h1") != std::string::npos; }));
  EXPECT_EQ(driver().at("process").at("ends").as_int64(), 2);
  EXPECT_THAT(gantry.log(), HasSubstr("a driver's process has ended"));
}

TEST_F(IsolatedDriver, ThatHangsIsEndedByTheDeadlineOfItsCall) {
  serve();
  const auto begun = std::chrono::steady_clock::now();
  // On a slow machine the call is answered before the process is gone.
  EXPECT_THAT(select(hang), AllOf(HasSubstr("'risky'"), AnyOf(HasSubstr("had not returned by its deadline"),
                                                              HasSubstr("found it still running after"))));
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(20));
  EXPECT_TRUE(eventually([this] { return select(decide).find("h1") != std::string::npos; }));
  EXPECT_EQ(driver().at("process").at("last_ending"), "was ended, for a call had not returned by its deadline");
  expect_healthy();
}

TEST_F(IsolatedDriver, ThatSendsGarbageIsEnded) {
  serve();
  EXPECT_THAT(select(garble), HasSubstr("was ended, for it sent"));
  expect_healthy();
}

TEST_F(IsolatedDriver, HasNoMoreMemoryThanItsLimit) {
#ifdef GANTRY_SANITIZE
  GTEST_SKIP() << "a sanitizer takes address space of its own";
#endif
  serve("memory_limit = 100\n");
  EXPECT_THAT(select(eat), HasSubstr("ended by signal 6 (SIGABRT)"));
  expect_healthy();
}

TEST_F(IsolatedDriver, CannotLeaveItsProcess) {
  serve();
  const auto said = select(escape);
  for (const std::string what :
       {"socket", "socketpair", "execve", "fork", "write", "read", "unlink", "ptrace", "peek", "kill", "cells"}) {
    EXPECT_THAT(said, ContainsRegex(what + "=-(1|13) ")) << what;
  }
  expect_healthy();
}

TEST_F(IsolatedDriver, ReadsOnlyItsOwnFilesWhileItIsCreated) {
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

TEST_F(IsolatedDriver, IsHeardAsInTheService) {
  serve();
  EXPECT_THAT(select(shout), HasSubstr("h1"));
  EXPECT_TRUE(eventually([this] { return gantry.log().find("printed by the driver") != std::string::npos; }));
  EXPECT_THAT(gantry.log(), ContainsRegex("from the driver.*driver=risky"));
  bool found = false;
  const auto status = gantry.ask({"status"});
  for (const auto& counter : status.at("counters").as_array())
    found = found || (counter.at("name") == "driver.shouts" && counter.at("value") == 2);
  EXPECT_TRUE(found);
}

TEST_F(IsolatedDriver, ThatKeepsFailingIsPausedAndReported) {
  serve();
  EXPECT_TRUE(eventually([this] {
    select(crash);
    return driver().at("process").at("state") == "waiting";
  }));
  EXPECT_EQ(gantry.gantry({"hosts-up", "volume"}).exit_status, 0);
  EXPECT_TRUE(eventually([this] { return select(decide).find("h1") != std::string::npos; }));
}

TEST_F(IsolatedDriver, ThatKeepsFailingIsBackAtOnceAfterAReload) {
  serve();
  // From the sixth end on, the pause is longer than a reload takes.
  ASSERT_TRUE(eventually([this] {
    select(crash);
    return driver().at("process").at("ends").as_int64() >= 6;
  }));
  EXPECT_EQ(driver().at("process").at("state"), "waiting");
  const auto reloaded = gantry.gantry({"reload"});
  EXPECT_EQ(reloaded.exit_status, 0) << reloaded.err;
  EXPECT_EQ(driver().at("process").at("state"), "ready");
  EXPECT_EQ(driver().at("process").at("ends").as_int64(), 0);
  expect_healthy();
}

TEST_F(IsolatedDriver, HasAFallbackWhileItsProcessIsAway) {
  serve("fallback = \"chance\"\n");
  EXPECT_THAT(gantry.log(), Not(HasSubstr("fallback_for")));
  EXPECT_TRUE(eventually([this] {
    select(crash);
    return gantry.log().find("fallback_for=risky") != std::string::npos;
  }));
  EXPECT_THAT(gantry.log(), ContainsRegex("scheduled.*driver=chance.*fallback_for=risky"));
  expect_healthy();
}

TEST_F(IsolatedDriver, HasNoFallbackThatCouldNotStandIn) {
  build({.id = "risky"}, gantry);
  const auto refusal = [this](const std::string& keys) {
    gantry.configure("\"risky\"", "[driver.risky]\n" + keys);
    return gantry.start_refused().err;
  };
  EXPECT_THAT(refusal("fallback = \"chance\"\n"), HasSubstr("expected isolation = \"process\" beside it"));
  EXPECT_THAT(refusal("isolation = \"process\"\nfallback = \"volume\"\n"),
              HasSubstr("expected a driver for topic 'compute', found 'volume'"));
  EXPECT_THAT(refusal("isolation = \"process\"\nfallback = \"risky\"\n"),
              HasSubstr("a driver that scheduler_driver does not name"));
  EXPECT_THAT(refusal("isolation = \"thread\"\n"), HasSubstr("\"none\" or \"process\""));
}

TEST_F(IsolatedDriver, IsTriedOutInSuchAProcessToo) {
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

TEST_F(IsolatedDriver, ThatCannotBeCreatedKeepsTheServiceFromStarting) {
  build({.id = "risky", .create = "abort();"}, gantry);
  gantry.configure("\"risky\"", "[driver.risky]\nisolation = \"process\"\n");
  EXPECT_THAT(gantry.start_refused().err, AllOf(HasSubstr("risky.so"), HasSubstr("ended by signal 6 (SIGABRT)")));
}

}  // namespace
}  // namespace gantry::test
