// SPDX-License-Identifier: Apache-2.0
//
// The configuration is read again while the service runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <future>
#include <gantry/client.hpp>
#include <set>
#include <thread>
#include <vector>

#include "tests/end_to_end/running_gantry.hpp"
#include "tests/end_to_end/site_driver.hpp"

namespace gantry::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto small_and_big = R"(
[[hosts]]
name = "small"
vcpus = 4
memory_mb = 8192
local_gb = 100
[[hosts]]
name = "big"
vcpus = 4
memory_mb = 65536
local_gb = 100
)";

class Reload : public ::testing::Test {
 protected:
  void serve(const std::string& driver, const std::string& more, const std::string& fleet = small_and_big) {
    gantry.configure("\"" + driver + "\"", more);
    gantry.start();
    gantry.simulate(fleet);
    ASSERT_TRUE(eventually([&] { return gantry.list({"hosts-up", "compute"}).size() == 2; }));
  }
  Ran reload_with(const std::string& driver, const std::string& more, std::vector<std::string> words = {"reload"}) {
    gantry.configure("\"" + driver + "\"", more);
    return gantry.gantry(std::move(words));
  }
  json::object last_reload() {
    const auto status = gantry.ask({"status"});
    const auto* const last = json::find_object(status.as_object(), "last_reload");
    return last == nullptr ? json::object() : *last;
  }
  bool log_comes_to_say(const std::string& words) {
    return eventually([&] { return gantry.log().find(words) != std::string::npos; });
  }

  RunningGantry gantry;
};

// "big 64": the host, and the limit of vCPUs, which is 4 times the allocation ratio.
std::string decision_of(client::client& client) {
  const auto reply =
      client.call("select_destinations", R"({"request_spec":{"flavor":{"vcpus":1,"memory_mb":64,"root_gb":1}}})");
  if (!reply) return reply.failure().message;
  const auto answer = json::parse(reply.json());
  if (!answer) return answer.error().message;
  const auto text = json::write(*answer);
  const std::string host = text.find("\"big\"") != std::string::npos ? "big" : "small";
  const auto at = text.find("\"vcpu\":");
  return host + " " + (at == std::string::npos ? "?" : std::to_string(std::stoi(text.substr(at + 7))));
}

TEST_F(Reload, AppliesWeightsRatiosAndTheLogLevelAndShowsWhatChanged) {
  serve("filter", "[driver.filter]\nram_weight_multiplier = 1.0\n");
  client::client client(gantry.url());
  EXPECT_EQ(decision_of(client), "big 64");
  const auto changed =
      "log.level = \"debug\"\nscheduling.cpu_allocation_ratio = 2.0\n[driver.filter]\nram_weight_multiplier = -1.0\n";
  const auto checked = reload_with("filter", changed, {"reload", "--check"});
  EXPECT_EQ(checked.exit_status, 0) << checked.err;
  EXPECT_THAT(checked.out, HasSubstr("driver.filter.ram_weight_multiplier: 1.0 -> -1.0\n"));
  EXPECT_EQ(decision_of(client), "big 64");
  EXPECT_TRUE(last_reload().empty());
  const auto applied = gantry.gantry({"reload"});
  EXPECT_EQ(applied.exit_status, 0) << applied.err;
  EXPECT_EQ(applied.out,
            "scheduling.cpu_allocation_ratio: 16.0 -> 2.0\nlog.level: \"info\" -> \"debug\"\n"
            "driver.filter.ram_weight_multiplier: 1.0 -> -1.0\n");
  EXPECT_EQ(decision_of(client), "small 8");
  EXPECT_EQ(gantry.ask({"log-level"}).at("level"), "debug");
  EXPECT_EQ(last_reload().at("outcome"), "applied");
  EXPECT_THAT(gantry.log(), AllOf(HasSubstr("audit"), HasSubstr("driver.filter.ram_weight_multiplier: 1.0 -> -1.0")));
  EXPECT_THAT(json::write(gantry.ask({"report"}).at("configuration")), HasSubstr(R"("value":"-1.0")"));
  EXPECT_EQ(gantry.ask({"reload"}).at("outcome"), "unchanged");
}

