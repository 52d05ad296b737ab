// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <filesystem>

#include "core/cli/agent/child_process.hpp"
#include "tests/cli/fake_daemon.hpp"
#include "tests/support/scratch_directory.hpp"

namespace gantry::cli::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* instance = "6ae004a7-9983-453f-8297-96ff4aa2d35c";

TEST(NovaStatus, ShowsEveryMemberInItsSection) {
  FakeDaemon daemon;
  daemon.on("status", R"({"version":"0.1.0","nova":{"host":"ctl1","requests_under_way":2,
      "broker":{"connected":true,"at":"10.0.0.5:5672","queues":{"scheduler":1}},
      "databases":[{"name":"nova_api","age_ms":12},{"name":"cell1","age_ms":3,"away_since":"2026-11-21T09:00:00Z"}]}})");
  const Ran ran = run(daemon, {"nova", "status"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out,
            "FIELD               VALUE\n"
            "host                ctl1\n"
            "requests under way  2\n"
            "\nbroker\n"
            "FIELD      VALUE\n"
            "connected  yes\n"
            "at         10.0.0.5:5672\n"
            "\nbroker, queues\n"
            "FIELD      VALUE\n"
            "scheduler      1\n"
            "\ndatabases\n"
            "NAME      AGE MS  AWAY SINCE\n"
            "nova_api      12  -\n"
            "cell1          3  2026-11-21T09:00:00Z\n");
  EXPECT_THAT(run(daemon, {"-o", "json", "nova", "status"}).out, HasSubstr("\"requests_under_way\": 2"));
  EXPECT_THAT(run(daemon, {"-o", "value", "nova", "status"}).out, HasSubstr("requests under way\t2\n"));
}

TEST(NovaStatus, SaysThatThereIsNoNova) {
  FakeDaemon daemon;
  daemon.on("status", R"({"version":"0.1.0"})");
  const Ran ran = run(daemon, {"nova", "status"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.err, HasSubstr("nova.config_files is empty"));
}

TEST(NovaPause, HandsTheWorkBackAndTakesItAgain) {
  FakeDaemon daemon;
  daemon.on("pause_requests", R"({"paused":true,"other_consumers":1})");
  daemon.on("resume_requests", R"({"paused":false})");
  EXPECT_THAT(run(daemon, {"nova", "pause"}).out, HasSubstr("paused: nova-scheduler, or another Gantry"));
  EXPECT_THAT(run(daemon, {"-o", "json", "nova", "resume"}).out, HasSubstr("\"paused\": false"));
  daemon.on("pause_requests", R"({"paused":true,"other_consumers":0})");
  EXPECT_THAT(run(daemon, {"nova", "pause"}).out, HasSubstr("paused: nobody else takes the requests; they wait"));
  daemon.on("pause_requests", R"({"paused":true,"other_consumers":null})");
  EXPECT_THAT(run(daemon, {"nova", "pause"}).out, HasSubstr("the broker has not told"));
}

TEST(NovaWhy, ExplainsARefusal) {
  FakeDaemon daemon;
  daemon.on("recent_decision", R"({"exception":"NoValidHost","reason":"RamFilter: 4096 MiB wanted",
      "time":"2026-11-21T09:00:00Z","request_id":"req-1","project_id":"p1","outcome":"no_valid_host","attempts":2,
      "driver":"filter","candidates":{"seen":12,"claimable":10,"reused":true,"source":"placement"},
      "steps":[{"name":"ComputeFilter","hosts_in":12,"hosts_out":12},
               {"name":"RamFilter","hosts_in":12,"hosts_out":0,"reason":"12 hosts have less than 4096 MB"}],
      "claims":[{"instance_uuid":"6ae004a7-9983-453f-8297-96ff4aa2d35c","host":"h1","node":"h1","provider":"u1",
                 "outcome":"refused","reason":"placement answered 409"}]})");
  const Ran ran = run(daemon, {"nova", "why", instance});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(json::find_string(daemon.asked("recent_decision").at(0).args, "instance_uuid"), instance);
  EXPECT_EQ(
      ran.out,
      "FIELD        VALUE\n"
      "instance     6ae004a7-9983-453f-8297-96ff4aa2d35c\n"
      "decided at   2026-11-21T09:00:00Z\n"
      "request      req-1\n"
      "project      p1\n"
      "outcome      no_valid_host\n"
      "reason       RamFilter: 4096 MiB wanted\n"
      "destination  none\n"
      "attempts     2\n"
      "placement    12 providers in the answer, 10 of them with room for it, from an answer to an equal question\n"
      "\n"
      "STEP           HOSTS IN  HOSTS OUT  WHY\n"
      "ComputeFilter        12         12  -\n"
      "RamFilter            12          0  12 hosts have less than 4096 MB\n"
      "\n"
      "CLAIM ON  OUTCOME  INSTANCE                              WHY\n"
      "h1        refused  6ae004a7-9983-453f-8297-96ff4aa2d35c  placement answered 409\n");
}

