// SPDX-License-Identifier: Apache-2.0
//
// `gantry backup`: copies the store while gantryd runs.
#pragma once

#include <string>
#include <vector>

#include "core/cli/terminal/command.hpp"
#include "core/cli/terminal/session.hpp"
#include "core/encoding/json.hpp"
#include "core/store/sqlite_backup.hpp"

namespace gantry::cli {

std::vector<Command> backup_commands();

// Returns the settings, which name the store. nova.conf is not read.
Result<config::Settings> store_settings(const Session& session);
// Returns the time now in nanoseconds since 1970.
std::int64_t now_in_nanoseconds();
// Returns what a backup holds: {"taken_at", "schema", "commits", "bytes", "documents": {...}}.
json::object facts_json(const store::BackupFacts& facts);
// Returns "3 services, 12 instances, schema 4, commit 4711, 96 KiB".
std::string facts_text(const store::BackupFacts& facts);
// Returns a function that shows on a terminal how far a copy is.
store::CopyProgress copy_progress(Session& session);

}  // namespace gantry::cli