TEST_F(Reload, IsMadeUpForByASuccessorThatHadReadTheConfigurationBefore) {
  const auto creations = gantry.directory() / "creations";
  const auto may_end = gantry.directory() / "may_end";
  SiteDriver slow;
  slow.top = "#include <stdio.h>\n#include <unistd.h>\n";
  slow.create = "FILE* note = fopen(\"" + creations.string() +
                "\", \"a\"); if (note) { fputc('x', note); fclose(note); } while (access(\"" + may_end.string() +
                "\", F_OK) != 0) usleep(2000);";
  build(slow, gantry);
  gantry.configure("\"first\"");
  std::ofstream(may_end).flush();
  gantry.start();
  const auto before = std::filesystem::file_size(creations);
  std::filesystem::remove(may_end);
  auto restarted = std::async(std::launch::async, [this] { return gantry.restart(); });
  ASSERT_TRUE(eventually([&] { return std::filesystem::file_size(creations) > before; }));
  const auto reloaded = reload_with("first", "log.level = \"debug\"\n");
  EXPECT_EQ(reloaded.exit_status, 0) << reloaded.err;
  std::ofstream(may_end).flush();
  const auto taken_over = restarted.get();
  EXPECT_EQ(taken_over.exit_status, 0) << taken_over.err;
  EXPECT_TRUE(eventually([&] { return gantry.ask({"log-level"}).at("level") == "debug"; }));
  EXPECT_EQ(last_reload().at("by"), "take-over");
}

TEST_F(Reload, AppliesEnabledFilters) {
  serve("filter", "[driver.filter]\nenabled_filters = [\"ComputeFilter\"]\n");
  EXPECT_EQ(gantry.gantry({"service", "disable", "compute", "big"}).exit_status, 0);
  client::client client(gantry.url());
  EXPECT_EQ(decision_of(client).substr(0, 5), "small");
  const auto applied = reload_with("filter", "[driver.filter]\nenabled_filters = [\"AllHostsFilter\"]\n");
  EXPECT_EQ(applied.exit_status, 0) << applied.err;
  EXPECT_EQ(decision_of(client).substr(0, 3), "big");
}

TEST_F(Reload, NamesEachFaultAndAppliesNothing) {
  serve("filter", "");
  const auto refused =
      reload_with("filter",
                  "server.workers = 7\nscheduling.call_timeout = 3\n[driver.filter]\nram_weight = 1.0\n"
                  "enabled_filters = [\"NoSuchFilter\"]\ncpu_weight_multiplier = \"much\"\n");
  EXPECT_EQ(refused.exit_status, 78);
  for (const auto* part :
       {"key 'driver.filter.ram_weight'", "found 'NoSuchFilter'", "expected a finite real, found string 'much'",
        "server.workers: needs a restart: expected the value that the service runs with, 0, found 7",
        "nothing was applied"})
    EXPECT_THAT(refused.err, HasSubstr(part));
  EXPECT_EQ(last_reload().at("outcome"), "refused");
  EXPECT_THAT(gantry.gantry({"status"}).err, HasSubstr("was refused"));
  EXPECT_THAT(json::write(gantry.ask({"report"}).at("configuration")),
              HasSubstr(R"("key":"scheduling.call_timeout","value":"10")"));
}

TEST_F(Reload, RefusesWhatIsNotTomlOrCannotBeReadAndAnUnknownKey) {
  serve("simple", "");
  auto refused = reload_with("simple", "[log\n");
  EXPECT_EQ(refused.exit_status, 78);
  EXPECT_THAT(refused.err, HasSubstr("this is not TOML"));
  refused = reload_with("simple", "[scheduling]\ncall_timeuot = 5\n");
  EXPECT_EQ(refused.exit_status, 78);
  EXPECT_THAT(refused.err, HasSubstr("did you mean 'scheduling.call_timeout'?"));
  std::filesystem::remove(gantry.config_file());
  refused = gantry.gantry({"reload"});
  EXPECT_EQ(refused.exit_status, 78);
  EXPECT_THAT(refused.err, HasSubstr("found none of that name"));
}

