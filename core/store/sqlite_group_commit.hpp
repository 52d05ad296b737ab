// SPDX-License-Identifier: Apache-2.0
//
// Many batches in one transaction, all or none. Belongs to one thread at a time.
#pragma once

#include <span>
#include <vector>

#include "core/result.hpp"
#include "core/store/sqlite_connection.hpp"
#include "core/store/store.hpp"

namespace gantry::store {

class GroupCommit {
 public:
  // The connection must outlive it.
  static Result<GroupCommit> prepare(Connection& connection);

  // All of them, or none and an error. Their kinds are known ones.
  Result<void> commit(std::span<const Batch* const> batches);
  // Empties the write-ahead log, where what has been removed would stand until it is written over.
  Result<void> empty_log();

 private:
  struct Control {
    Statement begin, commit, rollback;
  };
  struct Table {
    Statement put, remove;
  };
  GroupCommit(Connection& connection, Control control, std::vector<Table> tables)
      : connection_(&connection), control_(std::move(control)), tables_(std::move(tables)) {}

  static Result<Control> prepare_control(Connection& connection);
  static Result<std::vector<Table>> prepare_tables(Connection& connection);

  Result<void> apply(const Batch& batch);
  Result<void> apply(const Change& change);
  void roll_back();

  Connection* connection_;
  Control control_;
  std::vector<Table> tables_;  // at the number of the kind
};

}  // namespace gantry::store
