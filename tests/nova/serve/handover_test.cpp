// SPDX-License-Identifier: Apache-2.0
//
// `gantry restart` of a Gantry in the place of nova-scheduler.
#include <filesystem>
#include <fstream>
#include <utility>

#include "tests/end_to_end/site_driver.hpp"
#include "tests/nova/serve/served_nova.hpp"

namespace gantry::nova {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class HandsTheBrokerOver : public ServedNova {
 protected:
  static std::vector<std::string> hosts_heard_by(std::future<Heard>& call) {
    if (call.wait_for(seconds(60)) == std::future_status::ready) return hosts_of(call.get());
    return {"the conductor heard nothing"};
  }
  void restart() {
    const auto ran = gantry.restart();
    EXPECT_EQ(ran.exit_status, 0) << ran.err << gantry.log();
  }
};

TEST_F(HandsTheBrokerOver, EachRequestIsAnsweredAndClaimedOnce) {
  serve();
  std::vector<std::pair<std::string, std::future<Heard>>> calls;
  const auto ask_one_more = [&calls] {
    auto uuid = next_uuid();
    auto call = begin(request_for({uuid}));
    calls.emplace_back(std::move(uuid), std::move(call));
  };
  for (int time = 0; time < 2; ++time) {
    const auto before = gantry.pid();
    auto restarted = std::async(std::launch::async, [this] { restart(); });
    while (restarted.wait_for(milliseconds(70)) == std::future_status::timeout)
      if (calls.size() < 20) ask_one_more();
    EXPECT_NE(gantry.pid(), before);
    ask_one_more();
  }
  for (auto& [uuid, call] : calls) {
    EXPECT_THAT(hosts_heard_by(call), ElementsAre(::testing::MatchesRegex("h[123]")));
    EXPECT_THAT(held(uuid), SizeIs(1));
  }
}

TEST_F(HandsTheBrokerOver, NotBeforeARequestUnderWayIsAnswered) {
  const auto hang_file = (gantry.directory() / "hang").string();
  test::build({.id = "slow", .begin = "while (access(\"" + hang_file + "\", F_OK) == 0) usleep(2000);"}, gantry);
  serve("", "slow");
  std::ofstream(hang_file) << "";
  const auto uuid = next_uuid();
  auto call = begin(request_for({uuid}));
  await_journal("\"acked\"");
  const auto before = gantry.pid();
  const auto refused = gantry.restart({"--restart-timeout", "2"});
  EXPECT_EQ(refused.exit_status, 1);
  EXPECT_THAT(refused.err, HasSubstr("requests of Nova are still under way"));
  EXPECT_EQ(gantry.pid(), before);
  std::filesystem::remove(hang_file);
  EXPECT_THAT(hosts_heard_by(call), ElementsAre(HasSubstr("h")));
  EXPECT_THAT(held(uuid), SizeIs(1));
  restart();
  EXPECT_THAT(hosts_of(select({next_uuid()})), ElementsAre(HasSubstr("h")));
}

TEST_F(HandsTheBrokerOver, AndTakesItBackFromAProcessThatFails) {
  serve();
  const auto before = gantry.pid();
  configure("journal = \"" + (gantry.directory() / "missing" / "journal").string() + "\"\n");
  const auto failed = gantry.restart();
  EXPECT_EQ(failed.exit_status, 1);
  EXPECT_THAT(failed.err, HasSubstr("journal"));
  EXPECT_EQ(gantry.pid(), before);
  EXPECT_THAT(hosts_of(select({next_uuid()})), ElementsAre("h1"));
}

TEST_F(HandsTheBrokerOver, WithThePauseThatAnOperatorHasBegun) {
  serve();
  gantry.gantry({"nova", "pause"});
  restart();
  auto call = begin(request_for({next_uuid()}));
  EXPECT_EQ(call.wait_for(seconds(1)), std::future_status::timeout);
  EXPECT_EQ(answer("status").at("nova").at("rpc").at("paused"), true);
  gantry.gantry({"nova", "resume"});
  EXPECT_THAT(hosts_heard_by(call), ElementsAre("h1"));
}

}  // namespace
}  // namespace gantry::nova