TEST_F(Reload, NamesTheKeysThatNeedARestart) {
  serve("simple", "");
  gantry.configure("\"simple\"", "server.socket_mode = \"0600\"\n[driver.simple]\nrequired = false\n");
  const auto refused = gantry.gantry({"-o", "json", "reload"});
  EXPECT_EQ(refused.exit_status, 1);
  EXPECT_THAT(refused.err, HasSubstr(R"("needs_restart":["server.socket_mode","driver.simple.required"])"));
}

TEST_F(Reload, AHangUpDoesTheSameAndABrokenFileLeavesTheOldConfiguration) {
  serve("simple", "");
  gantry.configure("\"simple\"", "[log]\nlevel = \"debug\"\n");
  gantry.signal(SIGHUP);
  ASSERT_TRUE(log_comes_to_say("audit who=\"signal SIGHUP\" method=reload object=configuration"));
  EXPECT_EQ(last_reload().at("by"), "signal SIGHUP");
  gantry.configure("\"simple\"", "[log]\nlevel = \"loud\"\n");
  gantry.signal(SIGHUP);
  ASSERT_TRUE(log_comes_to_say("the configuration is not reloaded, the old one goes on"));
  EXPECT_EQ(gantry.ask({"log-level"}).at("level"), "debug");
  gantry.end_simulation();
  EXPECT_EQ(gantry.stop(), 0);
}

TEST_F(Reload, LeavesALevelThatWasSetByHandUnlessTheConfigurationsChanges) {
  serve("simple", "");
  EXPECT_EQ(gantry.gantry({"log-level", "debug"}).exit_status, 0);
  EXPECT_EQ(gantry.gantry({"reload"}).exit_status, 0);
  EXPECT_EQ(gantry.ask({"log-level"}).at("level"), "debug");
}

TEST_F(Reload, UnderLoadNoRequestFailsAndEachIsDecidedWithOneOfTheTwoPolicies) {
  const std::string before = "scheduling.cpu_allocation_ratio = 16.0\n[driver.filter]\nram_weight_multiplier = 1.0\n";
  const std::string after = "scheduling.cpu_allocation_ratio = 2.0\n[driver.filter]\nram_weight_multiplier = -1.0\n";
  serve("filter", before);
  std::atomic<bool> ends{false};
  std::atomic<int> made{0};
  std::vector<std::set<std::string>> seen(3);
  std::vector<std::thread> callers;
  for (auto& answers : seen) {
    callers.emplace_back([&] {
      client::client client(gantry.url());
      while (!ends) {
        answers.insert(decision_of(client));
        ++made;
      }
    });
  }
  client::client client(gantry.url());
  for (int flip = 0; flip < 50; ++flip) {
    gantry.configure("\"filter\"", flip % 2 == 0 ? after : before);
    const auto reply = client.call("reload", "{}");
    ASSERT_TRUE(reply) << reply.failure().message;
    EXPECT_EQ(decision_of(client), flip % 2 == 0 ? "small 8" : "big 64") << "flip " << flip;
  }
  ends = true;
  for (auto& caller : callers) caller.join();
  std::set<std::string> all;
  for (const auto& answers : seen) all.insert(answers.begin(), answers.end());
  EXPECT_THAT(all, ::testing::UnorderedElementsAre("small 8", "big 64"));
  EXPECT_GT(made, 50);
}

