// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/start_check.hpp"

#include <algorithm>
#include <array>

#include "tests/nova/facts/server/deployment.hpp"

namespace gantry::nova {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class StartCheck : public Deployment {
 protected:
  static DatabaseCheck check(Connection connection, std::span<const Table> tables) {
    auto checked = check_database(connection, tables, nova_release("zed").title);
    EXPECT_TRUE(checked) << (checked ? "" : checked.error().message);
    return checked ? *checked : DatabaseCheck{};
  }

  static Result<std::int64_t> lowest_version() {
    auto connection = open("nova_cell1");
    return lowest_compute_version(connection);
  }
};

TEST_F(StartCheck, PassesOnTheSchemaOfZed) {
  for (const auto& found : {check(open("nova_api"), api_tables), check(open("nova_cell1"), cell_tables)}) {
    EXPECT_THAT(found.failures, IsEmpty());
    EXPECT_THAT(found.warnings, IsEmpty());
  }
}

TEST_F(StartCheck, NamesEachMissingColumnAndTable) {
  in_cell("ALTER TABLE compute_nodes DROP COLUMN pci_stats, DROP COLUMN uuid;\nDROP TABLE instances");
  EXPECT_THAT(check(open("nova_cell1"), cell_tables).failures,
              ElementsAre(AllOf(HasSubstr("nova_cell1 at "), HasSubstr("table compute_nodes has no column uuid"),
                                HasSubstr("expected the schema of Nova 26 (Zed)")),
                          HasSubstr("table compute_nodes has no column pci_stats"),
                          HasSubstr("table instances does not exist; expected the schema of Nova 26 (Zed)")));
}

TEST_F(StartCheck, NamesTheGrantThatLacks) {
  run_in("mysql",
         "CREATE OR REPLACE USER gantry@localhost IDENTIFIED BY 'sesame';\n"
         "GRANT SELECT ON nova_cell1.services TO gantry@localhost;\n"
         "GRANT SELECT (id, uuid) ON nova_cell1.instances TO gantry@localhost");
  const auto found = check(open_url(MariaDb::server().url("nova_cell1", "gantry", "sesame")), cell_tables);
  EXPECT_THAT(found.failures,
              ElementsAre(AllOf(HasSubstr("table compute_nodes may not be read"),
                                HasSubstr("GRANT SELECT ON `nova_cell1`.`compute_nodes` TO 'gantry'@'localhost'")),
                          HasSubstr("GRANT SELECT ON `nova_cell1`.`instances` TO 'gantry'@'localhost'")));
}

TEST_F(StartCheck, WarnsOfAClockThatDiffers) {
  auto connection = open("nova_cell1");
  ASSERT_TRUE(connection.query("SET @@session.timestamp = UNIX_TIMESTAMP() - 100"));
  EXPECT_THAT(
      check(std::move(connection), cell_tables).warnings,
      ElementsAre(AllOf(HasSubstr("nova_cell1 at "), HasSubstr("clock differs"), HasSubstr("expected at most 1 s"))));
}

TEST_F(StartCheck, FindsTheOldestComputeThatIsNotForcedDown) {
  EXPECT_EQ(*lowest_version(), 0);
  for (const auto* host : {"h1", "h2", "h3", "h4"}) add_service(host);
  in_cell(
      "UPDATE services SET version = 62 WHERE host = 'h2';\n"
      "UPDATE services SET version = 50, forced_down = 1 WHERE host = 'h3';\n"
      "UPDATE services SET version = 40, deleted = id WHERE host = 'h4'");
  EXPECT_EQ(*lowest_version(), 62);
}

TEST_F(StartCheck, RefusesComputesThatTheReleaseRefuses) {
  const auto refuses = [](std::string_view level, std::int64_t version) {
    return !check_compute_versions(std::array<std::int64_t, 3>{0, 99, version}, nova_release(level));
  };
  for (const auto& [level, oldest] : {std::pair("zed", 61),
                                      {"antelope", 61},
                                      {"bobcat", 66},
                                      {"caracal", 66},
                                      {"dalmatian", 66},
                                      {"epoxy", 66},
                                      {"flamingo", 68},
                                      {"gazpacho", 68},
                                      {"hibiscus", 72}}) {
    EXPECT_FALSE(refuses(level, oldest)) << level;
    EXPECT_TRUE(refuses(level, oldest - 1)) << level;
  }
  EXPECT_TRUE(check_compute_versions({}, nova_release("hibiscus")));
}

TEST_F(StartCheck, SaysHowToNameTheReleaseOfOlderComputes) {
  EXPECT_EQ(
      check_compute_versions(std::array<std::int64_t, 2>{73, 64}, nova_release("hibiscus")).error().message,
      "nova-compute services: expected service version 72 or later in every cell, that of Nova 33 (Gazpacho), for "
      "Nova 34 (Hibiscus) works with no older one, found 64; upgrade these computes first, or name the deployment's "
      "own release in [driver.filter] compatibility, which is hibiscus now");
}

}  // namespace
}  // namespace gantry::nova
