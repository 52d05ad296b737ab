// SPDX-License-Identifier: Apache-2.0
#include "core/store/backup_documents.hpp"

#include <utility>

#include "core/store/sqlite_schema.hpp"

namespace gantry::store {

namespace {

using VisitDocument = std::function<Result<void>(std::string_view key, std::string_view document)>;

Error not_read(const Connection& connection, const std::string& table) {
  if ((sqlite3_errcode(connection.handle()) & 0xff) == SQLITE_NOMEM)
    return sqlite_error(connection.handle(), connection.path());
  return {
      ErrorCode::failed_precondition,
      "store " + connection.path() + ": damaged: expected texts as key and document in table " + table + ", found NULL",
      {}};
}

// Past the index: a row may stand there under another key.
Result<void> visit_documents(Connection& connection, Kind kind, const VisitDocument& visit) {
  const std::string table = table_of(kind);
  const auto there = has_table(connection, table);
  if (!there) return there.error();
  if (!*there) return {};
  auto rows = connection.prepare("SELECT key, document FROM " + table + " NOT INDEXED");
  if (!rows) return std::move(rows).error();
  for (;;) {
    const auto row = rows->step();
    if (!row) return Error(row.error()).within("reading " + table);
    if (!*row) return {};
    const auto key = rows->text(0);
    const auto document = rows->text(1);
    if (key.data() == nullptr || document.data() == nullptr) return not_read(connection, table);
    if (auto visited = visit(key, document); !visited) return visited;
  }
}

template <class Visit>
Result<void> for_each_kind(Visit visit) {
  for (std::uint8_t number = 0; table_of(static_cast<Kind>(number)) != nullptr; ++number)
    if (auto visited = visit(static_cast<Kind>(number)); !visited) return visited;
  return {};
}

Result<void> copy_kind(Connection& backup, Connection& to, Kind kind, const VisitDocument& judge) {
  const std::string table = table_of(kind);
  const auto there = has_table(to, table);
  if (!there) return there.error();
  if (!*there) return {};
  auto put = to.prepare("INSERT INTO " + table + " (key, document) VALUES (?1, ?2)");
  if (!put) return std::move(put).error();
  return visit_documents(backup, kind, [&](std::string_view key, std::string_view document) -> Result<void> {
    if (auto judged = judge(key, document); !judged) return judged;
    if (auto bound = put->bind(1, key); !bound) return bound;
    if (auto bound = put->bind(2, document); !bound) return bound;
    return put->run();
  });
}

}  // namespace

Result<bool> has_table(Connection& connection, const std::string& name) {
  const auto found =
      connection.ask("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '" + name + "'");
  if (!found) return found.error();
  return *found != 0;
}

Result<std::vector<Document>> documents_of(Connection& connection, Kind kind) {
  std::vector<Document> documents;
  auto visited = visit_documents(connection, kind, [&](std::string_view key, std::string_view document) {
    documents.push_back({std::string(key), std::string(document)});
    return Result<void>();
  });
  if (!visited) return std::move(visited).error();
  return documents;
}

Result<void> judge_documents(Connection& backup, const JudgeDocument& judge) {
  return for_each_kind([&](Kind kind) {
    return visit_documents(backup, kind, [&](std::string_view key, std::string_view document) {
      return judge ? judge(kind, key, document) : Result<void>();
    });
  });
}

Result<void> copy_documents(Connection& backup, Connection& to, const JudgeDocument& judge, std::uint64_t all,
                            const CopyProgress& progress) {
  constexpr std::uint64_t documents_at_once = 1024;
  std::uint64_t copied = 0;
  if (auto begun = to.run("BEGIN IMMEDIATE"); !begun) return begun;
  auto done = for_each_kind([&](Kind kind) {
    return copy_kind(backup, to, kind, [&](std::string_view key, std::string_view document) {
      if (progress && ++copied % documents_at_once == 0) progress(copied, all);
      return judge ? judge(kind, key, document) : Result<void>();
    });
  });
  if (done) done = to.run("COMMIT");
  if (done && progress) progress(all, all);
  return done;
}

}  // namespace gantry::store