TEST_F(Reload, AKeptDecisionIsMadeAgainOnlyWithTheOptionsThatItWasMadeWith) {
  const std::string before = "[driver.filter]\nram_weight_multiplier = 1.0\n";
  serve("filter", before);
  ASSERT_EQ(gantry.gantry({"server", "create", "--flavor", "m1.tiny", "--no-wait", "first"}).exit_status, 0);
  const auto id = [&] { return std::to_string(gantry.list({"decision", "list"}).at(0).at("id").as_int64()); };
  const auto first = id();
  EXPECT_EQ(gantry.gantry({"why-not", first, "small"}).exit_status, 0);
  ASSERT_EQ(reload_with("filter", "[driver.filter]\nram_weight_multiplier = -1.0\n").exit_status, 0);
  const auto refused = gantry.gantry({"why-not", first, "small"});
  EXPECT_EQ(refused.exit_status, 1);
  EXPECT_THAT(refused.err, HasSubstr("the options of driver filter have changed since"));
  ASSERT_EQ(gantry.gantry({"server", "create", "--flavor", "m1.tiny", "--no-wait", "second"}).exit_status, 0);
  EXPECT_EQ(gantry.gantry({"why-not", id(), "big"}).exit_status, 0);
  ASSERT_EQ(reload_with("filter", before).exit_status, 0);
  EXPECT_EQ(gantry.gantry({"why-not", first, "small"}).exit_status, 0);
}

constexpr auto option_pace = "[options.pace]\\ntype = 'integer'\\ndefault = 0\\nhelp = 'pace'\\n";

class ReloadOfASiteDriver : public Reload {
 protected:
  void serve_site(SiteDriver driver) {
    driver.manifest += option_pace;
    build(driver, gantry);
    serve(driver.id, "");
  }
  Ran reload_with_pace(int pace) {
    return reload_with("first", "[driver.first]\npace = " + std::to_string(pace) + "\n");
  }
};

TEST_F(ReloadOfASiteDriver, ARefusedOptionKeepsTheOldInstance) {
  serve_site({.create = "if (options->options[0].integer == 7) { gantry_string why = {\"no pace of 7\", 12}; "
                        "return given->fail(call, GANTRY_INVALID_ARGUMENT, why); }"});
  const auto refused = reload_with_pace(7);
  EXPECT_EQ(refused.exit_status, 78);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("creating driver 'first' with its new options"), HasSubstr("no pace of 7")));
  EXPECT_EQ(gantry.gantry({"select", "--flavor", "m1.tiny"}).exit_status, 0);
  EXPECT_EQ(reload_with_pace(8).exit_status, 0);
}

TEST_F(ReloadOfASiteDriver, ACreateThatHangsHoldsUpNeitherRequestsNorTheEnd) {
  serve_site({.create = "if (options->options[0].integer == 7) for (;;) sleep(1);"});
  gantry.configure("\"first\"", "[driver.first]\npace = 7\n");
  gantry.signal(SIGHUP);
  ASSERT_TRUE(log_comes_to_say("The driver is being loaded"));
  EXPECT_EQ(gantry.gantry({"select", "--flavor", "m1.tiny"}).exit_status, 0);
  EXPECT_TRUE(gantry.is_running());
}

TEST_F(ReloadOfASiteDriver, TheOldInstanceIsDestroyedAfterItsLastCallAndNewCallsDoNotWaitForIt) {
  const auto may_end = gantry.directory() / "may_end";
  serve_site(
      {.top = "static volatile int slow = 1;",
       .destroy = "gantry_string line = {\"one is destroyed\", 16}; host->log(host, NULL, GANTRY_LOG_WARNING, line);",
       .begin = "if (slow) { slow = 0; while (access(\"" + may_end.string() + "\", F_OK) != 0) usleep(2000); }"});
  std::thread slow([&] { EXPECT_EQ(gantry.gantry({"select", "--flavor", "m1.tiny"}).exit_status, 0); });
  ASSERT_TRUE(
      eventually([&] { return json::write(gantry.ask({"stats"})).find("\"calls_inside\":1") != std::string::npos; }));
  EXPECT_EQ(reload_with_pace(1).exit_status, 0);
  EXPECT_EQ(gantry.gantry({"select", "--flavor", "m1.tiny"}).exit_status, 0);
  EXPECT_THAT(gantry.log(), Not(HasSubstr("one is destroyed")));
  std::ofstream(may_end).flush();
  slow.join();
  EXPECT_TRUE(log_comes_to_say("one is destroyed"));
}

}  // namespace
}  // namespace gantry::test
