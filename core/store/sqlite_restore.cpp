// SPDX-License-Identifier: Apache-2.0
#include "core/store/sqlite_restore.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/files/descriptor.hpp"
#include "core/files/errno_text.hpp"
#include "core/store/sqlite_file.hpp"
#include "core/store/sqlite_restored.hpp"
#include "core/store/sqlite_schema.hpp"
#include "core/telemetry/utc_text.hpp"

namespace gantry::store {

namespace {

namespace fs = std::filesystem;

Error restore_failed(const std::string& what, const std::string& path, int number) {
  const bool is_refused = number == EACCES || number == EPERM || number == EROFS;
  return {is_refused ? ErrorCode::permission_denied : ErrorCode::unavailable,
          "restore: " + what + " " + path + ": " + files::errno_text(number),
          {}};
}

bool is_there(const std::string& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0;
}

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

Result<std::vector<Document>> read_all(Connection& connection, Kind kind) {
  const std::string table = table_of(kind);
  std::vector<Document> documents;
  const auto there =
      connection.ask("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '" + table + "'");
  if (!there) return there.error();
  if (*there == 0) return documents;
  auto rows = connection.prepare("SELECT key, document FROM " + table + " ORDER BY key");
  if (!rows) return std::move(rows).error();
  for (;;) {
    const auto row = rows->step();
    if (!row) return Error(row.error()).within("reading " + table);
    if (!*row) return documents;
    documents.push_back({std::string(rows->text(0)), std::string(rows->text(1))});
  }
}

ReadDocuments reader_of(Connection& connection) {
  return [&connection](Kind kind) { return read_all(connection, kind); };
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

// ---- files

std::string free_name(const std::string& store_path, std::int64_t restored_at) {
  const auto since =
      std::chrono::duration_cast<std::chrono::system_clock::duration>(std::chrono::nanoseconds(restored_at));
  const auto text = telemetry::utc_text(std::chrono::system_clock::time_point(since));
  constexpr std::size_t up_to_seconds = std::string_view("YYYY-MM-DDThh:mm:ss").size();
  std::string name = store_path + ".before-restore-";
  for (const char letter : std::string_view(text.data(), up_to_seconds))
    if (letter != '-' && letter != ':') name += letter;
  name += 'Z';
  std::string free = name;
  for (int number = 2; is_there(free); ++number) free = name + "-" + std::to_string(number);
  return free;
}

// Moves the store and its log aside. The log goes first: without it, and then without the store, a start finds that
// answered commits are missing, and refuses.
Result<void> move_aside(const std::string& store_path, const std::string& kept_as) {
  // SQLite leaves an empty log behind a connection that only read.
  std::error_code none;
  if (fs::file_size(store_path + "-wal", none) == 0 && !none) unlink((store_path + "-wal").c_str());
  std::vector<const char*> moved;
  for (const char* const suffix : {"-wal", "-journal", ""}) {
    const std::string from = store_path + suffix;
    if (!is_there(from)) continue;
    if (rename(from.c_str(), (kept_as + suffix).c_str()) == 0) {
      moved.push_back(suffix);
      continue;
    }
    auto error = restore_failed("cannot rename", from, errno);
    std::ranges::reverse(moved);
    for (const char* const back : moved) {
      if (rename((kept_as + back).c_str(), (store_path + back).c_str()) != 0)
        error.message += "; " + kept_as + back + " is left under that name";
    }
    return error;
  }
  // Only an index of the log, which SQLite makes again.
  unlink((store_path + "-shm").c_str());
  return {};
}

// The copy that becomes the store. Removed with the object unless it was put in place.
class Replacement {
 public:
  explicit Replacement(const std::string& store_path) : store_path_(store_path), path_(store_path + ".restoring") {}
  ~Replacement() {
    if (!is_in_place_) remove_files();
  }
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  const std::string& path() const { return path_; }

  Result<void> make() const {
    remove_files();  // the remains of a restore that was interrupted
    const files::Descriptor made(open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    return made.is_open() ? Result<void>() : restore_failed("cannot make", path_, errno);
  }

  Result<void> sync() const {
    const files::Descriptor file(open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    return file.is_open() && fsync(file.number()) == 0 ? Result<void>() : restore_failed("cannot sync", path_, errno);
  }

  Result<void> put_in_place() {
    if (rename(path_.c_str(), store_path_.c_str()) != 0) return restore_failed("cannot rename", path_, errno);
    is_in_place_ = true;
    return sync_directory(store_path_);
  }

 private:
  void remove_files() const {
    for (const char* const suffix : {"", "-wal", "-shm", "-journal"}) unlink((path_ + suffix).c_str());
  }

  const std::string store_path_;
  const std::string path_;
  bool is_in_place_ = false;
};

// ---- the steps

Result<BackupFacts> judge_file(const RestoreSettings& settings) {
  for (const char* const suffix : {"", "-wal", "-shm", "-journal", ".lock"}) {
    if (!is_same_file(settings.file, settings.store_path + suffix)) continue;
    return Error{
        ErrorCode::invalid_argument, "restore: " + settings.file + " is a file of the store itself; name a backup", {}};
  }
  return examine_backup(settings.file);
}

// An older schema is brought up to date here, since the backup itself is the copy from before.
Result<void> bring_schema_up_to_date(Connection& copy, int schema) {
  const auto logger = telemetry::Logger::none();
  auto migrated = migrate(copy, schema_steps(), *logger);
  if (!migrated) return std::move(migrated).error();
  unlink((copy.path() + ".v" + std::to_string(schema) + ".bak").c_str());
  return {};
}

Result<void> fill(const RestoreSettings& settings, const BackupFacts& facts, const std::string& path, Present& present,
                  CommitNumber commits) {
  auto backup = open_backup(settings.file);
  if (!backup) return std::move(backup).error();
  if (auto copied = copy_store(*backup, path, settings.progress); !copied) return copied;
  auto copy = Connection::open(path);
  if (!copy) return std::move(copy).error();
  if (auto closed = close_log(*copy); !closed) return closed;
  if (auto migrated = bring_schema_up_to_date(*copy, facts.schema); !migrated) return migrated;
  auto changes = ask_to_revise(settings, *copy, present);
  if (!changes) return std::move(changes).error();
  if (auto applied = apply_all(*copy, *changes); !applied) return applied;
  if (auto marked = mark_restored(*copy, settings.restored_at, commits); !marked) return marked;
  return check_database(*copy);
}

}  // namespace

Result<Restoration> judge_restore(const RestoreSettings& settings) {
  auto facts = judge_file(settings);
  if (!facts) return std::move(facts).error();
  auto backup = open_backup(settings.file);
  if (!backup) return std::move(backup).error();
  auto present = open_present(settings.store_path);
  auto changes = ask_to_revise(settings, *backup, present);
  if (!changes) return std::move(changes).error();
  return Restoration{*std::move(facts), {}, present.why_unknown};
}

Result<Restoration> restore(const RestoreSettings& settings) {
  auto facts = judge_file(settings);
  if (!facts) return std::move(facts).error();
  auto lock = StoreLock::take(settings.store_path);
  if (!lock) return std::move(lock).error().within("restore");
  Restoration done{*std::move(facts), {}, {}};
  Replacement replacement(settings.store_path);
  if (auto made = replacement.make(); !made) return std::move(made).error();
  {
    auto present = open_present(settings.store_path);
    const auto commits = std::max({lock->answered(), done.backup.commits, present.commits}) + 1;
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
