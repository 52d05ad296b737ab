// SPDX-License-Identifier: Apache-2.0
//
// Parts that are away for a while, and a scheduler that is killed in the middle of a request.
#include <csignal>

#include "core/nova/rpc/journal.hpp"
#include "tests/nova/serve/served_nova.hpp"

namespace gantry::nova {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class ServesThroughLosses : public ServedNova {
 protected:
  static constexpr seconds patience{10};

  void TearDown() override {
    if (!IsSkipped()) placement().go_on();
    ServedNova::TearDown();
  }
  static testing::PlacementProcess& placement() { return RealParts::all().placement; }
  static Heard heard_by(std::future<Heard>& call) {
    if (call.wait_for(seconds(240)) == std::future_status::ready) return call.get();
    ADD_FAILURE() << "the conductor heard nothing";
    return {{"result", json::array()}};
  }
  // A request whose caller gives up if it hears nothing for `patience`: long enough for a machine that is busy.
  static json::object request_with_patience() {
    auto request = request_for({next_uuid()});
    request["monitor"] = patience.count();
    return request;
  }
  static bool is_waiting(const std::future<Heard>& call, seconds time) {
    return call.wait_for(time) == std::future_status::timeout;
  }
  // A call that holds a claim of which Gantry does not know, since it was killed before placement's answer.
  std::future<Heard> killed_at_the_claim(const std::string& uuid) {
    select({next_uuid()});
    placement().pause();
    auto call = begin(request_for({uuid}));
    await_journal("\"claimed\"");
    EXPECT_TRUE(test::eventually([] { return placement().has_unread_request(); })) << "the claim is on its way";
    gantry.kill();
    placement().go_on();
    EXPECT_TRUE(test::eventually([&] { return held(uuid).size() == 1; })) << "placement has done what was asked";
    return call;
  }
};

TEST_F(ServesThroughLosses, AnswersWhatAKilledProcessHadTaken) {
  serve();
  const auto uuid = next_uuid();
  placement().pause();
  auto call = begin(request_for({uuid}));
  await_journal("\"acked\"");
  gantry.kill();
  placement().go_on();
  serve_again();
  EXPECT_THAT(hosts_of(heard_by(call)), ElementsAre("h1"));
  EXPECT_THAT(held(uuid), SizeIs(1));
}

TEST_F(ServesThroughLosses, AnswersWhatAKilledProcessHadClaimed) {
  serve("candidates_reuse = 50\n");
  const auto uuid = next_uuid();
  auto call = killed_at_the_claim(uuid);
  serve_again();
  EXPECT_THAT(hosts_of(heard_by(call)), ElementsAre("h1"));
  EXPECT_THAT(held(uuid), SizeIs(1));
  EXPECT_EQ(held(uuid).at("h1").at("VCPU"), 1);
}

TEST_F(ServesThroughLosses, AnswersARequestThatTwoKilledProcessesWereClaiming) {
  serve("candidates_reuse = 50\n");
  const auto uuid = next_uuid();
  auto call = killed_at_the_claim(uuid);
  placement().stop();
  gantry.launch();
  await_journal("\"taken_up\"");
  gantry.kill();
  ASSERT_TRUE(placement().start());
  serve_again();
  EXPECT_THAT(hosts_of(heard_by(call)), ElementsAre("h1"));
  EXPECT_THAT(held(uuid), SizeIs(1));
}

// The answer was written down, and its caller may have heard it before the process ended.
TEST_F(ServesThroughLosses, GivesBackOnlyWhatNoInstanceUses) {
  const auto used = next_uuid();
  const auto unused = next_uuid();
  in_cell(
      "INSERT INTO instances SET created_at = UTC_TIMESTAMP(), updated_at = UTC_TIMESTAMP(), deleted = 0, uuid = '" +
      used + "', host = 'h1'");
  const auto claim = R"({"allocations":{")" + uuid_of_host("h1") + R"(":{"resources":{"VCPU":1}}}})";
  {
    const auto journal = *Journal::open((gantry.directory() / "requests.journal").string(), telemetry::Logger::none());
    for (const auto& uuid : {used, unused}) {
      occupy("h1", 1, uuid);
      JournalEntry entry;
      entry.caller = {uuid, "reply_of_nobody", uuid, std::chrono::milliseconds(0), false};
      entry.reply_id = uuid;
      entry.request.emplace();
      entry.heard_at = 1;
      const auto number = journal->take(entry);
      journal->ack(number);
      journal->claim(number, json::write(json::object{{"consumer", uuid}, {"allocation_request", claim}}));
      journal->answer(number, "{}");
    }
  }
  serve();
  EXPECT_TRUE(test::eventually([&] { return held(unused).empty(); }));
  EXPECT_THAT(held(used), SizeIs(1));
  EXPECT_THAT(gantry.log(), HasSubstr("a claim stays: its instance is on a host"));
}

TEST_F(ServesThroughLosses, WaitsForADatabaseThatIsAwayAndIsHeardMeanwhile) {
  serve("wait_for_facts = 120\n");
  MariaDb::server().stop();
  auto call = begin(request_with_patience());
  const bool waits = is_waiting(call, patience + seconds(3));
  MariaDb::server().start();
  EXPECT_TRUE(waits);
  EXPECT_THAT(hosts_of(heard_by(call)), ElementsAre("h1"));
}

TEST_F(ServesThroughLosses, WaitsForPlacementThatIsAwayAndIsHeardMeanwhile) {
  serve("placement_patience = 120\n");
  placement().stop();
  auto call = begin(request_with_patience());
  const bool waits = is_waiting(call, patience + seconds(3));
  ASSERT_TRUE(placement().start());
  EXPECT_TRUE(waits);
  EXPECT_THAT(hosts_of(heard_by(call)), ElementsAre("h1"));
}

TEST_F(ServesThroughLosses, AnswersOverTheNextConnectionToTheBroker) {
  serve();
  const auto uuid = next_uuid();
  placement().pause();
  auto request = request_for({uuid});
  request["monitor"] = nullptr;  // the broker takes its time
  auto call = begin(request);
  await_journal("\"acked\"");
  RealParts::all().broker->kill();
  placement().go_on();
  RealParts::all().broker->start();
  EXPECT_THAT(hosts_of(heard_by(call)), ElementsAre("h1"));
  EXPECT_THAT(held(uuid), SizeIs(1));
  await_consumer();
  EXPECT_THAT(hosts_of(select({next_uuid()})), ElementsAre("h1"));
}

TEST_F(ServesThroughLosses, FinishesWhatItHasBeforeItEnds) {
  serve();
  const auto uuid = next_uuid();
  placement().pause();
  auto call = begin(request_for({uuid}));
  await_journal("\"acked\"");
  gantry.signal(SIGTERM);
  EXPECT_TRUE(is_waiting(call, seconds(1)));
  placement().go_on();
  EXPECT_THAT(hosts_of(heard_by(call)), ElementsAre("h1"));
  EXPECT_EQ(gantry.end(), 0);
  EXPECT_THAT(held(uuid), SizeIs(1));
}

}  // namespace
}  // namespace gantry::nova
