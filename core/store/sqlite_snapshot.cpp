// SPDX-License-Identifier: Apache-2.0
#include "core/store/sqlite_snapshot.hpp"

#include <string_view>

#include "core/store/sqlite_file.hpp"
#include "core/store/sqlite_schema.hpp"

namespace gantry::store {

namespace {

Result<void> check_schema(Connection& connection) {
  const auto owner = connection.ask("PRAGMA application_id");
  if (!owner) return owner.error();
  const auto schema = connection.ask("PRAGMA user_version");
  if (!schema) return schema.error();
  const auto own = static_cast<std::int64_t>(schema_steps().size());
  if (*owner == application_id && *schema == own) return {};
  return Error{
      ErrorCode::failed_precondition,
      "store " + connection.path() + ": expected schema " + std::to_string(own) + ", found " + std::to_string(*schema),
      {}};
}

Result<Statement> all_of(Connection& connection, Kind kind) {
  return connection.prepare(std::string("SELECT key, document FROM ") + table_of(kind) + " ORDER BY key");
}

Result<std::vector<Document>> documents_of(Connection& connection, Kind kind) {
  auto rows = all_of(connection, kind);
  if (!rows) return std::move(rows).error();
  std::vector<Document> documents;
  for (;;) {
    const auto row = rows->step();
    if (!row) return row.error();
    if (!*row) return documents;
    documents.push_back({std::string(rows->text(0)), std::string(rows->text(1))});
  }
}

}  // namespace

Result<SqliteSnapshot> SqliteSnapshot::read(const std::string& path) {
  auto connection = Connection::open_to_read(path);
  if (!connection) return std::move(connection).error();
  sqlite3_busy_timeout(connection->handle(), busy_milliseconds);
  if (auto begun = connection->run("BEGIN"); !begun) return std::move(begun).error();
  if (auto checked = check_schema(*connection); !checked) return std::move(checked).error();
  SqliteSnapshot snapshot;
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    auto documents = documents_of(*connection, static_cast<Kind>(kind));
    if (!documents) return std::move(documents).error();
    snapshot.documents_[kind] = *std::move(documents);
  }
  return snapshot;
}

Result<void> SqliteSnapshot::visit_changes(Connection& store, Kind kind, const ChangeVisitor& visit) const {
  auto rows = all_of(store, kind);
  if (!rows) return std::move(rows).error();
  auto before = of(kind).begin();
  const auto end = of(kind).end();
  for (;;) {
    const auto row = rows->step();
    if (!row) return Error(row.error()).within(std::string("loading ") + table_of(kind));
    const auto key = *row ? rows->text(0) : std::string_view();
    for (; before != end && (!*row || before->key < key); ++before)
      if (auto visited = visit(before->key, std::nullopt); !visited) return visited;
    if (!*row) return {};
    const auto document = rows->text(1);
    if (key.data() == nullptr || document.data() == nullptr)
      return sqlite_error(store.handle(), store.path()).within(std::string("loading ") + table_of(kind));
    const bool was_there = before != end && before->key == key;
    if (!was_there || before->text != document)
      if (auto visited = visit(key, document); !visited) return visited;
    if (was_there) ++before;
  }
}

}  // namespace gantry::store
