// SPDX-License-Identifier: Apache-2.0
#include "core/store/sqlite_restore.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/store/backup_documents.hpp"
#include "core/store/replaced_store.hpp"
#include "core/store/sqlite_file.hpp"
#include "core/store/sqlite_restored.hpp"
#include "core/store/sqlite_schema.hpp"

namespace gantry::store {

namespace {

// ---- the store in place

struct Present {
  std::optional<Connection> connection;
  std::string why_unknown;
  CommitNumber commits = 0;
};

Result<CommitNumber> judge_present(Connection& connection) {
  if (auto checked = check_database(connection); !checked) return std::move(checked).error();
  const auto schema = connection.ask("PRAGMA user_version");
  if (!schema) return schema.error();
  if (*schema > static_cast<std::int64_t>(schema_steps().size()))
    return Error{
        ErrorCode::failed_precondition, "it has schema " + std::to_string(*schema) + ", of a newer gantry", {}};
  if (*schema == 0) return Error{ErrorCode::failed_precondition, "it is empty", {}};
  return last_commit(connection);
}

// A fault of it is not an error: it may be the reason for the restore.
Present open_present(const std::string& path) {
  Present present;
  if (!is_there(path)) {
    present.why_unknown = "there is no store at " + path;
    return present;
  }
  auto opened = Connection::open_to_read(path);
  if (!opened) {
    present.why_unknown = opened.error().message;
    return present;
  }
  sqlite3_busy_timeout(opened->handle(), busy_milliseconds);
  const auto judged = judge_present(*opened);
  if (!judged) {
    present.why_unknown = judged.error().message;
    return present;
  }
  present.commits = *judged;
  present.connection.emplace(*std::move(opened));
  return present;
}

// ---- documents

ReadDocuments reader_of(Connection& connection) {
  return [&connection](Kind kind) { return documents_of(connection, kind); };
}

Result<Batch> ask_to_revise(const RestoreSettings& settings, Connection& backup, Present& present) {
  const auto of_backup = reader_of(backup);
  if (!present.connection) return settings.revise(of_backup, nullptr);
  const auto of_present = reader_of(*present.connection);
  return settings.revise(of_backup, &of_present);
}

Result<void> apply_change(Connection& connection, const Change& change) {
  const std::string table = table_of(change.kind);
  auto statement =
      connection.prepare(change.document ? "INSERT OR REPLACE INTO " + table + " (key, document) VALUES (?1, ?2)"
                                         : "DELETE FROM " + table + " WHERE key = ?1");
  if (!statement) return std::move(statement).error();
  if (auto bound = statement->bind(1, change.key); !bound) return bound;
  if (change.document) {
    if (auto bound = statement->bind(2, *change.document); !bound) return bound;
  }
  return statement->run();
}

Result<void> apply_all(Connection& connection, const Batch& batch) {
  if (auto begun = connection.run("PRAGMA secure_delete=ON;BEGIN IMMEDIATE"); !begun) return begun;
  for (const Change& change : batch) {
    if (auto applied = apply_change(connection, change); !applied) return applied;
  }
  return connection.run("COMMIT");
}

// ---- the steps

Result<BackupFacts> judge_file(const RestoreSettings& settings) {
  for (const char* const suffix : {"", "-wal", "-shm", "-journal", ".lock"}) {
    if (!is_same_file(settings.file, settings.store_path + suffix)) continue;
    return Error{
        ErrorCode::invalid_argument, "restore: " + settings.file + " is a file of the store itself; name a backup", {}};
  }
  return examine_backup(settings.file);
}

Result<void> judge_changes(const RestoreSettings& settings, const Batch& changes) {
  for (const Change& change : changes) {
    if (!settings.judge || !change.document) continue;
    if (auto judged = settings.judge(change.kind, change.key, *change.document); !judged) return judged;
  }
  return {};
}

std::uint64_t documents_in(const BackupFacts& facts) {
  std::uint64_t all = 0;
  for (const auto& [name, count] : facts.documents) all += count;
  return all;
}

// Makes the tables of the backup's schema, fills them, and brings them up to date: the backup itself is the copy from
// before.
Result<void> copy_backup(const RestoreSettings& settings, const BackupFacts& facts, Connection& copy) {
  auto backup = open_backup(settings.file);
  if (!backup) return std::move(backup).error();
  if (auto made = run_steps(copy, schema_steps(), 0, facts.schema); !made) return made;
  auto copied = copy_documents(*backup, copy, settings.judge, documents_in(facts), settings.progress);
  if (!copied) return std::move(copied).error().within("backup " + settings.file);
  return run_steps(copy, schema_steps(), facts.schema, newest_schema());
}

Result<void> fill(const RestoreSettings& settings, const BackupFacts& facts, const std::string& path, Present& present,
                  CommitNumber commits) {
  auto copy = Connection::open(path);
  if (!copy) return std::move(copy).error();
  // The file is read once it is whole, and then it is synced.
  if (auto set = copy->run("PRAGMA synchronous=OFF;PRAGMA journal_mode=MEMORY"); !set) return set;
  if (auto copied = copy_backup(settings, facts, *copy); !copied) return copied;
  auto changes = ask_to_revise(settings, *copy, present);
  if (!changes) return std::move(changes).error();
  if (auto judged = judge_changes(settings, *changes); !judged) return judged;
  if (auto applied = apply_all(*copy, *changes); !applied) return applied;
  if (auto marked = mark_restored(*copy, facts.taken_at, settings.restored_at, commits); !marked) return marked;
  return check_database(*copy);
}

}  // namespace

Result<Restoration> judge_restore(const RestoreSettings& settings) {
  auto facts = judge_file(settings);
  if (!facts) return std::move(facts).error();
  auto backup = open_backup(settings.file);
  if (!backup) return std::move(backup).error();
  if (auto judged = judge_documents(*backup, settings.judge); !judged)
    return std::move(judged).error().within("backup " + settings.file);
  auto present = open_present(settings.store_path);
  auto changes = ask_to_revise(settings, *backup, present);
  if (!changes) return std::move(changes).error();
  if (auto judged = judge_changes(settings, *changes); !judged) return std::move(judged).error();
  return Restoration{*std::move(facts), {}, present.why_unknown};
}

Result<Restoration> restore(const RestoreSettings& settings) {
  auto facts = judge_file(settings);
  if (!facts) return std::move(facts).error();
  if (auto made = make_directory(settings.store_path); !made) return std::move(made).error().within("restore");
  auto lock = StoreLock::take(settings.store_path);
  if (!lock) return std::move(lock).error().within("restore");
  Restoration done{*std::move(facts), {}, {}};
  Replacement replacement(settings.store_path);
  if (auto made = replacement.make(); !made) return std::move(made).error();
  {
    auto present = open_present(settings.store_path);
    const auto commits = std::max(lock->answered(), present.commits) + 1;
    done.why_unknown = present.why_unknown;
    if (auto filled = fill(settings, done.backup, replacement.path(), present, commits); !filled)
      return std::move(filled).error();
  }
  if (auto synced = replacement.sync(); !synced) return std::move(synced).error();
  if (is_there(settings.store_path)) done.kept_as = free_name(settings.store_path, settings.restored_at);
  const auto kept_as = done.kept_as.empty() ? free_name(settings.store_path, settings.restored_at) : done.kept_as;
  if (auto moved = move_aside(settings.store_path, kept_as); !moved) return std::move(moved).error();
  if (auto put = replacement.put_in_place(); !put) return std::move(put).error();
  return done;
}

}  // namespace gantry::store
