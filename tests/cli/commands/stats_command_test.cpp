// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "core/cli/commands/stats_text.hpp"
#include "tests/cli/fake_daemon.hpp"

namespace gantry::cli::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr auto answer =
    R"({"since":"2026-11-21T09:00:00Z","now":"2026-11-21T10:00:00Z","decisions":{"placed":3,"no_valid_host":2,"failed":0},)"
    R"("drivers":[{"driver":"filter","decisions":{"placed":3,"no_valid_host":2,"failed":0},"claims_lost":1,"overruns":0,)"
    R"("misuses":0,"decision":{"count":5,"last":73.4,"mean":80.0,"max":1500.0,"p50":75.0,"p99":2500000.0},)"
    R"("inside":{"count":5,"last":1.0,"mean":1.0,"max":1.0,"p50":1.0,"p99":1.0},)"
    R"("refusals":[{"step":"RamFilter","count":2}],"rejected_hosts":[{"step":"CoreFilter","count":9},)"
    R"({"step":"RamFilter","count":4}]}],)"
    R"("methods":[{"method":"status","calls":4,"errors":{},"times":{"count":4,"last":5,"mean":5,"max":5,"p50":5,"p99":5}}],)"
    R"("store":{"commits":1,"waiting":6},"casts":{"waiting":2,"oldest_age":30},"claims":7,"calls_under_way":1,)"
    R"("hosts":{"up":9,"down":1,"disabled":0,"forced_down":0},"unready_reasons":[],"warnings":["a warning"],)"
    R"("busiest":[{"host":"n1","node":"","vcpus":0.5,"memory":0.25,"disk":0,"instances":3}]})";

TEST(StatsCommand, ShowsTimesAsPeopleReadThem) {
  EXPECT_EQ(time_text(nullptr), "-");
  const json::value none = 0;
  EXPECT_EQ(time_text(&none), "-");
  for (const auto& [microseconds, text] :
       {std::pair{7.25, "7.2 us"}, std::pair{73.4, "73 us"}, std::pair{1500.0, "1.5 ms"}, std::pair{2500000.0, "2.5 s"},
        std::pair{12000000.0, "12 s"}}) {
    const json::value value = microseconds;
    EXPECT_EQ(time_text(&value), text);
  }
}

TEST(StatsCommand, ShowsDriversStepsPartsMethodsAndWhatWaits) {
  FakeDaemon daemon;
  daemon.on("stats", answer);
  const Ran ran = run(daemon, {"stats"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("5 decisions: 3 placed, 2 without a host, 0 failed\n"));
  EXPECT_THAT(ran.out, testing::ContainsRegex("filter +3 +2 +0 +73 us +80 us +1.5 ms +75 us +2.5 s +1 +0 +0"));
  EXPECT_THAT(ran.out, testing::ContainsRegex("filter +RamFilter +2 +4\nfilter +CoreFilter +0 +9"));
  EXPECT_THAT(ran.out, testing::ContainsRegex("inside driver filter +5"));
  EXPECT_THAT(ran.out, testing::ContainsRegex("status +4 +-"));
  EXPECT_THAT(
      ran.out,
      HasSubstr("1 calls under way, 6 changes wait for the store, 2 casts wait (the oldest for 30 s), 7 claims"));
}

TEST(StatsCommand, AsksForAResetOnlyWhenItIsTold) {
  FakeDaemon daemon;
  daemon.on("stats", answer);
  run(daemon, {"stats"});
  EXPECT_FALSE(daemon.asked("stats").back().args.contains("reset"));
  const Ran ran = run(daemon, {"stats", "--reset"});
  EXPECT_TRUE(daemon.asked("stats").back().args.at("reset").as_bool());
  EXPECT_THAT(ran.err, HasSubstr("counted anew"));
}

TEST(StatsCommand, PrintsTheCallsByMethodAsValues) {
  FakeDaemon daemon;
  daemon.on("stats", answer);
  EXPECT_EQ(run(daemon, {"-o", "value", "stats"}).out, "status\t4\t-\t5.0 us\t5.0 us\t5.0 us\t5.0 us\t5.0 us\n");
}

TEST(TopCommand, GivesOneLookWithoutATerminal) {
  FakeDaemon daemon;
  daemon.on("stats", answer);
  const Ran ran = run(daemon, {"top", "--hosts", "3"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(daemon.asked("stats").back().args.at("busiest").to_number<int>(), 3);
  EXPECT_THAT(ran.out, HasSubstr("  ready  since 2026-11-21T09:00:00Z\n"));
  EXPECT_THAT(ran.out, HasSubstr("hosts of topic compute: 9 up, 1 down, 0 disabled, 0 forced down\n"));
  EXPECT_THAT(ran.out, HasSubstr("warning: a warning\n"));
  EXPECT_THAT(ran.out, testing::ContainsRegex("n1 +- +50 +25 +0 +3"));
  EXPECT_THAT(ran.out, Not(HasSubstr("\x1b")));
}

TEST(LogLevelCommand, ShowsTheLevelOrSetsIt) {
  FakeDaemon daemon;
  daemon.on("log_level", R"({"level":"info"})");
  daemon.on("set_log_level", R"({"level":"debug"})");
  EXPECT_THAT(run(daemon, {"log-level"}).out, HasSubstr("info"));
  EXPECT_EQ(run(daemon, {"log-level", "debug"}).out, "the log has lines of debug and above now\n");
  EXPECT_EQ(daemon.asked("set_log_level").back().args.at("level").as_string(), "debug");
}

}  // namespace
}  // namespace gantry::cli::test
