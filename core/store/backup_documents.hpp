// SPDX-License-Identifier: Apache-2.0
//
// The documents of a backup, read as data: row by row, past the indexes of the file, and copied into new tables. No page of
// the file comes along.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "core/store/sqlite_backup.hpp"
#include "core/store/sqlite_connection.hpp"
#include "core/store/store.hpp"

namespace gantry::store {

// Returns the error with which a start would refuse the document.
using JudgeDocument = std::function<Result<void>(Kind kind, std::string_view key, std::string_view document)>;

// Returns whether the database has a table of this name.
Result<bool> has_table(Connection& connection, const std::string& name);

// Returns all documents of a kind. None if the schema is older than the kind.
Result<std::vector<Document>> documents_of(Connection& connection, Kind kind);

// Fails with the first document of the backup that `judge` refuses.
Result<void> judge_documents(Connection& backup, const JudgeDocument& judge);

// Judges each document of the backup and puts it into the tables of `to`, which have the same schema and are empty.
// `progress` counts documents out of `all`.
Result<void> copy_documents(Connection& backup, Connection& to, const JudgeDocument& judge, std::uint64_t all,
                            const CopyProgress& progress);

}  // namespace gantry::store
