// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <unistd.h>

#include <csignal>

#include "tests/cli/fake_daemon.hpp"

namespace gantry::cli::test {
namespace {

using testing::HasSubstr;

constexpr auto updated =
    R"({"events":[{"id":"r-1","at":"2026-11-21T09:00:00.000000Z","type":"instance.updated","topic":"compute","host":"h1",)"
    R"("instance":"u","name":"web","changes":{"vm_state":{"before":"building","after":"active"}}}],)"
    R"("cursor":"r-1","missed":0,"restarted":false})";
constexpr auto nothing = R"({"events":[],"cursor":"r-1","missed":0,"restarted":false})";

TEST(EventsCommand, ShowsEachKeptEventOnALine) {
  FakeDaemon daemon;
  daemon.on("events", updated);
  EXPECT_EQ(run(daemon, {"events"}).out,
            "2026-11-21T09:00:00.000000Z  instance.updated    web (u) on h1: vm_state building -> active\n");
  EXPECT_EQ(json::find_string(daemon.asked("events").front().args, "after"), "first");
  const Ran values = run(daemon, {"-o", "value", "events", "--type", "instance", "--type", "service.down"});
  EXPECT_THAT(values.out, HasSubstr("Z\tinstance.updated\tweb (u) on h1"));
  EXPECT_EQ(json::write(*json::find(daemon.asked("events").back().args, "types")), R"(["instance","service.down"])");
  EXPECT_THAT(run(daemon, {"-o", "json", "events"}).out, testing::StartsWith(R"({"id":"r-1","at":)"));
}

TEST(EventsCommand, SaysWhichEventsAreNoLongerKept) {
  FakeDaemon daemon;
  daemon.on("events", R"({"events":[],"cursor":"r-9","missed":7,"restarted":false})");
  const Ran ran = run(daemon, {"events"});
  EXPECT_THAT(ran.err, HasSubstr("7 events are not kept any more"));
  EXPECT_EQ(run(daemon, {"-o", "json", "events"}).out, "{\"type\":\"gap\",\"restarted\":false,\"missed\":7}\n");
}

TEST(EventsCommand, FollowsPastARestartOfTheDaemonAndEndsWithASignal) {
  FakeDaemon daemon;
  int turn = 0;
  daemon.on("events", [&turn](const json::object&) -> Result<json::value> {
    switch (++turn) {
      case 1: return json::parse(nothing);
      case 2: return json::parse(updated);
      case 3: return Error{ErrorCode::unavailable, "no daemon answers", ""};
      case 4: return json::parse(R"({"events":[],"cursor":"s-0","missed":0,"restarted":true})");
      case 5: ::kill(::getpid(), SIGINT); return json::parse(nothing);
      default: return json::parse(nothing);  // asked once more before the signal has been seen
    }
  });
  const Ran ran = run(daemon, {"events", "--follow"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("building -> active"));
  EXPECT_THAT(ran.err,
              testing::AllOf(HasSubstr("does not answer"), HasSubstr("answers again"), HasSubstr("begun anew")));
  const auto asked = daemon.asked("events");
  EXPECT_FALSE(asked[0].args.contains("after"));
  EXPECT_EQ(json::find_string(asked[3].args, "after"), "r-1");
  EXPECT_EQ(json::find_string(asked[4].args, "after"), "s-0");
}

TEST(EventsCommand, DoesNotWaitForADaemonThatWasNeverThere) {
  FakeDaemon daemon;
  daemon.on("events", [](const json::object&) -> Result<json::value> {
    return Error{ErrorCode::unavailable, "no daemon answers", ""};
  });
  EXPECT_EQ(run(daemon, {"--url", "http://h:1", "events", "--follow"}).code, 69);
}

}  // namespace
}  // namespace gantry::cli::test