TEST(NovaWhy, NamesTheDestinationOfTheInstanceAmongThoseOfItsRequest) {
  FakeDaemon daemon;
  daemon.on("recent_decision", R"({"outcome":"placed","attempts":1,"steps":[],"destinations":[
      {"host":"c1","node":"c1","instance_uuid":"other","weight":2.5},
      {"host":"c3","node":"c3","instance_uuid":"6ae004a7-9983-453f-8297-96ff4aa2d35c","weight":1.5}]})");
  EXPECT_THAT(run(daemon, {"nova", "why", instance}).out, HasSubstr("destination  c3\n"));
  daemon.on("recent_decision", R"({"outcome":"placed","attempts":1,"destinations":[
      {"host":"ironic1","node":"blade7","instance_uuid":"6ae004a7-9983-453f-8297-96ff4aa2d35c"}]})");
  EXPECT_THAT(run(daemon, {"nova", "why", instance}).out, HasSubstr("destination  ironic1/blade7\n"));
}

TEST(NovaWhy, TellsAFilterThatIsAskedAgainForTheNextInstanceOfTheRequest) {
  FakeDaemon daemon;
  daemon.on("recent_decision", R"({"outcome":"no_valid_host","attempts":1,"steps":[
      {"name":"ServerGroupAntiAffinityFilter","hosts_in":3,"hosts_out":3,"instance":0},
      {"name":"ServerGroupAntiAffinityFilter","hosts_in":3,"hosts_out":2,"instance":1,"reason":"a member is there"}]})");
  EXPECT_THAT(
      run(daemon, {"nova", "why", instance}).out,
      HasSubstr("ServerGroupAntiAffinityFilter         3          3  -\n"
                "ServerGroupAntiAffinityFilter         3          2  again, for instance 2: a member is there\n"));
}

TEST(NovaWhy, SaysThatAnInstanceIsUnknown) {
  FakeDaemon daemon;
  daemon.on("recent_decision", [](const json::object&) {
    return Result<json::value>(Error{ErrorCode::not_found, "no decision about the instance is remembered", ""});
  });
  const Ran ran = run(daemon, {"nova", "why", instance});
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.err, HasSubstr("no decision about the instance is remembered"));
}

// gantry in an installation of its own, with a program that stands in for gantry-nova-check beside it.
class NovaCheckCommand : public testing::Test {
 protected:
  NovaCheckCommand() {
    std::filesystem::create_directories(directory_.path(GANTRY_BINDIR));
    std::filesystem::copy_file(GANTRY_PROGRAM, directory_.path(GANTRY_BINDIR "/gantry"));
  }
  void install(const std::string& script, const std::string& path = GANTRY_BINDIR "/gantry-nova-check") {
    directory_.write(path, "#!/bin/sh\n" + script, 0755);
  }
  agent::ChildResult gantry(const std::vector<std::string>& words) {
    auto ran = agent::run_child({.program = directory_.path(GANTRY_BINDIR "/gantry"),
                                 .arguments = words,
                                 .environment = {},
                                 .input = "",
                                 .timeout = std::chrono::seconds(60)});
    EXPECT_TRUE(ran) << (ran ? "" : ran.error().message);
    return ran ? *ran : agent::ChildResult();
  }

