// SPDX-License-Identifier: Apache-2.0
//
// Drivers that end the process or never come back: what is reported, where, and with which exit status.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <iterator>

#include "tests/end_to_end/running_gantry.hpp"
#include "tests/end_to_end/site_driver.hpp"

namespace gantry::test {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto fleet_of_the_manual = GANTRY_SOURCE_DIRECTORY "/config/whatif/fleet.json";
constexpr auto time_of_a_line = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]+\\.[0-9]+Z ";

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Endings : public ::testing::Test {
 protected:
  // The daemon's exit status after the start, which the driver ends.
  int status_of_a_start(const SiteDriver& driver, const std::string& more = {}) {
    build(driver, gantry);
    gantry.configure("\"" + driver.id + "\"", more);
    std::filesystem::remove(gantry.directory() / "gantryd.log");
    gantry.launch();
    return gantry.end();
  }
  // The daemon's exit status after a decision, in which the driver ends it.
  int status_of_a_decision(const SiteDriver& driver, const std::string& more = {}) {
    build(driver, gantry);
    gantry.configure("\"" + driver.id + "\"", more);
    std::filesystem::remove(gantry.directory() / "gantryd.log");
    gantry.start();
    EXPECT_NE(gantry.gantry({"--timeout", "2", "select", "--vcpus", "1"}).exit_status, 0);
    return gantry.end();
  }
  std::string file_of(const std::string& id) const { return (gantry.drivers() / (id + ".so")).string(); }

  RunningGantry gantry;
};

TEST_F(Endings, ARequestThatHasEndedTheServiceTwiceIsRefusedByTheNext) {
  build({.id = "crasher", .begin = "if (request->memory_mb == 13) __builtin_trap();"}, gantry);
  gantry.configure("\"crasher\"");
  const auto select = [this](const std::string& memory, const std::string& id) {
    return gantry.gantry({"--timeout", "2", "--request-id", id, "select", "--vcpus", "1", "--memory-mb", memory});
  };
  for (int end = 1; end <= 2; ++end) {
    gantry.start();
    EXPECT_NE(select("13", "req-6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a01").exit_status, 0);
    EXPECT_EQ(gantry.end(), 128 + SIGILL);
  }
  gantry.start();
  EXPECT_THAT(select("13", "req-6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a01").err,
              HasSubstr("request req-6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a01 is not tried again, for it has ended the "
                        "process twice within an hour"));
  EXPECT_TRUE(gantry.is_running());
  EXPECT_THAT(select("13", "req-6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a02").err, Not(HasSubstr("is not tried again")));
  EXPECT_EQ(gantry.end(), 128 + SIGILL);
}

TEST_F(Endings, AnExitInACallIsReportedAndEndsWithAStatusThatTheUnitRestarts) {
  const std::vector<std::pair<std::string, std::string>> exits{{"exit(0)", "exit\\(0\\)"},
                                                               {"exit(78)", "exit\\(78\\)"},
                                                               {"quick_exit(0)", "quick_exit"},
                                                               {"_exit(0)", "_exit\\(0\\)"},
                                                               {"_Exit(0)", "_exit\\(0\\)"}};
  for (const auto& [call, reported] : exits) {
    EXPECT_EQ(status_of_a_decision({.id = "leaver", .begin = call + ";"}), 1) << call;
    EXPECT_THAT(gantry.log(),
                ContainsRegex(std::string(time_of_a_line) + "ERROR crash report: " + reported +
                              " in driver 'leaver', operation select_destinations, request req-.* driver=leaver path=" +
                              file_of("leaver")));
  }
}

TEST_F(Endings, AnExitWhileADriverIsLoadedOrDestroyedIsReportedWithTheDriver) {
  const auto reported = [this](const std::string& operation) {
    return AllOf(HasSubstr("exit(0) in driver 'leaver', operation " + operation), HasSubstr(file_of("leaver")));
  };
  EXPECT_EQ(
      status_of_a_start({.id = "leaver", .top = "__attribute__((constructor)) static void leave(void) { exit(0); }"}),
      1);
  EXPECT_THAT(gantry.log(), reported("dlopen"));
  EXPECT_EQ(status_of_a_start({.id = "leaver", .entry = "exit(0);"}), 1);
  EXPECT_THAT(gantry.log(), reported("gantry_driver_entry"));
  EXPECT_EQ(status_of_a_start({.id = "leaver", .create = "exit(0);"}), 1);
  EXPECT_THAT(gantry.log(), reported("create"));
  build({.id = "leaver", .destroy = "exit(0);"}, gantry);
  gantry.start();
  EXPECT_EQ(gantry.stop(), 1);
  EXPECT_THAT(gantry.log(), reported("destroy"));
}

