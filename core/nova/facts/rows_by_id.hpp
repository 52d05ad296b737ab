// SPDX-License-Identifier: Apache-2.0
//
// Reads the few rows of a table that matter in two steps: their ids, then the rows. The server copies each column that a
// query names before it judges the row, so a query that looks through a table for changes names none but id.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/nova/facts/database/connection.hpp"

namespace gantry::nova {

// Returns the first column of the query's rows.
Result<std::vector<std::int64_t>> read_ids(Connection& connection, const std::string& sql);

// Calls `take` with each row that has one of the ids. `select` ends before the condition: "SELECT id FROM t WHERE ".
Result<void> query_by_id(Connection& connection, const std::string& select, const std::vector<std::int64_t>& ids,
                         const TakeRow& take);

}  // namespace gantry::nova
