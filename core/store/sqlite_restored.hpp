// SPDX-License-Identifier: Apache-2.0
//
// The marks of backups and restores: integers in the table meta. A backup says when it was taken. A restored store says
// so until it is restored again, since what it holds of an earlier time may be out of date.
#pragma once

#include <cstdint>
#include <optional>

#include "core/result.hpp"
#include "core/store/sqlite_connection.hpp"
#include "core/store/store.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::store {

// Marks the copy of a store as a backup. `taken_at` is in nanoseconds since 1970. Does nothing to a store whose old
// schema has no table meta.
Result<void> mark_backup(Connection& copy, std::int64_t taken_at);

// Returns when the backup was taken. 0: the file is a store, or a copy that was made by other means.
Result<std::int64_t> backup_time(Connection& copy);

// Marks a store that was filled from a backup of the time `taken_at`. Counts its commits on, so that a start does not miss
// those that were answered after the backup was taken. Requires the newest schema.
Result<void> mark_restored(Connection& store, std::int64_t taken_at, std::int64_t restored_at, std::uint64_t commits);

// Returns the last restore of the store. Logs it at the first start after it.
Result<std::optional<Restored>> note_restored(Connection& store, telemetry::Logger& logger);

}  // namespace gantry::store
