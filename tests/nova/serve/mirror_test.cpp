// SPDX-License-Identifier: Apache-2.0
//
// Candidates that are computed from placement's database.
#include "tests/nova/serve/served_nova.hpp"

namespace gantry::nova {
namespace {

using ::testing::HasSubstr;

class ComputesCandidates : public ServedNova {
 protected:
  void SetUp() override {
    ServedNova::SetUp();
    mirrors_ = true;
  }
  // Returns who has named the candidates of the last decision about an instance.
  std::string source_of(const std::string& uuid) {
    const auto record = answer("recent_decision", R"({"instance_uuid":")" + uuid + R"("})");
    return std::string(record.at("candidates").at("source").as_string());
  }
  std::string selected(const std::string& uuid) { return hosts_of(select({uuid})).at(0); }
  // Deletes allocations, which leaves no trace in placement's table of providers.
  static void free(const std::string& consumer) {
    EXPECT_EQ(ask_placement("DELETE", "/allocations/" + consumer).status, 204U);
  }
};

TEST_F(ComputesCandidates, FromFactsThatWereReadAfterTheRequestCame) {
  serve();
  const auto first = next_uuid();
  EXPECT_EQ(selected(first), "h1");
  EXPECT_EQ(source_of(first), "mirror");
  occupy("h1", 7);
  const auto second = next_uuid();
  EXPECT_EQ(selected(second), "h2");
  EXPECT_EQ(source_of(second), "mirror");
  EXPECT_EQ(held(second).at("h2").at("VCPU"), 1);
  const auto status = answer("status").at("nova").at("mirror");
  EXPECT_EQ(status.at("providers"), 3);
  EXPECT_EQ(status.at("trouble"), "");
}

TEST_F(ComputesCandidates, AndRefusesOnPlacementsWordAlone) {
  serve();
  std::vector<std::string> consumers;
  for (const auto* host : {"h1", "h2", "h3"}) occupy(host, 8, consumers.emplace_back(next_uuid()));
  const auto refused = next_uuid();
  EXPECT_THAT(selected(refused), HasSubstr("NoValidHost"));
  EXPECT_EQ(source_of(refused), "placement");
  free(consumers[1]);
  const auto placed = next_uuid();
  EXPECT_EQ(selected(placed), "h2");
  EXPECT_EQ(source_of(placed), "placement");
}

TEST_F(ComputesCandidates, WithTheRoomOfAServerThatItsComputeHasDeleted) {
  serve();
  const auto consumer = next_uuid();
  occupy("h1", 8, consumer);
  EXPECT_EQ(selected(next_uuid()), "h2");
  free(consumer);
  begin({{"method", "delete_instance_info"},
         {"version", "4.2"},
         {"cast", true},
         {"args", {{"host_name", "h1"}, {"instance_uuid", consumer}}}})
      .get();
  EXPECT_TRUE(test::eventually([this] { return selected(next_uuid()) == "h1"; }));
}

TEST_F(ComputesCandidates, UnlessPlacementsDatabaseIsAway) {
  run_in("mysql", "CREATE OR REPLACE USER mirror IDENTIFIED BY 'hushed'");
  run_in("mysql", "GRANT SELECT ON placement.* TO mirror");
  mirrors_ = false;
  serve("placement_database_connection = '" + MariaDb::server().url("placement", "mirror", "hushed") + "'\n");
  const auto first = next_uuid();
  selected(first);
  EXPECT_EQ(source_of(first), "mirror");
  run_in("mysql", "DROP USER mirror");
  run_in("mysql", "KILL USER mirror");
  const auto second = next_uuid();
  EXPECT_EQ(selected(second), "h1");
  EXPECT_EQ(source_of(second), "placement");
  EXPECT_THAT(json::write(answer("status").at("warnings")), HasSubstr("placement is asked meanwhile"));
  run_in("mysql", "CREATE USER mirror IDENTIFIED BY 'hushed'");
  run_in("mysql", "GRANT SELECT ON placement.* TO mirror");
  EXPECT_TRUE(test::eventually([this] {
    const auto uuid = next_uuid();
    selected(uuid);
    return source_of(uuid) == "mirror";
  }));
}

TEST_F(ComputesCandidates, NotFromADatabaseThatLacksATable) {
  run_in("mysql", "CREATE OR REPLACE DATABASE hollow");
  mirrors_ = false;
  configure("placement_database_connection = '" + MariaDb::server().url("hollow", "nova", "hushed-database") + "'\n");
  const auto refused = gantry.start_refused();
  EXPECT_THAT(refused.err, HasSubstr("[placement_database] connection: database hollow at "));
  EXPECT_THAT(refused.err, HasSubstr("table resource_classes does not exist"));
  EXPECT_THAT(refused.err, ::testing::Not(HasSubstr("hushed")));
}

TEST_F(ComputesCandidates, AndComparesThemWithPlacements) {
  serve("mirror_audit = 1\n");
  // Answers can be compared where nothing is claimed meanwhile.
  const auto ask_in_vain = [this] { select({next_uuid()}, {{"ignore_hosts", json::array{"h1", "h2", "h3"}}}); };
  EXPECT_TRUE(test::eventually([&] {
    ask_in_vain();
    return json::write(answer("status").at("counters")).find(R"("nova_mirror_audits","label":"equal")") !=
           std::string::npos;
  }));
  const auto consumer = next_uuid();
  occupy("h1", 8, consumer);
  ask_in_vain();
  free(consumer);
  const auto is_down = [this] { return gantry.log().find("placement is asked from now on") != std::string::npos; };
  EXPECT_TRUE(test::eventually([&] {
    ask_in_vain();
    return is_down();
  }));
  EXPECT_THAT(gantry.log(), HasSubstr("in placement's answer alone"));
  EXPECT_THAT(gantry.log(), HasSubstr("provider=" + uuid_of_host("h1") + " rule=\"resources=VCPU%3A1\""));
  EXPECT_THAT(json::write(answer("status").at("warnings")), HasSubstr("3 answers differed within an hour"));
}

}  // namespace
}  // namespace gantry::nova
