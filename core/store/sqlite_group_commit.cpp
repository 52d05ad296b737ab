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
      "BEGIN IMMEDIATE", "UPDATE meta SET value = ?1 + 1 WHERE key = 'commits' AND value = ?1 RETURNING value",
      "COMMIT", "ROLLBACK"};
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
  const auto last = last_commit(connection);
  if (!last) return last.error();
  return GroupCommit(connection, lock, *last, *std::move(control), *std::move(tables));
}

Result<void> GroupCommit::commit(std::span<const Batch* const> batches) {
  if (auto alone = lock_->check(); !alone) return alone;
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
    last_ = *number;
    lock_->record(last_);
  } else {
    roll_back();
  }
  return committed;
}

// Within the transaction. The number is another one only if another process has written it.
Result<CommitNumber> GroupCommit::count() {
  if (auto bound = control_.count.bind_integer(1, static_cast<std::int64_t>(last_)); !bound)
    return std::move(bound).error();
  const auto row = control_.count.step();
  const auto number = row && *row ? static_cast<CommitNumber>(control_.count.integer(0)) : 0;
  control_.count.reset();
  if (!row) return row.error();
  if (*row) return number;
  return others_commit();
}

Error GroupCommit::others_commit() const {
  const auto found = last_commit(*connection_);
  return {ErrorCode::unavailable,
          "store " + connection_->path() + ": another process writes to it: expected commit " + std::to_string(last_) +
              ", the last of this process, found commit " + (found ? std::to_string(*found) : "unknown") +
              "; this process changes nothing more: end each gantryd that uses this store, and start one",
          {}};
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
