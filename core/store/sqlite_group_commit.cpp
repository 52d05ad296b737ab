// SPDX-License-Identifier: Apache-2.0
#include "core/store/sqlite_group_commit.hpp"

#include <array>
#include <string>
#include <utility>

#include "core/store/sqlite_schema.hpp"

namespace gantry::store {

namespace {

// For the batches that had been applied when the transaction was lost.
void fail_all(std::vector<Result<void>>& outcomes, const Error& error) {
  for (auto& outcome : outcomes) {
    if (outcome) outcome = error;
  }
}

}  // namespace

Result<GroupCommit::Control> GroupCommit::prepare_control(Connection& connection) {
  constexpr std::array<const char*, 6> texts = {"BEGIN IMMEDIATE", "COMMIT",        "ROLLBACK",
                                                "SAVEPOINT batch", "RELEASE batch", "ROLLBACK TO batch"};
  std::vector<Statement> made;
  for (const char* text : texts) {
    auto statement = connection.prepare(text);
    if (!statement) return std::move(statement).error();
    made.push_back(*std::move(statement));
  }
  return Control{std::move(made[0]), std::move(made[1]), std::move(made[2]),
                 std::move(made[3]), std::move(made[4]), std::move(made[5])};
}

Result<std::vector<GroupCommit::Table>> GroupCommit::prepare_tables(Connection& connection) {
  std::vector<Table> tables;
  for (std::uint8_t kind = 0; const char* name = table_of(static_cast<Kind>(kind)); ++kind) {
    auto put = connection.prepare(std::string("INSERT INTO ") + name +
                                  " (key, document) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET document = ?2");
    if (!put) return std::move(put).error();
    auto remove = connection.prepare(std::string("DELETE FROM ") + name + " WHERE key = ?1");
    if (!remove) return std::move(remove).error();
    tables.push_back({*std::move(put), *std::move(remove)});
  }
  return tables;
}

Result<GroupCommit> GroupCommit::prepare(Connection& connection) {
  auto control = prepare_control(connection);
  if (!control) return std::move(control).error();
  auto tables = prepare_tables(connection);
  if (!tables) return std::move(tables).error();
  return GroupCommit(connection, *std::move(control), *std::move(tables));
}

std::vector<Result<void>> GroupCommit::commit(std::span<const Batch* const> batches) {
  std::vector<Result<void>> outcomes(batches.size());
  if (auto begun = control_.begin.run(); !begun) {
    fail_all(outcomes, begun.error());
    return outcomes;
  }
  for (std::size_t i = 0; i < batches.size(); ++i) {
    outcomes[i] = apply_whole(*batches[i]);
    if (!connection_->in_transaction()) {
      // SQLite gives the whole transaction up on some errors, a full disk among them.
      const Error error = outcomes[i].error();
      fail_all(outcomes, error);
      return outcomes;
    }
  }
  if (auto committed = control_.commit.run(); !committed) {
    roll_back();
    fail_all(outcomes, committed.error());
  }
  return outcomes;
}

Result<void> GroupCommit::empty_log() {
  return connection_->run("PRAGMA wal_checkpoint(TRUNCATE)");
}

Result<void> GroupCommit::apply_whole(const Batch& batch) {
  if (auto set = control_.savepoint.run(); !set) return set;
  auto applied = apply(batch);
  if (!connection_->in_transaction()) return applied;
  if (!applied) {
    // Half of the batch must not reach the commit.
    if (auto undone = control_.rollback_to_savepoint.run(); !undone) roll_back();
  }
  if (!connection_->in_transaction()) return applied;
  auto released = control_.release.run();
  return applied ? released : applied;
}

Result<void> GroupCommit::apply(const Batch& batch) {
  for (const auto& change : batch) {
    if (auto applied = apply(change); !applied) return applied;
  }
  return {};
}

Result<void> GroupCommit::apply(const Change& change) {
  const auto kind = static_cast<std::size_t>(change.kind);
  if (kind >= tables_.size()) {
    return Error{ErrorCode::invalid_argument,
                 "store " + connection_->path() + ": expected a kind below " + std::to_string(tables_.size()) +
                     ", found " + std::to_string(kind),
                 {}};
  }
  auto& statement = change.document ? tables_[kind].put : tables_[kind].remove;
  auto bound = statement.bind(1, change.key);
  if (bound && change.document) bound = statement.bind(2, *change.document);
  if (!bound) {
    statement.reset();
    return bound;
  }
  return statement.run();
}

void GroupCommit::roll_back() {
  if (connection_->in_transaction()) static_cast<void>(control_.rollback.run());
}

}  // namespace gantry::store
