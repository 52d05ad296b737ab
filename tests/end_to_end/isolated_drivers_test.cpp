// SPDX-License-Identifier: Apache-2.0
//
// A driver in a process of its own that crashes, hangs or sends garbage: its callers are told, it is started again, and the
// topic beside it is served as before.
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

class IsolatedDriver : public RiskyDriver {};

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

TEST_F(IsolatedDriver, ClaimsAResourceWithAShortName) {
  serve();
  EXPECT_THAT(select(claim_little), HasSubstr("h1"));
}

TEST_F(IsolatedDriver, SaysOfItsCrashWhatIsKnown) {
  serve();
  EXPECT_THAT(select(fault, {"--request-id", "req-6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a01"}),
              HasSubstr("ended by signal 11 (SIGSEGV)"));
  const std::string known =
      "SIGSEGV in driver 'risky', operation select_destinations, request req-6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a01, at "
      "address 0x8";
  EXPECT_EQ(driver().at("process").at("last_crash"), json::value(known));
  EXPECT_THAT(gantry.log(), HasSubstr("crash=\"" + known + "\""));
}

TEST_F(IsolatedDriver, IsCreatedAnewByAReloadOnceAFileOfItsOptionsHasChanged) {
  const auto own = (gantry.directory() / "table").string();
  std::ofstream(own) << "racks";
  serve("table = \"" + own + "\"\n");
  const auto before = process();
  EXPECT_THAT(gantry.gantry({"reload"}).err, HasSubstr("the configuration is as it was"));
  EXPECT_EQ(process(), before);
  std::ofstream(own) << "racks and rows";
  EXPECT_EQ(driver().at("on_disk"), "changed");
  const auto reloaded = gantry.gantry({"reload"});
  EXPECT_THAT(reloaded.out, HasSubstr("driver.risky, file " + own + ": has changed"));
  EXPECT_THAT(reloaded.err, HasSubstr("applied"));
  EXPECT_NE(process(), before);
  EXPECT_EQ(driver().at("on_disk"), "same");
}

TEST_F(IsolatedDriver, WhoseFileHasChangedIsNamedByAReload) {
  serve();
  build({.id = "risky",
         .threads = "serial",
         .manifest = "[options.table]\\ntype = 'string'\\ndefault = ''\\nhelp = 'f'\\n"},
        gantry);
  const auto reloaded = gantry.gantry({"reload"});
  EXPECT_THAT(reloaded.err, AllOf(HasSubstr("the file of driver 'risky' has changed"), HasSubstr("risky.so"),
                                  HasSubstr("gantry restart --wait loads the new one")));
  EXPECT_EQ(reloaded.exit_status, 0);
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

TEST_F(IsolatedDriver, HasAFallbackForTheVeryCallInWhichItsProcessEndsOrHangs) {
  serve("fallback = \"chance\"\n");
  for (const auto wish : {crash, hang}) {
    EXPECT_THAT(select(wish, {"--explain"}), AllOf(HasSubstr("h1"), HasSubstr("in the place of risky")));
    expect_healthy();
  }
  EXPECT_THAT(gantry.log(), AllOf(ContainsRegex("fallback_reason=.*SIGSEGV"),
                                  ContainsRegex("fallback_reason=.*had not returned by its deadline")));
  EXPECT_EQ(driver().at("process").at("ends").as_int64(), 2);
}

TEST_F(IsolatedDriver, HasNoFallbackThatCouldNotStandIn) {
  build({.id = "risky"}, gantry);
  const auto refusal = [this](const std::string& keys) {
    gantry.configure("\"risky\"", "[driver.risky]\n" + keys);
    return gantry.start_refused().err;
  };
  EXPECT_THAT(refusal("isolation = \"process\"\nfallback = \"volume\"\n"),
              HasSubstr("expected a driver for topic 'compute', found 'volume'"));
  EXPECT_THAT(refusal("isolation = \"process\"\nfallback = \"risky\"\n"),
              HasSubstr("expected another driver, found 'risky' itself"));
  EXPECT_THAT(refusal("isolation = \"thread\"\n"), HasSubstr("\"none\", \"process\" or \"debug\""));
}

TEST_F(IsolatedDriver, ThatCannotBeCreatedKeepsTheServiceFromStarting) {
  build({.id = "risky", .create = "abort();"}, gantry);
  gantry.configure("\"risky\"", "[driver.risky]\nisolation = \"process\"\n");
  EXPECT_THAT(gantry.start_refused().err, AllOf(HasSubstr("risky.so"), HasSubstr("ended by signal 6 (SIGABRT)")));
}

}  // namespace
}  // namespace gantry::test
