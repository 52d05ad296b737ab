// SPDX-License-Identifier: Apache-2.0
#include "core/store/sqlite_schema.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <memory>
#include <string_view>

#include "core/files/descriptor.hpp"
#include "core/files/errno_text.hpp"
#include "core/store/sqlite_file.hpp"
#include "core/store/sqlite_schema_check.hpp"

namespace gantry::store {

namespace {

constexpr std::array<const char*, 11> tables = {"services",         "compute_nodes", "capabilities", "aggregates",
                                                "server_groups",    "instances",     "claims",       "casts",
                                                "idempotency_keys", "tokens",        "heartbeats"};
constexpr std::size_t tables_of_schema_1 = 9;
constexpr std::size_t tables_of_schema_2 = 10;

// With rowids: WITHOUT ROWID took 1.5 to 3 times as long with documents of 300 to 9,000 bytes.
std::string make_tables(std::span<const char* const> names) {
  std::string sql;
  for (const char* table : names) {
    sql.append("CREATE TABLE ").append(table).append(" (key TEXT PRIMARY KEY, document TEXT NOT NULL) STRICT;");
  }
  return sql;
}

// One row that each commit counts up, and integers of the store itself that may follow.
constexpr const char* make_meta =
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;"
    "INSERT INTO meta VALUES ('commits', 0);";

Error damaged(const std::string& path, const std::string& what) {
  return Error{ErrorCode::failed_precondition,
               "store " + path + ": damaged: " + what +
                   "; it was left as it is: put a copy in its place, or save what can be saved: sqlite3 " + path +
                   " .recover | sqlite3 NEW_FILE",
               {}};
}

// SQLite begins its findings with a heading, and puts several on lines of their own.
std::string on_one_line(std::string_view finding) {
  constexpr std::string_view heading = "*** in database main ***";
  if (finding.starts_with(heading)) finding.remove_prefix(heading.size());
  std::string line;
  while (!finding.empty()) {
    const auto text = finding.substr(0, finding.find('\n'));
    finding.remove_prefix(std::min(finding.size(), text.size() + 1));
    if (!text.empty()) line.append(line.empty() ? "" : "; ").append(text);
  }
  return line;
}

bool names_damage(const Connection& connection) {
  const int code = sqlite3_errcode(connection.handle()) & 0xff;
  return code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
}

// quick_check reports a page that could not be read like one that is damaged: in a list of pages with these words, else
// with SQLite's code of the failure.
bool names_failed_read(std::string_view finding) {
  if (finding.find("failed to get page") != std::string_view::npos) return true;
  constexpr std::string_view before_code = "error code=";
  const auto at = finding.find(before_code);
  if (at == std::string_view::npos) return false;
  const auto digits = finding.substr(at + before_code.size());
  int code = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), code);
  return (code & 0xff) != SQLITE_CORRUPT;
}

Result<void> check_pages(Connection& connection, PageCheck pages) {
  auto check = connection.prepare(pages == PageCheck::quick ? "PRAGMA quick_check(3)" : "PRAGMA integrity_check(3)");
  std::string findings;
  bool is_read = true;
  while (check) {
    const auto row = check->step();
    if (!row) {
      if (names_damage(connection)) return damaged(connection.path(), sqlite3_errmsg(connection.handle()));
      return row.error();
    }
    if (!*row) break;
    if (check->text(0).data() == nullptr) return sqlite_error(connection.handle(), connection.path());
    is_read = is_read && !names_failed_read(check->text(0));
    if (check->text(0) != "ok") findings.append(findings.empty() ? "" : "; ").append(on_one_line(check->text(0)));
  }
  if (!check && names_damage(connection)) return damaged(connection.path(), sqlite3_errmsg(connection.handle()));
  if (!check) return std::move(check).error();
  if (!is_read) {
    return Error{ErrorCode::unavailable,
                 "store " + connection.path() + ": it cannot be checked, for reading it failed: " + findings,
                 {}};
  }
  if (!findings.empty()) return damaged(connection.path(), findings);
  return {};
}

Result<void> copy_pages(Connection& from, Connection& to) {
  struct Finish {
    void operator()(sqlite3_backup* backup) const { sqlite3_backup_finish(backup); }
  };
  std::unique_ptr<sqlite3_backup, Finish> backup(sqlite3_backup_init(to.handle(), "main", from.handle(), "main"));
  if (!backup) return sqlite_error(to.handle(), to.path());
  sqlite3_backup_step(backup.get(), -1);
  if (sqlite3_backup_finish(backup.release()) != SQLITE_OK) return sqlite_error(to.handle(), to.path());
  return {};
}

Error cannot_copy(const std::string& copy) {
  return Error{ErrorCode::unavailable, "cannot write the copy " + copy + ": " + files::errno_text(errno), {}};
}

