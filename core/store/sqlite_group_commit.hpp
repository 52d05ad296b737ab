// SPDX-License-Identifier: Apache-2.0
//
// Commits many batches in one transaction: all of them or none. Records the number of the commit in the lock file. Each
// commit counts on from the last one of this process, so that of two processes with one store no more than one can go on.
// One thread at a time may use a GroupCommit.
#pragma once

#include <span>
#include <vector>

#include "core/result.hpp"
#include "core/store/sqlite_connection.hpp"
#include "core/store/sqlite_file.hpp"
#include "core/store/store.hpp"

namespace gantry::store {

class GroupCommit {
 public:
  // The connection and the lock must outlive the object.
  static Result<GroupCommit> prepare(Connection& connection, const StoreLock& lock);

  // Commits the batches. Each change must have a kind that table_of knows. After an error none of the batches is
  // committed. unavailable for good: another process has committed, or the lock file is another one.
  Result<void> commit(std::span<const Batch* const> batches);
  // Fails if the lock file is no longer the one that this process has locked.
  Result<void> check_lock() const { return lock_->check(); }
  // Checkpoints and truncates the write-ahead log. Removed documents stay readable in the log until then, or until
  // later writes cover them. Returns false if that failed, as on a full disk, or if somebody reads the log: commits do
  // not wait for a reader.
  bool empty_log();

 private:
  // The statements of a transaction.
  struct Control {
    Statement begin, count, commit, rollback;
  };
  // The statements that change the table of one kind.
  struct Table {
    Statement put, remove;
  };
  GroupCommit(Connection& connection, const StoreLock& lock, CommitNumber last, Control control,
              std::vector<Table> tables)
      : connection_(&connection), lock_(&lock), last_(last), control_(std::move(control)), tables_(std::move(tables)) {}

  static Result<Control> prepare_control(Connection& connection);
  static Result<std::vector<Table>> prepare_tables(Connection& connection);

  // Adds one to the store's count of commits and returns the new number.
  Result<CommitNumber> count();
  Error others_commit() const;
  Result<void> apply(const Batch& batch);
  Result<void> apply(const Change& change);
  void roll_back();

  Connection* connection_;
  const StoreLock* lock_;
  CommitNumber last_;  // the number of the store's last commit, as far as this process knows
  Control control_;
  std::vector<Table> tables_;  // indexed by the number of a Kind
};

}  // namespace gantry::store
