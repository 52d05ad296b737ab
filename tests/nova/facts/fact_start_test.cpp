// SPDX-License-Identifier: Apache-2.0
//
// The start of the keeper, the scheduler's own row and the discovery of hosts.
#include <filesystem>

#include "core/nova/facts/fact_keeper.hpp"
#include "tests/nova/facts/server/kept_facts.hpp"

namespace gantry::nova {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class StartOfFacts : public KeptFacts {
 protected:
  // Returns the values of a row, with blanks between. "-": no row.
  static std::string answer(const std::string& database, const std::string& sql) {
    auto connection = open(database);
    std::string text = "-";
    const auto done = connection.query(sql, [&text](Row row) {
      text.clear();
      for (const auto& value : row) {
        if (const auto* number = std::get_if<std::int64_t>(&value)) text += std::to_string(*number) + " ";
        if (const auto* words = std::get_if<std::string_view>(&value)) text += std::string(*words) + " ";
      }
    });
    EXPECT_TRUE(done);
    return text;
  }
  static std::string own_row() {
    return answer("nova_cell1",
                  "SELECT host, topic, version, disabled, deleted FROM services WHERE `binary` = 'nova-scheduler'");
  }
};

TEST_F(StartOfFacts, NamesAllThatLacksInTheCells) {
  in_cell("ALTER TABLE compute_nodes DROP COLUMN pci_stats");
  run_in("nova_cell2", "DROP TABLE instances");
  in_api("INSERT INTO cell_mappings (uuid, name, database_connection, disabled) VALUES ('" + uuid_of_cell(3) +
         "', 'cell3', 'postgresql://nova:sesame@db3/nova_cell3', 0)");
  EXPECT_THAT(failure_of_start(),
              AllOf(HasSubstr("nova_cell1 at "), HasSubstr("table compute_nodes has no column pci_stats"),
                    HasSubstr("nova_cell2 at "), HasSubstr("table instances does not exist"), HasSubstr("cell 'cell3'"),
                    HasSubstr("PostgreSQL"), Not(HasSubstr("sesame"))));
  EXPECT_EQ(own_row(), "-");
}

TEST_F(StartOfFacts, NamesWhatLacksInTheApiDatabase) {
  in_api("ALTER TABLE aggregate_metadata DROP COLUMN value;\nDROP TABLE host_mappings");
  EXPECT_THAT(failure_of_start(), AllOf(HasSubstr("aggregate_metadata has no column value"),
                                        HasSubstr("table host_mappings does not exist")));
}

TEST_F(StartOfFacts, NamesAnApiDatabaseThatIsAwayOrRefused) {
  settings_.api_database_connection = "mysql+pymysql://nova:sesame@localhost/nova_api?unix_socket=/nowhere/socket";
  EXPECT_THAT(failure_of_start(), AllOf(HasSubstr("[api_database]"), HasSubstr("nova_api"), Not(HasSubstr("sesame"))));
  settings_.api_database_connection = "postgresql://nova:sesame@db1/nova_api";
  EXPECT_THAT(failure_of_start(),
              AllOf(HasSubstr("[api_database]"), HasSubstr("PostgreSQL"), Not(HasSubstr("sesame"))));
  run_in("mysql", "CREATE OR REPLACE USER gantry@localhost IDENTIFIED BY 'sesame'");
  settings_.api_database_connection = MariaDb::server().url("nova_api", "gantry", "sesam");
  EXPECT_THAT(failure_of_start(), AllOf(HasSubstr("denied"), Not(HasSubstr("sesam"))));
}

TEST_F(StartOfFacts, NamesTheGrantThatTheOwnRowLacks) {
  run_in("mysql",
         "CREATE OR REPLACE USER gantry@localhost IDENTIFIED BY 'sesame';\n"
         "GRANT SELECT ON nova_cell1.* TO gantry@localhost;\n"
         "GRANT SELECT ON nova_cell2.* TO gantry@localhost");
  settings_.database_connection = MariaDb::server().url("nova_cell1", "gantry", "sesame");
  EXPECT_THAT(failure_of_start(), AllOf(HasSubstr("own row"), HasSubstr("GRANT SELECT, INSERT, UPDATE ON `nova_cell1`"),
                                        Not(HasSubstr("sesame"))));
}

TEST_F(StartOfFacts, RefusesComputesThatAreTooOld) {
  run_in("nova_cell2", "UPDATE services SET version = 60");
  EXPECT_THAT(failure_of_start(), AllOf(HasSubstr("expected service version 61"), HasSubstr("found 60")));
  EXPECT_EQ(own_row(), "-");
  settings_.disable_compute_service_check_for_ffu = true;
  EXPECT_EQ(failure_of_start(), "");
  EXPECT_THAT(keeper_->warnings(), ElementsAre(HasSubstr("found 60")));
}

TEST_F(StartOfFacts, RefusesComputesThatAreTooOldForTheReleaseThatItIsTold) {
  settings_.release = nova_release("hibiscus");
  EXPECT_THAT(failure_of_start(), AllOf(HasSubstr("expected service version 72"), HasSubstr("found 64"),
                                        HasSubstr("compatibility, which is hibiscus now")));
  run_in("nova_cell1", "UPDATE services SET version = 72");
  run_in("nova_cell2", "UPDATE services SET version = 72");
  start();
}

TEST_F(StartOfFacts, GoesOnWithoutDisabledCellsThatAreNotInOrder) {
  in_api("UPDATE cell_mappings SET disabled = 1 WHERE name = 'cell2'");
  run_in("nova_cell2", "DROP TABLE instances");
  in_api("INSERT INTO cell_mappings (uuid, name, database_connection, disabled) VALUES ('" + uuid_of_cell(3) +
         "', 'cell3', 'postgresql://nova:sesame@db3/nova_cell3', 1)");
  start();
  EXPECT_TRUE(has_row("h1"));
  EXPECT_FALSE(has_row("h2"));
  EXPECT_EQ(refresh(), "");
  EXPECT_THAT(keeper_->warnings(), IsEmpty());
  EXPECT_THAT(keeper_->unready_reasons(), IsEmpty());
  EXPECT_THAT(log_->lines("table instances does not exist"), SizeIs(1));
  EXPECT_THAT(log_->lines("a disabled cell cannot be read"), SizeIs(1));
}

TEST_F(StartOfFacts, GoesOnWithoutACellThatIsAway) {
  cut(2);
  start();
  EXPECT_TRUE(has_row("h1"));
  EXPECT_FALSE(has_row("h2"));
  EXPECT_THAT(keeper_->warnings(), ElementsAre(AllOf(HasSubstr("cell 'cell2'"), HasSubstr("away since"))));
  EXPECT_THAT(keeper_->unready_reasons(), IsEmpty());
  EXPECT_EQ(refresh(), "");
  mend(2);
  keeper_->reload();
  EXPECT_TRUE(comes_true([this] { return has_row("h2"); }));
  EXPECT_TRUE(comes_true([this] { return keeper_->warnings().empty(); }));
}

TEST_F(StartOfFacts, MakesItsOwnRowAndKeepsItAlive) {
  settings_.first_report = settings_.report_interval = 50ms;
  start();
  EXPECT_EQ(own_row(), "controller scheduler 64 0 0 ");
  const std::string reports =
      "SELECT COUNT(*) FROM services WHERE `binary` = 'nova-scheduler' AND report_count > 2 AND uuid IS NOT NULL AND "
      "last_seen_up > UTC_TIMESTAMP() - INTERVAL 1 MINUTE";
  EXPECT_TRUE(comes_true([&] { return answer("nova_cell1", reports) == "1 "; }));
  in_cell("UPDATE services SET deleted = id WHERE `binary` = 'nova-scheduler'");
  EXPECT_TRUE(comes_true([this] { return !log_->lines("of this scheduler in the table services is gone").empty(); }));
  keeper_.reset();
  EXPECT_THAT(log_->lines("table services is gone"), SizeIs(1));
}

TEST_F(StartOfFacts, TakesOverTheRowOfAnEarlierRun) {
  in_cell(
      "INSERT INTO services SET deleted = 0, host = 'controller', `binary` = 'nova-scheduler', topic = 'scheduler', "
      "report_count = 7, disabled = 0, forced_down = 0, version = 61");
  start();
  EXPECT_EQ(own_row(), "controller scheduler 64 0 0 ");
  EXPECT_EQ(answer("nova_cell1", "SELECT COUNT(*) FROM services WHERE `binary` = 'nova-scheduler'"), "1 ");
}

TEST_F(StartOfFacts, GivesItsRowTheVersionOfTheReleasesConductors) {
  for (const auto* version : {"68", "70"}) {
    in_cell(std::string("INSERT INTO services SET deleted = 0, host = 'c") + version +
            "', `binary` = 'nova-conductor', topic = 'conductor', report_count = 7, disabled = 0, forced_down = 0, "
            "version = " +
            version);
    keeper_.reset();
    start();
    EXPECT_EQ(own_row(), std::string("controller scheduler ") + version + " 0 0 ");
  }
}

TEST_F(StartOfFacts, DiscoversHosts) {
  settings_.discover_hosts_interval = 50ms;
  in_cell("UPDATE compute_nodes SET mapped = 0");
  in_api("INSERT INTO host_mappings (cell_id, host) VALUES (2, 'h2')");
  run_in("nova_cell2", "UPDATE compute_nodes SET mapped = 0");
  start();
  EXPECT_TRUE(comes_true([] {
    return answer("nova_api", "SELECT cell_id FROM host_mappings WHERE host = 'h1'") == "2 " &&
           answer("nova_cell1", "SELECT mapped FROM compute_nodes") == "1 ";
  }));
  EXPECT_TRUE(comes_true([this] { return !log_->lines("mapped to another cell").empty(); }));
  keeper_.reset();
  EXPECT_THAT(log_->lines("mapped to another cell"), SizeIs(1));
  EXPECT_THAT(log_->lines("a host is mapped to its cell"), SizeIs(1));
}

TEST_F(StartOfFacts, ToleratesAnotherSchedulerThatDiscoversHosts) {
  settings_.discover_hosts_interval = 50ms;
  add_host("nova_cell1", "h3");
  in_cell("UPDATE compute_nodes SET mapped = 0");
  in_api(
      "CREATE TRIGGER other_scheduler BEFORE INSERT ON host_mappings FOR EACH ROW SIGNAL SQLSTATE '23000' SET "
      "MYSQL_ERRNO = 1062, MESSAGE_TEXT = 'Duplicate entry'");
  start();
  EXPECT_TRUE(
      comes_true([] { return answer("nova_cell1", "SELECT COUNT(*) FROM compute_nodes WHERE mapped = 1") == "2 "; }));
  keeper_.reset();
  EXPECT_THAT(log_->lines("another scheduler discovers hosts"), SizeIs(1));
}

}  // namespace
}  // namespace gantry::nova
