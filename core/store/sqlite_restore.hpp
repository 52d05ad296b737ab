// SPDX-License-Identifier: Apache-2.0
//
// Puts a backup in the place of a store that is not in use. The store that was there is kept beside it under another
// name. A restore that is interrupted leaves the one or the other in place, or a store that no start accepts before the
// restore is run again.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "core/store/backup_documents.hpp"
#include "core/store/sqlite_backup.hpp"
#include "core/store/store.hpp"

namespace gantry::store {

// Returns all documents of a kind.
using ReadDocuments = std::function<Result<std::vector<Document>>(Kind kind)>;
// Returns the changes that make the backup fit for a world that went on since. `present`: what the store in place
// holds; nullptr: it cannot be read.
using Revise = std::function<Result<Batch>(const ReadDocuments& backup, const ReadDocuments* present)>;

struct RestoreSettings {
  std::string store_path;
  std::string file;
  std::int64_t restored_at = 0;  // nanoseconds since 1970
  JudgeDocument judge;           // each document of the backup and of the revision, as a start would; may be empty
  Revise revise;
  CopyProgress progress;  // may be empty
};

struct Restoration {
  BackupFacts backup;
  std::string kept_as;      // the name of the store that was there; empty: there was none
  std::string why_unknown;  // why the store that was there could not be read; empty: it was
};

// Judges the backup, and asks `revise` with the store in place, which may be in use. Changes nothing.
Result<Restoration> judge_restore(const RestoreSettings& settings);

// Restores. Nothing is changed before the backup was found to be sound and its copy was revised. unavailable: a process
// uses the store, and the message names it.
Result<Restoration> restore(const RestoreSettings& settings);

}  // namespace gantry::store