  static constexpr const char* installed_program = GANTRY_LIBEXECDIR "/gantry/gantry-nova-check";
  support::ScratchDirectory directory_;
};

TEST_F(NovaCheckCommand, PassesOptionsOutputAndExitStatusOn) {
  install("echo \"asked: $*\"; echo beside it >&2; exit 1\n");
  const auto ran = gantry({"nova", "check", "--config", "/tmp/g.toml", "--set", "nova.prefetch=1", "-o", "json",
                           "--set", "log.level=debug"});
  EXPECT_EQ(ran.exit_status, 1);
  EXPECT_EQ(ran.output, "asked: --config /tmp/g.toml --set nova.prefetch=1 --set log.level=debug --output json\n");
  EXPECT_EQ(ran.errors, "beside it\n");
  for (const int status : {0, 2, 78}) {
    install("exit " + std::to_string(status) + "\n");
    EXPECT_EQ(gantry({"nova", "check"}).exit_status, status);
  }
}

TEST_F(NovaCheckCommand, AsksForTheGrantsOfAUser) {
  install("echo \"$*\"\n");
  EXPECT_EQ(gantry({"nova", "grants", "--from", "10.0.0.5"}).output, "--grants-for gantry --from 10.0.0.5\n");
}

TEST_F(NovaCheckCommand, FindsTheProgramAmongThoseOfItsInstallationThatNobodyCalls) {
  install("exit 3\n", installed_program);
  EXPECT_EQ(gantry({"nova", "check"}).exit_status, 3);
}

TEST_F(NovaCheckCommand, SaysThatTheProgramIsNotInstalled) {
  const auto ran = gantry({"nova", "check"});
  EXPECT_EQ(ran.exit_status, 69);
  EXPECT_THAT(ran.errors,
              HasSubstr("gantry-nova-check: expected this program as " + directory_.path(installed_program) +
                        ", found none; it is installed with the part of Gantry"));
}

TEST_F(NovaCheckCommand, SaysThatTheProgramWasKilled) {
  install("kill -9 $$\n");
  const auto ran = gantry({"nova", "check"});
  EXPECT_EQ(ran.exit_status, 69);
  EXPECT_THAT(ran.errors, HasSubstr("ended by signal 9"));
}

class NovaCheckProgram : public testing::Test {
 protected:
  static agent::ChildResult check(const std::string& config, const std::vector<std::string>& more = {}) {
    const support::ScratchDirectory directory;
    std::vector<std::string> words{"nova", "check", "--config", directory.write("gantry.toml", config)};
    words.insert(words.end(), more.begin(), more.end());
    auto ran = agent::run_child({.program = GANTRY_PROGRAM,
                                 .arguments = words,
                                 .environment = {},
                                 .input = "",
                                 .timeout = std::chrono::seconds(60)});
    EXPECT_TRUE(ran) << (ran ? "" : ran.error().message);
    return ran ? *ran : agent::ChildResult();
  }
};

TEST_F(NovaCheckProgram, FailsWithoutADeployment) {
  const auto ran = check("");
  EXPECT_EQ(ran.exit_status, 2) << ran.errors;
  EXPECT_THAT(ran.output, HasSubstr("expected the files of a deployment in nova.config_files, found none"));
}

TEST_F(NovaCheckProgram, RefusesAConfigurationAsGantryDoes) {
  const auto ran = check("[log]\nlevl = 1\n");
  EXPECT_EQ(ran.exit_status, 78);
  EXPECT_THAT(ran.errors, AllOf(HasSubstr("gantry: "), HasSubstr("gantry.toml:2"), HasSubstr("levl")));
  const auto as_json = check("[log]\nlevl = 1\n", {"-o", "json"});
  EXPECT_EQ(as_json.exit_status, 78);
  EXPECT_THAT(as_json.errors, HasSubstr(R"({"error":{"code":"invalid_configuration","message":")"));
}

}  // namespace
}  // namespace gantry::cli::test
