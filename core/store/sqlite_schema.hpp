// SPDX-License-Identifier: Apache-2.0
//
// The tables of a store and how each schema came from the one before.
#pragma once

#include <span>
#include <string>

#include "core/result.hpp"
#include "core/store/sqlite_connection.hpp"
#include "core/store/store.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::store {

// nullptr: no such kind.
const char* table_of(Kind kind);

// What brings a store from the schema before to the next. Steps are never changed once released, only added.
using MigrationStep = std::string;

// The steps from an empty file on: after the first the schema is 1, and so on.
std::span<const MigrationStep> schema_steps();

// Refuses a database that is damaged or not ours. Changes nothing.
Result<void> check_database(Connection& connection);

// Runs the steps that are missing, each in a transaction of its own. A store that holds something is first copied to
// <path>.v<schema>.bak; one of a newer schema is refused. Returns the schema that the store has then.
Result<int> migrate(Connection& connection, std::span<const MigrationStep> steps, telemetry::Logger& logger);

}  // namespace gantry::store
