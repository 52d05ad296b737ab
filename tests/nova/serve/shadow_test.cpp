// SPDX-License-Identifier: Apache-2.0
//
// Gantry in shadow mode. Another Gantry is the scheduler, or the test is: it gives a request's instance an allocation.
#include <algorithm>
#include <filesystem>

#include "tests/nova/serve/served_nova.hpp"

namespace gantry::nova {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct ShadowedNova : ServedNova {
  void shadow(const std::string& more = {}) { serve("mode = \"shadow\"\n" + more); }

  // A request that gets no answer, and leaves the queue of the schedulers soon.
  static void ask_scheduler(const std::string& uuid, const json::object& changes = {}) {
    ask_scheduler(std::vector{uuid}, changes);
  }
  static void ask_scheduler(const std::vector<std::string>& uuids, const json::object& changes = {}) {
    auto request = request_for(uuids, changes);
    request["timeout"] = 2;
    request["monitor"] = nullptr;
    static_cast<void>(call(std::move(request)));
  }
  std::int64_t count(const char* agreement) {
    return answer("status").at("nova").at("shadow").at(agreement).to_number<std::int64_t>();
  }
  void await_count(const char* agreement, std::int64_t number = 1) {
    EXPECT_TRUE(test::eventually([&] { return count(agreement) == number; }, std::chrono::seconds(60)))
        << json::write(answer("status").at("nova")) << gantry.log();
  }
  // The latest difference.
  json::object difference() { return answer("status").at("nova").at("shadow").at("differences").at(0).as_object(); }
};

struct IsShadowed : ShadowedNova, ::testing::WithParamInterface<bool> {
  void SetUp() override {
    mirrors_ = GetParam();
    ServedNova::SetUp();
  }
};

struct IsShadowedWithTheMirror : ShadowedNova {
  void SetUp() override {
    mirrors_ = true;
    ServedNova::SetUp();
  }
};

TEST_P(IsShadowed, AgreesWithASchedulerThatChoosesAlikeAndClaimsNothing) {
  shadow();
  const auto uuid = next_uuid();
  auto asked = std::async(std::launch::async, [&] { ask_scheduler(uuid); });
  EXPECT_TRUE(test::eventually([this] { return answer("status").at("nova").at("shadow").at("watched") == 1; }));
  EXPECT_THAT(held(uuid), IsEmpty());
  occupy("h1", 1, uuid);
  await_count("agreed");
  asked.get();
  EXPECT_EQ(answer("status").at("nova").at("mode"), "shadow");
  EXPECT_THAT(gantry.gantry({"nova", "why", uuid}).out, HasSubstr("h1"));
  EXPECT_EQ(count("differed"), 0);
}

TEST_P(IsShadowed, KeepsADifferenceWithItsFactsForWhatif) {
  shadow();
  const auto uuid = next_uuid();
  occupy("h3", 8);
  auto asked = std::async(std::launch::async, [&] { ask_scheduler(uuid); });
  EXPECT_TRUE(test::eventually([this] { return answer("status").at("nova").at("shadow").at("watched") == 1; }));
  occupy("h2", 1, uuid);
  await_count("differed");
  asked.get();
  const auto kept = difference();
  EXPECT_EQ(kept.at("nova"), "h2");
  EXPECT_EQ(kept.at("gantry"), "h1");
  EXPECT_EQ(kept.at("cause"), "weight");
  const std::string fleet(kept.at("file").as_string());
  ASSERT_TRUE(std::filesystem::exists(fleet)) << gantry.log();
  auto request = fleet;
  request.replace(request.find(".fleet.json"), std::string::npos, ".request.json");
  const auto replayed =
      gantry.gantry({"whatif", "--config", gantry.config_file(), "--fleet", fleet, "--request", request});
  EXPECT_EQ(replayed.exit_status, 0) << replayed.err;
  EXPECT_THAT(replayed.out, HasSubstr("h1"));
  EXPECT_THAT(replayed.out, ::testing::Not(HasSubstr("h3"))) << "placement has no candidate there";
  EXPECT_THAT(gantry.gantry({"nova", "status"}).out, HasSubstr("weight"));
}

TEST_P(IsShadowed, AgreesLaterIfFactsChangeBeforeTheSchedulerChooses) {
  shadow();
  const auto uuid = next_uuid();
  auto asked = std::async(std::launch::async, [&] { ask_scheduler(uuid); });
  EXPECT_TRUE(test::eventually([this] { return answer("status").at("nova").at("shadow").at("watched") == 1; }));
  occupy("h1", 8);
  std::this_thread::sleep_for(std::chrono::seconds(3));  // the scheduler takes its time
  occupy("h2", 1, uuid);
  await_count("agreed_later");
  asked.get();
}

// Without the mirror, placement alone knows.
TEST_F(IsShadowedWithTheMirror, KnowsThatInstancesOfOneRequestDoNotFitTogether) {
  shadow();
  const std::vector uuids{next_uuid(), next_uuid()};
  auto asked = std::async(std::launch::async, [&] { ask_scheduler(uuids, {{"flavor", flavor(5)}}); });
  EXPECT_TRUE(test::eventually([this] { return answer("status").at("nova").at("shadow").at("watched") == 1; }));
  occupy("h1", 5, uuids[0]);
  occupy("h2", 5, uuids[1]);
  await_count("agreed");
  asked.get();
}

// A deletion leaves no trace in placement's table of providers.
TEST_F(IsShadowedWithTheMirror, KnowsRoomThatADeletionHasFreed) {
  const std::vector holders{next_uuid(), next_uuid(), next_uuid()};
  for (int i = 0; i < 3; ++i) occupy("h" + std::to_string(i + 1), 8, holders[i]);
  shadow();
  EXPECT_EQ(ask_placement("DELETE", "/allocations/" + holders[2]).status, 204U);
  const auto uuid = next_uuid();
  auto asked = std::async(std::launch::async, [&] { ask_scheduler(uuid); });
  EXPECT_TRUE(test::eventually([this] { return answer("status").at("nova").at("shadow").at("watched") == 1; }));
  occupy("h3", 1, uuid);
  await_count("agreed");
  asked.get();
}

TEST_P(IsShadowed, TellsWhereTheSchedulerRefused) {
  shadow();
  const auto placed = next_uuid();
  const auto refused = next_uuid();
  for (const auto& uuid : {placed, refused})
    in_api("INSERT INTO instance_mappings (instance_uuid, cell_id, project_id) VALUES ('" + uuid + "', 1, 'p1')");
  ask_scheduler(placed);
  await_count("differed");
  EXPECT_EQ(difference().at("cause"), "refused by nova-scheduler");
  ask_scheduler(refused, {{"flavor", flavor(9)}});
  await_count("agreed");
}

TEST_P(IsShadowed, ChangesNothingInNova) {
  shadow();
  auto connection = Connection::open(*parse_database_url(MariaDb::server().url("nova_cell1")), {});
  std::int64_t rows = -1;
  EXPECT_TRUE(connection->query("SELECT COUNT(*) FROM services WHERE `binary` = 'nova-scheduler'",
                                [&rows](Row row) { rows = std::get<std::int64_t>(row[0]); }));
  EXPECT_EQ(rows, 0);
  EXPECT_FALSE(std::filesystem::exists(gantry.directory() / "requests.journal"));
}

INSTANTIATE_TEST_SUITE_P(Asked, IsShadowed, ::testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Mirrored, IsShadowed, ::testing::Values(true));

struct WatchesAnother : ServedNova {};

TEST_F(WatchesAnother, SchedulerUnderLoadAndAgreesWithEachRequest) {
  mirrors_ = true;
  test::RunningGantry watching;
  configure(watching, "mode = \"shadow\"\n", "filter");
  watching.start();
  serve();
  const auto counts = [&watching] {
    const auto reply = client::client(watching.url()).call("status", "{}");
    return json::parse_object(reply.json())->at("nova").at("shadow").as_object();
  };
  constexpr std::int64_t requests = 20;
  std::vector<std::string> hosts;
  for (std::int64_t i = 0; i < requests; ++i) {
    const auto uuid = next_uuid();
    hosts = hosts_of(select({uuid}));
    ASSERT_THAT(hosts, ElementsAre(HasSubstr("h")));
  }
  const auto sum = [&counts] {
    const auto now = counts();
    std::int64_t all = 0;
    for (const auto* name : {"agreed", "agreed_later", "equal_weight"}) all += now.at(name).to_number<std::int64_t>();
    return all;
  };
  EXPECT_TRUE(test::eventually([&] { return sum() == requests; }, std::chrono::seconds(60)))
      << json::write(counts()) << watching.log();
  watching.kill();
}

}  // namespace
}  // namespace gantry::nova