// Writes under another name first, so that each file named .bak is whole.
Result<void> copy_aside(Connection& connection, const std::string& copy) {
  const std::string unfinished = copy + ".part";
  unlink(unfinished.c_str());
  const files::Descriptor file(open(unfinished.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file.is_open()) return cannot_copy(unfinished);
  {
    auto target = Connection::open(unfinished);
    if (!target) return std::move(target).error();
    if (auto copied = copy_pages(connection, *target); !copied) return copied;
  }
  if (fsync(file.number()) != 0 || rename(unfinished.c_str(), copy.c_str()) != 0) return cannot_copy(copy);
  return sync_directory(copy);
}

Result<void> run_step(Connection& connection, const MigrationStep& step, int schema) {
  const std::string sql = "BEGIN IMMEDIATE;" + step + ";PRAGMA application_id=" + std::to_string(application_id) +
                          ";PRAGMA user_version=" + std::to_string(schema) + ";COMMIT";
  auto run = connection.run(sql);
  if (run) return {};
  if (connection.in_transaction()) static_cast<void>(connection.run("ROLLBACK"));
  return std::move(run).error().within("migrating to schema " + std::to_string(schema));
}

}  // namespace

const char* table_of(Kind kind) {
  const auto number = static_cast<std::size_t>(kind);
  return number < tables.size() ? tables[number] : nullptr;
}

std::span<const MigrationStep> schema_steps() {
  constexpr std::span<const char* const> all(tables);
  static const std::array<MigrationStep, 4> steps = {
      make_tables(all.first(tables_of_schema_1)),
      make_tables(all.subspan(tables_of_schema_1, tables_of_schema_2 - tables_of_schema_1)), make_meta,
      make_tables(all.subspan(tables_of_schema_2))};
  return steps;
}

Result<void> run_steps(Connection& connection, std::span<const MigrationStep> steps, int from, int to) {
  for (int schema = from; schema < to; ++schema) {
    const auto& step = steps[static_cast<std::size_t>(schema)];
    if (auto run = run_step(connection, step, schema + 1); !run) return run;
  }
  return {};
}

Result<void> check_owner(Connection& connection) {
  const auto id = connection.ask("PRAGMA application_id");
  if (!id) return id.error();
  const auto tables_found = connection.ask("SELECT count(*) FROM sqlite_schema");
  if (!tables_found) return tables_found.error();
  if (*id == application_id || (*id == 0 && *tables_found == 0)) return check_schema_is_own(connection);
  return Error{ErrorCode::failed_precondition,
               "store " + connection.path() + ": not a Gantry store: expected application id " +
                   std::to_string(application_id) + ", found " + std::to_string(*id) + " and " +
                   std::to_string(*tables_found) + " tables and indexes of somebody else; name another file",
               {}};
}

Result<void> check_database(Connection& connection, PageCheck pages) {
  if (auto checked = check_pages(connection, pages); !checked) return checked;
  return check_owner(connection);
}

Result<CommitNumber> last_commit(Connection& connection) {
  const auto tables_found = connection.ask("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'meta'");
  if (!tables_found) return tables_found.error();
  if (*tables_found == 0) return CommitNumber{0};
  const auto number = connection.ask("SELECT value FROM meta WHERE key = 'commits'");
  if (!number) return number.error();
  return static_cast<CommitNumber>(*number);
}

Result<int> migrate(Connection& connection, std::span<const MigrationStep> steps, telemetry::Logger& logger) {
  const auto found = connection.ask("PRAGMA user_version");
  if (!found) return found.error();
  const auto known = static_cast<std::int64_t>(steps.size());
  if (*found > known || *found < 0) {
    return Error{ErrorCode::failed_precondition,
                 "store " + connection.path() + ": expected schema " + std::to_string(known) + " or older, found " +
                     std::to_string(*found) + ", which a newer gantry made; run that one, or put back the copy " +
                     connection.path() + ".v" + std::to_string(known) + ".bak if there is one",
                 {}};
  }
  if (*found > 0 && *found < known) {
    const std::string copy = connection.path() + ".v" + std::to_string(*found) + ".bak";
    if (auto copied = copy_aside(connection, copy); !copied)
      return std::move(copied).error().within("before migrating");
    logger.write(telemetry::Level::info, "store migrates",
                 {{"from_schema", std::to_string(*found)}, {"to_schema", std::to_string(known)}, {"copy", copy}});
  }
  if (auto run = run_steps(connection, steps, static_cast<int>(*found), static_cast<int>(known)); !run)
    return std::move(run).error();
  // The line tells an operator whose disk was not mounted why the fleet is empty.
  if (*found == 0) logger.write(telemetry::Level::info, "a new, empty store was made", {{"path", connection.path()}});
  return static_cast<int>(known);
}

}  // namespace gantry::store
