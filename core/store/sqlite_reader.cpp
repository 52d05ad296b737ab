// SPDX-License-Identifier: Apache-2.0
#include "core/store/sqlite_reader.hpp"

#include "core/store/sqlite_schema.hpp"

namespace gantry::store {

Result<std::vector<Document>> SqliteReader::read(Kind kind, std::string_view from, std::size_t limit) {
  const char* const table = table_of(kind);
  if (table == nullptr) return Error{ErrorCode::failed_precondition, "store " + path_ + ": no such kind", {}};
  const std::lock_guard lock(mutex_);
  if (!connection_) {
    auto opened = Connection::open_to_read(path_);
    if (!opened) return std::move(opened).error();
    sqlite3_busy_timeout(opened->handle(), busy_milliseconds);
    connection_.emplace(*std::move(opened));
  }
  auto read = read_open(table, from, limit);
  // The next read opens another connection.
  if (!read) connection_.reset();
  return read;
}

void SqliteReader::close() {
  const std::lock_guard lock(mutex_);
  connection_.reset();
}

Result<std::vector<Document>> SqliteReader::read_open(const char* table, std::string_view from, std::size_t limit) {
  auto rows = connection_->prepare(std::string("SELECT key, document FROM ") + table +
                                   " WHERE key >= ?1 ORDER BY key LIMIT " + std::to_string(limit));
  if (!rows) return std::move(rows).error();
  if (auto bound = rows->bind(1, from); !bound) return std::move(bound).error();
  std::vector<Document> documents;
  for (;;) {
    const auto row = rows->step();
    if (!row) return Error(row.error()).within(std::string("reading ") + table);
    if (!*row) return documents;
    documents.push_back({std::string(rows->text(0)), std::string(rows->text(1))});
  }
}

}  // namespace gantry::store