TEST_F(Endings, AnExitInAThreadOfADriversOwnIsReportedWithTheDriver) {
  EXPECT_EQ(
      status_of_a_start({.id = "leaver",
                         .top = "#include <pthread.h>\nstatic void *leave(void *p) { sleep(1); exit(0); return p; }",
                         .create = "pthread_t thread; pthread_create(&thread, 0, leave, 0);"}),
      1);
  EXPECT_THAT(gantry.log(), HasSubstr("exit(0) in driver 'leaver', outside of any call"));
}

TEST_F(Endings, ACrashWhileADriverIsLoadedIsReportedWithTheDriver) {
  const auto reported = [this](const std::string& operation) {
    return AllOf(HasSubstr("SIGILL in driver 'crasher', operation " + operation), HasSubstr(file_of("crasher")));
  };
  EXPECT_EQ(status_of_a_start(
                {.id = "crasher", .top = "__attribute__((constructor)) static void crash(void) { __builtin_trap(); }"}),
            128 + SIGILL);
  EXPECT_THAT(gantry.log(), reported("dlopen"));
  EXPECT_EQ(status_of_a_start({.id = "crasher",
                               .top = "static void *resolve(void) { __builtin_trap(); }\n"
                                      "void chosen(void) __attribute__((ifunc(\"resolve\"), visibility(\"hidden\")));",
                               .create = "chosen();"}),
            128 + SIGILL);
  EXPECT_THAT(gantry.log(), reported("dlopen"));
  EXPECT_EQ(status_of_a_start({.id = "crasher", .entry = "__builtin_trap();"}), 128 + SIGILL);
  EXPECT_THAT(gantry.log(), reported("gantry_driver_entry"));
  EXPECT_EQ(status_of_a_start({.id = "crasher", .create = "__builtin_trap();"}), 128 + SIGILL);
  EXPECT_THAT(gantry.log(), reported("create"));
  EXPECT_EQ(status_of_a_start({.id = "crasher", .entry = "return (const gantry_driver_info *)8;"}), 128 + SIGSEGV);
  EXPECT_THAT(gantry.log(), HasSubstr("SIGSEGV in driver 'crasher', operation gantry_driver_entry"));
}

TEST_F(Endings, ACrashInAThreadOfADriversOwnIsReportedWithTheDriver) {
  for (const std::string crash : {"__builtin_trap()", "abort()"}) {
    EXPECT_GT(status_of_a_start(
                  {.id = "crasher",
                   .top = "#include <pthread.h>\nstatic void *run(void *p) { sleep(1); " + crash + "; return p; }",
                   .create = "pthread_t thread; pthread_create(&thread, 0, run, 0);"}),
              128);
    EXPECT_THAT(gantry.log(),
                AllOf(HasSubstr("in driver 'crasher', outside of any call"), HasSubstr("path=" + file_of("crasher"))));
  }
}

TEST_F(Endings, EachSignalThatEndsTheProcessIsReported) {
  const std::vector<std::pair<std::string, int>> signals{
      {"SIGTRAP", SIGTRAP}, {"SIGALRM", SIGALRM}, {"SIGVTALRM", SIGVTALRM}, {"SIGPROF", SIGPROF}, {"SIGUSR1", SIGUSR1},
      {"SIGUSR2", SIGUSR2}, {"SIGXCPU", SIGXCPU}, {"SIGXFSZ", SIGXFSZ},     {"SIGSYS", SIGSYS},   {"SIGQUIT", SIGQUIT}};
  for (const auto& [name, number] : signals) {
    EXPECT_EQ(status_of_a_start({.id = "raiser", .create = "raise(" + name + ");"}), 128 + number);
    EXPECT_THAT(gantry.log(), HasSubstr(name + " in driver 'raiser', operation create")) << name;
  }
  EXPECT_EQ(status_of_a_start({.id = "raiser", .create = "alarm(1); for (;;) pause();"}), 128 + SIGALRM);
  EXPECT_THAT(gantry.log(), HasSubstr("SIGALRM"));
  EXPECT_EQ(status_of_a_start({.id = "raiser", .create = "__asm__(\"int3\");"}), 128 + SIGTRAP);
  EXPECT_THAT(gantry.log(), HasSubstr("SIGTRAP in driver 'raiser', operation create"));
}

TEST_F(Endings, ACrashReportGoesToTheLogFileAsWellInTheFormOfTheLog) {
  const auto log = gantry.directory() / "scheduler.log";
  const auto settings = "[log]\nfile = \"" + log.string() + "\"\nformat = \"json\"\n";
  EXPECT_EQ(status_of_a_decision({.id = "crasher", .begin = "__builtin_trap();"}, settings), 128 + SIGILL);
  for (const auto& text : {content_of(log), gantry.log()}) {
    const auto at = text.rfind("{\"time\"");
    ASSERT_NE(at, std::string::npos) << text;
    const auto line = json::parse(text.substr(at));
    ASSERT_TRUE(line) << text;
    EXPECT_EQ(line->at("level").as_string(), "error");
    EXPECT_EQ(line->at("driver").as_string(), "crasher");
    EXPECT_EQ(line->at("path").as_string(), file_of("crasher"));
    EXPECT_THAT(std::string(line->at("message").as_string()),
                HasSubstr("crash report: SIGILL in driver 'crasher', operation select_destinations, request req-"));
  }
}

