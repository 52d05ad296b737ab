// SPDX-License-Identifier: Apache-2.0
//
// Prepares the store's files for SQLite: the directory, the mode, the first bytes, the log, and the lock against a
// second process.
#pragma once

#include <memory>
#include <string>

#include "core/files/descriptor.hpp"
#include "core/result.hpp"
#include "core/store/commit_record.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::store {

// "GaNt", as PRAGMA application_id of every store.
inline constexpr std::int64_t application_id = 0x47614e74;

// The lock file <path>.lock. It belongs to the process that uses the store, and the kernel releases it when that
// process ends. The file holds the process's number and the record of the last answered commit.
class StoreLock {
 public:
  // Never waits. failed_precondition names the process that holds the lock. permission_denied: others may write to the
  // directory, or the lock file is a link or another user's.
  static Result<StoreLock> take(const std::string& store_path);

  // Returns the commit that an earlier process answered last. 0 if the lock file does not say.
  CommitNumber answered() const { return answered_; }
  // Records a commit whose log is synced. Does not sync the lock file. A failed write leaves an older record or none.
  // [one thread at a time]
  void record(CommitNumber number) const;

 private:
  StoreLock(files::Descriptor file, CommitNumber answered) : file_(std::move(file)), answered_(answered) {}

  files::Descriptor file_;
  CommitNumber answered_;
};

// Makes the store's directory with mode 0750. The directories above have to exist.
Result<void> make_directory(const std::string& store_path);

// Syncs the directory of `path`, so that files made or renamed there survive a power loss.
Result<void> sync_directory(const std::string& path);

// Makes the store's file if it is missing, and syncs its log. Sets mode 0600. Refuses a file whose header is not a
// store's, and links, special files and files of other users in place of the store or of SQLite's files beside it.
Result<void> prepare_file(const std::string& store_path, telemetry::Logger& logger);

}  // namespace gantry::store
