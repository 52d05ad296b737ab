// SPDX-License-Identifier: Apache-2.0
#include "core/nova/check/privileges.hpp"

#include <gtest/gtest.h>

namespace gantry::nova {
namespace {

Grants grants(std::initializer_list<std::string_view> lines) {
  Grants made;
  for (const auto line : lines) made.add(line);
  return made;
}

const Privilege insert_service{"INSERT", "nova_cell1", "services"};

TEST(Privileges, AreThoseOfTheLinesOfShowGrants) {
  EXPECT_TRUE(grants({"GRANT ALL PRIVILEGES ON *.* TO `root`@`localhost` WITH GRANT OPTION"}).allow(insert_service));
  EXPECT_TRUE(grants({"GRANT ALL PRIVILEGES ON `nova_cell1`.* TO `nova`@`%`"}).allow(insert_service));
  EXPECT_TRUE(grants({"GRANT USAGE ON *.* TO `g`@`%` IDENTIFIED BY PASSWORD '*2470'",
                      "GRANT SELECT, INSERT, UPDATE ON `nova_cell1`.`services` TO `g`@`%`"})
                  .allow(insert_service));
  EXPECT_FALSE(grants({"GRANT SELECT, UPDATE ON `nova_cell1`.`services` TO `g`@`%`"}).allow(insert_service));
  EXPECT_FALSE(grants({"GRANT INSERT ON `nova_cell1`.`instances` TO `g`@`%`"}).allow(insert_service));
  EXPECT_FALSE(grants({"GRANT INSERT ON `nova_api`.* TO `g`@`%`"}).allow(insert_service));
  EXPECT_FALSE(grants({"GRANT `role` TO `g`@`%`", "GRANT PROXY ON ''@'%' TO 'root'@'localhost'", "", "nonsense"})
                   .allow(insert_service));
}

TEST(Privileges, ForADatabaseMayBeForAPatternOfNames) {
  EXPECT_TRUE(grants({"GRANT INSERT ON `nova\\_%`.* TO `g`@`%`"}).allow(insert_service));
  EXPECT_TRUE(grants({"GRANT INSERT ON `nova_cell_`.* TO `g`@`%`"}).allow(insert_service));
  EXPECT_FALSE(grants({"GRANT INSERT ON `nova\\_cell\\_`.* TO `g`@`%`"}).allow(insert_service));
  // A grant for one table names its database.
  EXPECT_FALSE(grants({"GRANT INSERT ON `nova_cell_`.`services` TO `g`@`%`"}).allow(insert_service));
}

TEST(Privileges, MayBeForSomeColumns) {
  const auto columns = grants({"GRANT SELECT (`id`, `host`), UPDATE (`mapped`, `a``b`), INSERT ON `n`.`t` TO `g`@`%`"});
  EXPECT_TRUE(columns.allow({"UPDATE", "n", "t", "mapped"}));
  EXPECT_TRUE(columns.allow({"UPDATE", "n", "t", "a`b"}));
  EXPECT_FALSE(columns.allow({"UPDATE", "n", "t", "host"}));
  EXPECT_FALSE(columns.allow({"UPDATE", "n", "t"}));
  EXPECT_TRUE(columns.allow({"INSERT", "n", "t"}));
  EXPECT_TRUE(columns.allow({"INSERT", "n", "t", "host"}));
}

TEST(Privileges, AreWrittenAsGrants) {
  EXPECT_EQ(grant_of(insert_service, grantee_of("gantry", "%")),
            "GRANT INSERT ON `nova_cell1`.`services` TO 'gantry'@'%'");
  EXPECT_EQ(grant_of({"UPDATE", "n`x", "compute_nodes", "mapped"}, grantee_of("o'neill", "10.%")),
            "GRANT UPDATE (`mapped`) ON `n``x`.`compute_nodes` TO 'o''neill'@'10.%'");
}

}  // namespace
}  // namespace gantry::nova
