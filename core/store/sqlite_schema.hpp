// SPDX-License-Identifier: Apache-2.0
//
// The tables of a store and how each schema came from the one before.
#pragma once

#include <span>
#include <string>

#include "core/result.hpp"
#include "core/store/commit_record.hpp"
#include "core/store/sqlite_connection.hpp"
#include "core/store/store.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::store {

// Returns the table of a kind of documents. nullptr if there is no such kind.
const char* table_of(Kind kind);

// SQL that brings a store from one schema to the next. A released step never changes; new steps are appended.
using MigrationStep = std::string;

// All steps, from an empty file on. The first one makes schema 1.
std::span<const MigrationStep> schema_steps();

// Refuses a database that is damaged or of another program. Changes nothing.
Result<void> check_database(Connection& connection);

// Returns the number of the last commit that the store holds. 0 if the store is empty or of a schema without numbers.
Result<CommitNumber> last_commit(Connection& connection);

// Runs the missing steps, each in a transaction of its own, and returns the schema of the store. Before the first step
// a store that is not empty is copied to <path>.v<schema>.bak. Refuses a store of a newer schema.
Result<int> migrate(Connection& connection, std::span<const MigrationStep> steps, telemetry::Logger& logger);

}  // namespace gantry::store
