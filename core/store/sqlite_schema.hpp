// SPDX-License-Identifier: Apache-2.0
//
// The tables of a store, and the steps that migrate an older store. The number of a schema is the number of steps that
// made it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/result.hpp"
#include "core/store/commit_record.hpp"
#include "core/store/sqlite_connection.hpp"
#include "core/store/store.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::store {

// Returns the name of the table for a kind of documents. nullptr if there is no such kind.
const char* table_of(Kind kind);

// SQL that migrates a store from one schema to the next. A released step never changes. New steps are appended.
using MigrationStep = std::string;

// Returns all steps in order. The first step makes schema 1 in an empty file.
std::span<const MigrationStep> schema_steps();

// The first schema whose table meta counts the commits.
inline constexpr int first_schema_with_commits = 3;

// How far the pages are checked. quick: whether each can be read. whole: also whether each index has the rows of its
// table, which takes several times as long.
enum class PageCheck : std::uint8_t { quick, whole };

// Fails if the database is damaged, belongs to another program, or has another schema than Gantry makes. Changes nothing.
Result<void> check_database(Connection& connection, PageCheck pages = PageCheck::quick);

// The second half of that, which reads no more than the header and the schema.
Result<void> check_owner(Connection& connection);

// Returns the number of the last commit that the store holds. 0 if the store is empty or has an old schema that does
// not count commits.
Result<CommitNumber> last_commit(Connection& connection);

// Runs the steps after schema `from` up to schema `to`, each in a transaction of its own.
Result<void> run_steps(Connection& connection, std::span<const MigrationStep> steps, int from, int to);

// Runs the steps that the store has not had yet, each in a transaction of its own. Returns the new schema of the store.
// Before the first of these steps, a store that is not empty is copied to <path>.v<old schema>.bak. Refuses a store of
// a newer schema.
Result<int> migrate(Connection& connection, std::span<const MigrationStep> steps, telemetry::Logger& logger);

}  // namespace gantry::store
