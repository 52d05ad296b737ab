// SPDX-License-Identifier: Apache-2.0
#include "core/store/sqlite_snapshot.hpp"

#include <algorithm>
#include <string_view>

#include "core/store/sqlite_file.hpp"
#include "core/store/sqlite_schema.hpp"
#include "core/store/sqlite_schema_check.hpp"

namespace gantry::store {

namespace {

Result<void> check_schema(Connection& connection) {
  const auto owner = connection.ask("PRAGMA application_id");
  if (!owner) return owner.error();
  const auto schema = connection.ask("PRAGMA user_version");
  if (!schema) return schema.error();
  const auto own = static_cast<std::int64_t>(schema_steps().size());
  if (*owner == application_id && *schema == own) return check_schema_is_own(connection);
  return Error{
      ErrorCode::failed_precondition,
      "store " + connection.path() + ": expected schema " + std::to_string(own) + ", found " + std::to_string(*schema),
      {}};
}

Result<Statement> all_of(Connection& connection, Kind kind, const char* order) {
  return connection.prepare(std::string("SELECT key, document, rowid FROM ") + table_of(kind) + " ORDER BY " + order);
}

Error failed_to_load(const Error& error, Kind kind) {
  return Error(error).within(std::string("loading ") + table_of(kind));
}

Result<void> visit_both(const std::vector<std::string_view>& removed, const std::vector<Document>& put,
                        const ChangeVisitor& visit) {
  for (const auto key : removed)
    if (auto visited = visit(key, std::nullopt); !visited) return visited;
  for (const auto& document : put)
    if (auto visited = visit(document.key, document.text); !visited) return visited;
  return {};
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
    auto rows = all_of(*connection, static_cast<Kind>(kind), "key");
    if (!rows) return std::move(rows).error();
    for (auto row = rows->step();; row = rows->step()) {
      if (!row) return row.error();
      if (!*row) break;
      snapshot.rows_[kind].emplace_back(rows->integer(2), snapshot.documents_[kind].size());
      snapshot.documents_[kind].push_back({std::string(rows->text(0)), std::string(rows->text(1))});
    }
    std::ranges::sort(snapshot.rows_[kind]);
  }
  snapshot.is_read_ = true;
  return snapshot;
}

Result<void> SqliteSnapshot::visit_changes(Connection& store, Kind kind, const ChangeVisitor& visit) const {
  return of(kind).empty() ? visit_all(store, kind, visit) : compare(store, kind, visit);
}

void SqliteSnapshot::forget(Kind kind) {
  documents_[static_cast<std::size_t>(kind)] = {};
  rows_[static_cast<std::size_t>(kind)] = {};
}

Result<void> SqliteSnapshot::visit_all(Connection& store, Kind kind, const ChangeVisitor& visit) const {
  auto rows = all_of(store, kind, "key");
  if (!rows) return std::move(rows).error();
  for (;;) {
    const auto row = rows->step();
    if (!row) return failed_to_load(row.error(), kind);
    if (!*row) return {};
    const auto key = rows->text(0);
    const auto document = rows->text(1);
    if (key.data() == nullptr || document.data() == nullptr)
      return failed_to_load(sqlite_error(store.handle(), store.path()), kind);
    if (auto visited = visit(key, document); !visited) return visited;
  }
}

// A key may have gone to another row, so that all removals come before what was put.
Result<void> SqliteSnapshot::compare(Connection& store, Kind kind, const ChangeVisitor& visit) const {
  auto rows = all_of(store, kind, "rowid");
  if (!rows) return std::move(rows).error();
  std::vector<std::string_view> removed;
  std::vector<Document> put;
  auto before = rows_[static_cast<std::size_t>(kind)].begin();
  const auto end = rows_[static_cast<std::size_t>(kind)].end();
  for (bool has_row = true; has_row;) {
    const auto row = rows->step();
    if (!row) return failed_to_load(row.error(), kind);
    has_row = *row;
    for (; before != end && (!has_row || before->first < rows->integer(2)); ++before)
      removed.push_back(of(kind)[before->second].key);
    if (!has_row) break;
    const auto key = rows->text(0);
    const auto document = rows->text(1);
    if (key.data() == nullptr || document.data() == nullptr)
      return failed_to_load(sqlite_error(store.handle(), store.path()), kind);
    const bool was_there = before != end && before->first == rows->integer(2);
    const Document* const known = was_there ? &of(kind)[before++->second] : nullptr;
    if (known != nullptr && known->key != key) removed.push_back(known->key);
    if (known == nullptr || known->key != key || known->text != document)
      put.push_back({std::string(key), std::string(document)});
  }
  return visit_both(removed, put, visit);
}

Result<void> SqliteSnapshot::visit_changes_of(Connection& store, Kind kind, const std::vector<std::string>& keys,
                                              const ChangeVisitor& visit) const {
  if (!is_read_) return visit_all(store, kind, visit);
  if (keys.empty()) return {};
  auto row = store.prepare(std::string("SELECT document FROM ") + table_of(kind) + " WHERE key = ?1");
  if (!row) return std::move(row).error();
  std::vector<std::string_view> removed;
  std::vector<Document> put;
  for (const auto& key : keys) {
    const auto found = std::ranges::lower_bound(of(kind), key, {}, &Document::key);
    const Document* const known = found != of(kind).end() && found->key == key ? &*found : nullptr;
    if (auto bound = row->bind(1, key); !bound) return bound;
    const auto is_there = row->step();
    if (!is_there) return failed_to_load(is_there.error(), kind);
    const auto document = *is_there ? row->text(0) : std::string_view();
    if (*is_there && document.data() == nullptr)
      return failed_to_load(sqlite_error(store.handle(), store.path()), kind);
    if (!*is_there && known != nullptr) removed.push_back(known->key);
    if (*is_there && (known == nullptr || known->text != document)) put.push_back({key, std::string(document)});
    row->reset();
  }
  return visit_both(removed, put, visit);
}

}  // namespace gantry::store
