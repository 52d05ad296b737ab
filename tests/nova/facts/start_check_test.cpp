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
    auto checked = check_database(connection, tables);
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

TEST_F(StartCheck, RefusesComputesOlderThanYoga) {
  EXPECT_TRUE(check_compute_versions({}));
  EXPECT_TRUE(check_compute_versions(std::array<std::int64_t, 3>{0, 61, 64}));
  const auto refused = check_compute_versions(std::array<std::int64_t, 2>{64, 60});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, AllOf(HasSubstr("expected service version 61"), HasSubstr("found 60")));
}

}  // namespace
}  // namespace gantry::nova
