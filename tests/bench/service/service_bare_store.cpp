// SPDX-License-Identifier: Apache-2.0
#include "service_bare_store.hpp"

#include <algorithm>

#include "core/store/sqlite_schema.hpp"
#include "service_child.hpp"

namespace gantry::bench {

namespace {

void check(int code, sqlite3* database) {
  if (code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW) {
    give_up(std::string("SQLite: ") + sqlite3_errmsg(database));
  }
}

std::string text_of(sqlite3_stmt* statement, int column) {
  return {reinterpret_cast<const char*>(sqlite3_column_text(statement, column)),
          static_cast<std::size_t>(sqlite3_column_bytes(statement, column))};
}

Rows read_rows(const std::string& path, store::Kind kind, std::size_t most) {
  sqlite3* opened = nullptr;
  check(sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READONLY, nullptr), opened);
  sqlite3_stmt* statement = nullptr;
  const auto sql = std::string("SELECT key, document FROM ") + store::table_of(kind) + " ORDER BY rowid DESC LIMIT " +
                   std::to_string(most);
  check(sqlite3_prepare_v2(opened, sql.c_str(), -1, &statement, nullptr), opened);
  Rows rows;
  while (sqlite3_step(statement) == SQLITE_ROW) rows.push_back({kind, text_of(statement, 0), text_of(statement, 1)});
  sqlite3_finalize(statement);
  sqlite3_close_v2(opened);
  return rows;
}

}  // namespace

std::vector<Rows> newest_rows(const std::string& path, const std::vector<store::Kind>& kinds, std::size_t most) {
  std::vector<Rows> requests(most);
  for (const auto kind : kinds) {
    auto rows = read_rows(path, kind, most);
    requests.resize(std::min(requests.size(), rows.size()));
    for (std::size_t i = 0; i < requests.size(); ++i) requests[i].push_back(std::move(rows[i]));
  }
  std::reverse(requests.begin(), requests.end());
  return requests;
}

std::vector<Rows> all_rows(const std::string& path, store::Kind kind) {
  return newest_rows(path, {kind}, 1'000'000);
}

BareStore::BareStore(const std::string& path) {
  sqlite3* opened = nullptr;
  const int code =
      sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
  database_.reset(opened);
  check(code, opened);
  run("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON; PRAGMA trusted_schema=OFF;"
      "PRAGMA journal_size_limit=67108864;");
  for (const auto& step : store::schema_steps()) run(step.c_str());
  begin_ = prepare("BEGIN IMMEDIATE");
  commit_ = prepare("COMMIT");
  for (std::uint8_t kind = 0; const char* table = store::table_of(static_cast<store::Kind>(kind)); ++kind) {
    puts_.push_back(prepare(std::string("INSERT INTO ") + table +
                            " (key, document) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET document = ?2"));
  }
}

void BareStore::run(const char* sql) {
  check(sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr), database_.get());
}

BareStore::Statement BareStore::prepare(const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  check(sqlite3_prepare_v3(database_.get(), sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr),
        database_.get());
  return Statement(statement);
}

BareStore::Committed BareStore::commit(std::vector<Rows> requests, std::size_t in_a_transaction,
                                       std::chrono::milliseconds length, bool again) {
  const auto step = [this](const Statement& statement) {
    check(sqlite3_step(statement.get()), database_.get());
    sqlite3_reset(statement.get());
  };
  Committed committed;
  // SQLite writes no page that stays as it is, so a row that is written again differs in a byte.
  char mark = 'a';
  const auto began = std::chrono::steady_clock::now();
  std::size_t next = 0;
  while (next < requests.size() && std::chrono::steady_clock::now() - began < length) {
    step(begin_);
    for (std::size_t i = 0; i < in_a_transaction && next < requests.size(); ++i, ++next, ++committed.requests) {
      for (auto& row : requests[next]) {
        if (again) row.document.back() = mark;
        const auto& put = puts_[static_cast<std::size_t>(row.kind)];
        sqlite3_bind_text64(put.get(), 1, row.key.data(), row.key.size(), SQLITE_STATIC, SQLITE_UTF8);
        sqlite3_bind_text64(put.get(), 2, row.document.data(), row.document.size(), SQLITE_STATIC, SQLITE_UTF8);
        step(put);
      }
    }
    step(commit_);
    if (again && next == requests.size()) {
      next = 0;
      mark = mark == 'a' ? 'b' : 'a';
    }
  }
  committed.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return committed;
}

}  // namespace gantry::bench
