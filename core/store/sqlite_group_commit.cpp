// SPDX-License-Identifier: Apache-2.0
#include "core/store/sqlite_group_commit.hpp"

#include <sqlite3.h>

#include <array>
#include <string>
#include <utility>

#include "core/store/sqlite_schema.hpp"

namespace gantry::store {

Result<GroupCommit::Control> GroupCommit::prepare_control(Connection& connection) {
  constexpr std::array<const char*, 4> texts = {
      "BEGIN IMMEDIATE", "UPDATE meta SET value = value + 1 WHERE key = 'commits' RETURNING value", "COMMIT",
      "ROLLBACK"};
  std::vector<Statement> made;
  for (const char* text : texts) {
    auto statement = connection.prepare(text);
    if (!statement) return std::move(statement).error();
    made.push_back(*std::move(statement));
  }
  return Control{std::move(made[0]), std::move(made[1]), std::move(made[2]), std::move(made[3])};
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

Result<GroupCommit> GroupCommit::prepare(Connection& connection, const StoreLock& lock) {
  auto control = prepare_control(connection);
  if (!control) return std::move(control).error();
  auto tables = prepare_tables(connection);
  if (!tables) return std::move(tables).error();
  return GroupCommit(connection, lock, *std::move(control), *std::move(tables));
}

Result<void> GroupCommit::commit(std::span<const Batch* const> batches) {
  roll_back();  // if an earlier call failed to
  if (auto begun = control_.begin.run(); !begun) return begun;
  for (const auto* batch : batches) {
    if (auto applied = apply(*batch); !applied) {
      roll_back();
      return applied;
    }
  }
  const auto number = count();
  auto committed = number ? control_.commit.run() : Result<void>(number.error());
  if (committed) {
    lock_->record(*number);
  } else {
    roll_back();
  }
  return committed;
}

// Adds one to the store's count of commits, within the transaction.
Result<CommitNumber> GroupCommit::count() {
  const auto row = control_.count.step();
  const auto number = row && *row ? static_cast<CommitNumber>(control_.count.integer(0)) : 0;
  control_.count.reset();
  if (!row) return row.error();
  return number;
}

bool GroupCommit::empty_log() {
  sqlite3_busy_timeout(connection_->handle(), 0);
  const auto busy = connection_->ask("PRAGMA wal_checkpoint(TRUNCATE)");
  sqlite3_busy_timeout(connection_->handle(), busy_milliseconds);
  return busy && *busy == 0;
}

Result<void> GroupCommit::apply(const Batch& batch) {
  for (const auto& change : batch) {
    if (auto applied = apply(change); !applied) return applied;
  }
  return {};
}

Result<void> GroupCommit::apply(const Change& change) {
  auto& table = tables_.at(static_cast<std::size_t>(change.kind));
  auto& statement = change.document ? table.put : table.remove;
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