TEST_F(Endings, ACrashReportIsKeptInTheLogFileWithAllDescriptorsClosed) {
  const auto log = gantry.directory() / "scheduler.log";
  EXPECT_EQ(status_of_a_start({.id = "closer", .create = "for (int i = 0; i < 1024; ++i) close(i); abort();"},
                              "log.file = \"" + log.string() + "\"\n"),
            128 + SIGABRT);
  EXPECT_THAT(content_of(log), HasSubstr("SIGABRT in driver 'closer', operation create"));
}

TEST_F(Endings, ADaemonWhoseDriverClosedAllDescriptorsEndsInsteadOfServingNobody) {
  const auto log = gantry.directory() / "scheduler.log";
  EXPECT_EQ(status_of_a_decision({.id = "closer", .begin = "for (int i = 0; i < 4096; ++i) close(i);"},
                                 "log.file = \"" + log.string() + "\"\n"),
            1);
  EXPECT_THAT(content_of(log), HasSubstr("ERROR a listening socket was closed by other code in the process"));
}

TEST_F(Endings, TheLogNamesADriverWhoseLoadHangs) {
  build({.id = "stuck", .create = "for (;;) sleep(1);"}, gantry);
  gantry.configure("\"stuck\"");
  gantry.launch();
  EXPECT_TRUE(eventually([&] { return gantry.log().find("The driver is being loaded") != std::string::npos; }));
  EXPECT_TRUE(eventually([&] { return gantry.log().find("still being loaded") != std::string::npos; }));
  EXPECT_THAT(gantry.log(), ContainsRegex("WARNING The driver is still being loaded.* driver=stuck path=.*stuck.so "
                                          "seconds=5"));
  EXPECT_EQ(gantry.stop(), 128 + SIGTERM);
}

class WhatIfEndings : public Endings {
 protected:
  Ran what_if(const SiteDriver& driver, const std::vector<std::string>& more = {}) {
    build(driver, gantry);
    gantry.configure("\"" + driver.id + "\"");
    std::vector<std::string> words{
        "timeout",           "--signal=KILL",      "60",     std::string(GANTRY_BIN_DIRECTORY) + "/gantry",
        "--config",          gantry.config_file(), "whatif", "--fleet",
        fleet_of_the_manual, "--flavor",           "m1.tiny"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  }
};

TEST_F(WhatIfEndings, ACrashIsReportedWithTheDriver) {
  const auto ran = what_if({.id = "crasher", .begin = "__builtin_trap();"});
  EXPECT_EQ(ran.exit_status, 128 + SIGILL);
  EXPECT_THAT(ran.err, HasSubstr("crash report: SIGILL in driver 'crasher', operation select_destinations"));
}

TEST_F(WhatIfEndings, AnExitIsReportedWithTheDriverAndNoSuccess) {
  const auto ran = what_if({.id = "leaver", .begin = "exit(0);"});
  EXPECT_EQ(ran.exit_status, 1);
  EXPECT_THAT(ran.err, HasSubstr("crash report: exit(0) in driver 'leaver', operation select_destinations"));
}

TEST_F(WhatIfEndings, AnExceptionIsReportedWithTheDriver) {
  const auto ran = what_if({.id = "thrower",
                            .top = "void throw_it(const char *) __asm__(\"_ZSt20__throw_length_errorPKc\");",
                            .begin = "throw_it(\"out of luck\");",
                            .compiler_options = {"-lstdc++"}});
  EXPECT_EQ(ran.exit_status, 128 + SIGABRT);
  EXPECT_THAT(ran.err, HasSubstr("an exception left in driver 'thrower', operation select_destinations"));
  EXPECT_THAT(ran.err, AllOf(HasSubstr("out of luck"), Not(HasSubstr("SIGABRT"))));
}

TEST_F(WhatIfEndings, TheTimeoutEndsADriverThatDoesNotReturn) {
  const auto deciding = what_if({.id = "stuck", .begin = "for (;;) sleep(1);"}, {"--timeout", "1"});
  EXPECT_EQ(deciding.exit_status, 1);
  EXPECT_THAT(deciding.err, HasSubstr("driver 'stuck', select_destinations: expected an end within --timeout, 1 s"));
  const auto creating = what_if({.id = "stuck", .create = "for (;;) sleep(1);"}, {"--timeout", "1"});
  EXPECT_EQ(creating.exit_status, 1);
  EXPECT_THAT(creating.err, HasSubstr("loading driver 'stuck': expected an end within --timeout, 1 s"));
  const auto ending = what_if({.id = "stuck", .destroy = "for (;;) sleep(1);"}, {"--timeout", "1"});
  EXPECT_EQ(ending.exit_status, 1);
  EXPECT_THAT(ending.err, HasSubstr("driver 'stuck', destroy"));
}

}  // namespace
}  // namespace gantry::test
