// SPDX-License-Identifier: Apache-2.0
//
// Commits many batches in one transaction, all or none, and records the commit's number in the lock file. One thread at
// a time may use it.
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

  // Requires known kinds. After an error none of the batches is committed.
  Result<void> commit(std::span<const Batch* const> batches);
  // Empties the write-ahead log, because removed documents stay readable in the log until other writes cover them.
  Result<void> empty_log();

 private:
  struct Control {
    Statement begin, count, commit, rollback;
  };
  struct Table {
    Statement put, remove;
  };
  GroupCommit(Connection& connection, const StoreLock& lock, Control control, std::vector<Table> tables)
      : connection_(&connection), lock_(&lock), control_(std::move(control)), tables_(std::move(tables)) {}

  static Result<Control> prepare_control(Connection& connection);
  static Result<std::vector<Table>> prepare_tables(Connection& connection);

  Result<CommitNumber> count();
  Result<void> apply(const Batch& batch);
  Result<void> apply(const Change& change);
  void roll_back();

  Connection* connection_;
  const StoreLock* lock_;
  Control control_;
  std::vector<Table> tables_;  // by number of the kind
};

}  // namespace gantry::store
