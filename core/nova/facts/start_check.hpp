// SPDX-License-Identifier: Apache-2.0
//
// The checks of a database before its facts are trusted: the user may read each table, each column that is read exists,
// and the clocks agree.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/nova/facts/database/connection.hpp"
#include "core/nova/facts/tables.hpp"
#include "core/nova/request/nova_release.hpp"

namespace gantry::nova {

struct DatabaseCheck {
  // Each names a table with the column or the GRANT that lacks. Empty: the database can be used.
  std::vector<std::string> failures;
  std::vector<std::string> warnings;
};

// Checks a database for the tables api_tables or cell_tables. `schema` says whose they are: "Nova 31 (Epoxy)". Fails if the
// connection does.
Result<DatabaseCheck> check_database(Connection& connection, std::span<const Table> tables, std::string_view schema);

// Returns the lowest version of the nova-compute services of a cell that are not forced down. 0: there are none, or one
// says nothing of its version.
Result<std::int64_t> lowest_compute_version(Connection& connection);

// Refuses computes that are too old for the release. `lowest` has the lowest version of each cell; a 0 does not count.
Result<void> check_compute_versions(std::span<const std::int64_t> lowest, const NovaRelease& release);

}  // namespace gantry::nova
