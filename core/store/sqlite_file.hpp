// SPDX-License-Identifier: Apache-2.0
//
// Prepares the store's files before SQLite opens them: makes the directory and the file, checks owner, mode and header,
// syncs the write-ahead log, and locks the store against a second process.
#pragma once

#include <memory>
#include <string>

#include "core/files/descriptor.hpp"
#include "core/result.hpp"
#include "core/store/commit_record.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::store {

// The PRAGMA application_id of every store: the letters "GaNt".
inline constexpr std::int64_t application_id = 0x47614e74;

// The lock on the file <path>.lock. One process holds the lock while it uses the store. The kernel releases the lock
// when the process ends. The file holds the id of the process and the record of the last answered commit.
class StoreLock {
 public:
  // Takes the lock without waiting. failed_precondition: another process holds the lock, and the message names the
  // process. permission_denied: other users may write to the directory, or the lock file is a link or belongs to
  // another user.
  static Result<StoreLock> take(const std::string& store_path);

  // Fails if the lock file was removed or replaced since: another process can then take the lock as well. unavailable.
  Result<void> check() const;
  // Returns the number of the commit that an earlier process answered last. 0 if the lock file has no complete record.
  CommitNumber answered() const { return answered_; }
  // Writes the number of a commit into the lock file, without a sync. The commit must be synced already. If the write
  // fails, the file keeps an older record or none. [one thread at a time]
  void record(CommitNumber number) const;

 private:
  StoreLock(const std::string& store_path, files::Descriptor file, CommitNumber answered)
      : store_path_(store_path), file_(std::move(file)), answered_(answered) {}

  std::string store_path_;
  files::Descriptor file_;
  CommitNumber answered_;
};

// Checks owner and mode of the directory and of the files that are there, and whether this process may write them.
Result<void> check_place(const std::string& store_path);

// Makes the store's directory with mode 0750 if it is missing. The directories above must exist.
Result<void> make_directory(const std::string& store_path);

// Syncs the directory that holds `path`. Files that were made or renamed there then survive a power loss.
Result<void> sync_directory(const std::string& path);

// Makes the store's file with mode 0600 if it is missing, and syncs the write-ahead log. Changes no other file. Refuses
// a file whose header is not the header of a store. Neither the store nor SQLite's files beside it may be a link, a
// special file or a file of another user.
Result<void> prepare_file(const std::string& store_path);

// Sets mode 0600 on the store and on SQLite's files beside it if other users may read or write them, and logs it.
// Requires: the store has been checked, so that no file of another program is changed.
void close_to_others(const std::string& store_path, telemetry::Logger& logger);

}  // namespace gantry::store
