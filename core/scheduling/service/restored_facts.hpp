// SPDX-License-Identifier: Apache-2.0
//
// Makes the facts of a backup fit for a world that went on: hosts launched and ended instances, took their casts, and
// operators revoked tokens. ServiceManager does the rest at the start.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "core/store/sqlite_restore.hpp"
#include "core/store/store.hpp"

namespace gantry::scheduling {

// Which casts of the backup are sent after the restore.
enum class RestoredCasts : std::uint8_t {
  waiting,  // the casts that still wait in the store in place; none if it cannot be read
  all,      // all; one that was delivered since comes again, with its id
  none,
};

struct RestoreWish {
  RestoredCasts casts = RestoredCasts::waiting;
  bool tokens_of_backup = false;  // false: the tokens of the store in place hold, if it can be read
  std::int64_t restored_at = 0;   // nanoseconds since 1970
};

// The number of changes to documents of one kind since the backup was taken.
struct ChangedSince {
  std::string kind;
  std::size_t in_backup = 0, added = 0, removed = 0, changed = 0;
};

struct RestoredCast {
  std::string id, topic, host, method, instance;
};

struct RestoreNotes {
  bool is_compared = false;                 // whether the store in place could be read
  std::vector<ChangedSince> since;          // empty unless compared
  std::vector<std::string> services;        // each a line: whose state an operator has set differs, backup and present
  std::vector<RestoredCast> sent;           // casts that wait in the restored store
  std::vector<RestoredCast> left_out;       // casts of the backup that do not
  std::vector<std::string> unlaunched;      // building instances whose launch is not sent
  std::vector<std::string> tokens;          // "id (name)" of each token that holds after the restore
  std::vector<std::string> dropped_tokens;  // tokens of the backup that were revoked since
  bool has_tokens_of_backup = false;
  std::size_t claims = 0;
};

// Returns the changes to the documents of the backup. Claims count from the restore on, so that none ends before its
// host was heard, and wait for no cast that is not sent. Fails if a document is damaged.
Result<store::Batch> revise_restored(const RestoreWish& wish, const store::ReadDocuments& backup,
                                     const store::ReadDocuments* present, RestoreNotes& notes);

}  // namespace gantry::scheduling
