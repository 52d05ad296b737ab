// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/api_reader.hpp"

#include "tests/nova/facts/server/deployment.hpp"

namespace gantry::nova {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;
using testing::SizeIs;

class ApiDatabase : public Deployment {
 protected:
  void SetUp() override {
    Deployment::SetUp();
    if (IsSkipped()) return;
    in_api(
        "INSERT INTO cell_mappings (uuid, name, database_connection, disabled) VALUES "
        "('00000000-0000-0000-0000-000000000000', 'cell0', 'mysql://u:p@h/nova_cell0', 0), "
        "('11111111-0000-4000-8000-000000000000', 'cell1', '{scheme}://{username}:{password}@{hostname}/nova_cell1', "
        "0), "
        "('22222222-0000-4000-8000-000000000000', 'cell2', 'mysql://u:p@h/nova_cell2', 1);\n"
        "INSERT INTO host_mappings (cell_id, host) VALUES (2, 'h1'), (2, 'h2');\n"
        "INSERT INTO aggregates (uuid, name, created_at) VALUES ('a1', 'fast', UTC_TIMESTAMP()), ('a2', 'slow', "
        "NULL);\n"
        "INSERT INTO aggregate_hosts (host, aggregate_id) VALUES ('h1', 1), ('h2', 1);\n"
        "INSERT INTO aggregate_metadata (`key`, value, aggregate_id) VALUES ('ssd', 'true', 1)");
  }
};

TEST_F(ApiDatabase, IsLoadedWithoutCell0) {
  const auto facts = load_api();
  EXPECT_TRUE(facts.has_cells);
  ASSERT_THAT(facts.cells, SizeIs(2));
  EXPECT_EQ(facts.cells[0].name, "cell1");
  EXPECT_FALSE(facts.cells[0].is_disabled);
  EXPECT_EQ(facts.cells[1].name, "cell2");
  EXPECT_TRUE(facts.cells[1].is_disabled);
  ASSERT_THAT(facts.host_mappings, SizeIs(2));
  EXPECT_EQ(facts.host_mappings[0].host, "h1");
  EXPECT_EQ(facts.host_mappings[0].cell_id, facts.cells[0].id);
  ASSERT_THAT(facts.aggregates, SizeIs(2));
  EXPECT_EQ(facts.aggregates[0].uuid, "a1");
  EXPECT_THAT(facts.aggregates[0].hosts, ElementsAre("h1", "h2"));
  EXPECT_THAT(facts.aggregates[0].metadata, ElementsAre(Pair("ssd", "true")));
  EXPECT_THAT(facts.aggregates[1].hosts, IsEmpty());
  EXPECT_TRUE(is_empty(refresh_api()));
  EXPECT_TRUE(is_empty(refresh_api(Depth::whole)));
}

TEST_F(ApiDatabase, GivesTheUrlOfACell) {
  const auto cells = load_api().cells;
  const auto url = url_of(cells[0], "mysql+pymysql://nova:sesame@db1/nova_cell0");
  ASSERT_TRUE(url);
  EXPECT_EQ(place_of(*url), "nova_cell1 at db1:3306");
  EXPECT_EQ(url->password, "sesame");
  const auto refused = url_of(cells[0], "mysql+pymysql://nova@db1/nova_cell0");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, AllOf(HasSubstr("cell 'cell1' (11111111-"), HasSubstr("{password}")));
}

TEST_F(ApiDatabase, ShowsHostsThatJoinAndLeaveAnAggregate) {
  load_api();
  in_api("INSERT INTO aggregate_hosts (host, aggregate_id) VALUES ('h3', 2)");
  auto facts = refresh_api();
  ASSERT_THAT(facts.aggregates, SizeIs(1));
  EXPECT_EQ(facts.aggregates[0].id, 2);
  EXPECT_THAT(facts.aggregates[0].hosts, ElementsAre("h3"));
  in_api("DELETE FROM aggregate_hosts WHERE host = 'h1'");
  facts = refresh_api();
  ASSERT_THAT(facts.aggregates, SizeIs(1));
  EXPECT_THAT(facts.aggregates[0].hosts, ElementsAre("h2"));
  in_api(
      "DELETE FROM aggregate_hosts WHERE host = 'h2';\n"
      "INSERT INTO aggregate_hosts (host, aggregate_id) VALUES ('h4', 1)");
  EXPECT_THAT(refresh_api().aggregates.at(0).hosts, ElementsAre("h4"));
  EXPECT_TRUE(is_empty(refresh_api()));
}

