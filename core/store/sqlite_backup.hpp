// SPDX-License-Identifier: Apache-2.0
//
// Copies a store into one file while a process may be writing it, and judges such a file. The copy shows one moment:
// all commits before it began, and no part of a later one.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/result.hpp"
#include "core/store/commit_record.hpp"
#include "core/store/sqlite_connection.hpp"

namespace gantry::store {

// The content of a backup or of a store.
struct BackupFacts {
  int schema = 0;
  CommitNumber commits = 0;
  std::int64_t taken_at = 0;  // nanoseconds since 1970; 0: not known, for it is a plain copy of a store
  std::uint64_t bytes = 0;
  std::vector<std::pair<std::string, std::uint64_t>> documents;  // how many, by the name of their table
};

// Called now and then with how much is copied, and how much there is: pages or documents.
using CopyProgress = std::function<void(std::uint64_t copied, std::uint64_t all)>;

struct BackupSettings {
  std::string store_path;
  std::string file;         // made with mode 0600; another name until it is whole
  bool overwrites = false;  // whether a file of that name is replaced
  std::int64_t taken_at = 0;
  CopyProgress progress;  // may be empty
};

// Writes a backup, syncs it, and reads it again to check it. Blocks no writer of the store. Leaves no file behind if it
// fails. already_exists: there is a file of that name. invalid_argument: the file cannot be the place of a backup.
Result<BackupFacts> write_backup(const BackupSettings& settings);

// Judges a file that is not written to meanwhile: whether it is a store, undamaged, of a schema that this version knows,
// and without anything that Gantry does not make. Changes nothing.
Result<BackupFacts> examine_backup(const std::string& file);

// Checks a store that may be in use, of any schema, and tells what it holds. Changes nothing.
Result<BackupFacts> examine_store(const std::string& store_path);

// Returns the schema that this version writes. A store of an older one is migrated at the start.
int newest_schema();

// Opens a file for reading that is not written to meanwhile. Makes no file beside it unless it has a log.
Result<Connection> open_backup(const std::string& file);

// Returns what an open store holds, without a check.
Result<BackupFacts> facts_of(Connection& connection);

// Copies all pages within one read transaction of `from`. `to` is an empty file.
Result<void> copy_store(Connection& from, const std::string& to, const CopyProgress& progress);

// Has SQLite keep the file alone, without a log beside it.
Result<void> close_log(Connection& connection);

// Returns whether both names lead to the same file.
bool is_same_file(const std::string& one, const std::string& other);

}  // namespace gantry::store