TEST_F(ApiDatabase, ShowsMetadataThatChangesTwiceWithinASecond) {
  load_api();
  for (const auto* value : {"no", "on", "maybe"}) {
    in_api("UPDATE aggregate_metadata SET updated_at = '2026-11-21 09:00:00', value = '" + std::string(value) + "'");
    EXPECT_THAT(refresh_api().aggregates.at(0).metadata, ElementsAre(Pair("ssd", value)));
  }
}

TEST_F(ApiDatabase, ShowsAggregatesThatAreNewRenamedAndDeleted) {
  load_api();
  in_api(
      "INSERT INTO aggregates (uuid, name) VALUES ('a3', 'new');\n"
      "UPDATE aggregates SET name = 'faster' WHERE id = 1;\nDELETE FROM aggregates WHERE id = 2");
  const auto facts = refresh_api();
  ASSERT_THAT(facts.aggregates, SizeIs(2));
  EXPECT_EQ(facts.aggregates[0].name, "faster");
  EXPECT_EQ(facts.aggregates[1].name, "new");
  EXPECT_THAT(facts.aggregates_gone, ElementsAre(2));
}

TEST_F(ApiDatabase, ShowsCellsAndHostMappingsInAWholeRefresh) {
  load_api();
  in_api(
      "UPDATE cell_mappings SET disabled = 0 WHERE name = 'cell2';\n"
      "UPDATE host_mappings SET cell_id = 3 WHERE host = 'h2';\nDELETE FROM host_mappings WHERE host = 'h1';\n"
      "INSERT INTO host_mappings (cell_id, host) VALUES (2, 'h3')");
  EXPECT_TRUE(is_empty(refresh_api()));
  const auto facts = refresh_api(Depth::whole);
  EXPECT_TRUE(facts.has_cells);
  EXPECT_FALSE(facts.cells.at(1).is_disabled);
  ASSERT_THAT(facts.host_mappings, SizeIs(2));
  EXPECT_EQ(facts.host_mappings[0].host, "h2");
  EXPECT_EQ(facts.host_mappings[0].cell_id, 3);
  EXPECT_EQ(facts.host_mappings[1].host, "h3");
  EXPECT_THAT(facts.host_mappings_gone, ElementsAre("h1"));
}

TEST_F(ApiDatabase, PassesOverARowThatDoesNotParseAndNamesItOnce) {
  in_api("ALTER TABLE aggregates MODIFY name VARBINARY(255);\nUPDATE aggregates SET name = x'ff' WHERE id = 1");
  const auto facts = load_api();
  ASSERT_THAT(facts.complaints, SizeIs(1));
  EXPECT_TRUE(facts.complaints[0].is_new);
  EXPECT_EQ(text_of(facts.complaints[0]),
            "aggregates id 1: column name: expected text in UTF-8, found other bytes; left out");
  EXPECT_THAT(facts.aggregates, SizeIs(1));
  EXPECT_FALSE(refresh_api(Depth::whole).complaints.at(0).is_new);
  in_api("UPDATE aggregates SET name = 'fast' WHERE id = 1");
  EXPECT_EQ(refresh_api().aggregates.at(0).name, "fast");
  in_api("UPDATE aggregates SET name = x'ff' WHERE id = 1");
  const auto again = refresh_api();
  EXPECT_TRUE(again.complaints.at(0).is_new);
  EXPECT_THAT(again.aggregates_gone, ElementsAre(1));
}

// A fleet's document refuses such a name.
TEST_F(ApiDatabase, PassesOverNamesWithControlCharacters) {
  in_api("UPDATE aggregates SET name = CONCAT('fa', CHAR(8), 'st') WHERE id = 1");
  const auto facts = load_api();
  EXPECT_THAT(facts.aggregates, SizeIs(1));
  ASSERT_THAT(facts.complaints, Not(IsEmpty()));
  EXPECT_EQ(text_of(facts.complaints[0]),
            "aggregates id 1: column name: expected text without control characters, found 0x08 at byte 2; left out");
}

TEST_F(ApiDatabase, IsRefreshedOverAnotherConnectionAfterTheServerStopped) {
  load_api();
  auto connection = open("nova_api");
  MariaDb::server().stop();
  const auto lost = api_.refresh(connection, Depth::changes);
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, ErrorCode::unavailable);
  EXPECT_FALSE(connection.is_open());
  MariaDb::server().start();
  in_api("DELETE FROM aggregates WHERE id = 2");
  EXPECT_THAT(refresh_api().aggregates_gone, ElementsAre(2));
}

}  // namespace
}  // namespace gantry::nova
