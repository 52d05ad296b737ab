// SPDX-License-Identifier: Apache-2.0
#include "core/store/sqlite_backup.hpp"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <thread>

#include "core/files/descriptor.hpp"
#include "core/files/errno_text.hpp"
#include "core/store/backup_documents.hpp"
#include "core/store/sqlite_file.hpp"
#include "core/store/sqlite_restored.hpp"
#include "core/store/sqlite_schema.hpp"
#include "core/store/sqlite_store.hpp"

namespace gantry::store {

namespace {

namespace fs = std::filesystem;

constexpr int pages_at_once = 256;
constexpr std::array<const char*, 5> files_of_a_store{"", "-wal", "-shm", "-journal", ".lock"};

Error not_a_place(const std::string& file, const std::string& why) {
  return {ErrorCode::invalid_argument, "backup " + file + ": " + why, {}};
}

ErrorCode error_code_of(int number) {
  if (number == EACCES || number == EPERM || number == EROFS) return ErrorCode::permission_denied;
  return number == ENOSPC || number == EDQUOT ? ErrorCode::resource_exhausted : ErrorCode::invalid_argument;
}

Error backup_failed(const std::string& file, const std::string& what, int number) {
  return {error_code_of(number), "backup " + file + ": " + what + ": " + files::errno_text(number), {}};
}

// A file under a name of its own until it is whole. Removed with the object unless it was kept.
class PartFile {
 public:
  explicit PartFile(const std::string& file) : file_(file), path_(file + "." + std::to_string(getpid()) + ".part") {}
  ~PartFile() {
    if (is_kept_) return;
    for (const char* const suffix : files_of_a_store) unlink((path_ + suffix).c_str());
  }
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  const std::string& path() const { return path_; }

  Result<void> make() const {
    const files::Descriptor made(open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!made.is_open()) return backup_failed(file_, "cannot be made", errno);
    return {};
  }

  // Root's file would be closed to the user as whom a restore reads it.
  Result<void> give_to_owner_of(const std::string& store_path) const {
    struct stat store {};
    if (geteuid() != 0 || stat(store_path.c_str(), &store) != 0) return {};
    if (lchown(path_.c_str(), store.st_uid, store.st_gid) != 0)
      return backup_failed(file_, "cannot be given to the owner of the store", errno);
    return {};
  }

  Result<void> sync() const {
    const files::Descriptor file(open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!file.is_open() || fsync(file.number()) != 0) return backup_failed(file_, "cannot be synced", errno);
    return {};
  }

  Result<void> keep(bool overwrites) {
    const unsigned flags = overwrites ? 0 : RENAME_NOREPLACE;
    if (renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, file_.c_str(), flags) != 0) {
      if (errno == EEXIST) return exists();
      return backup_failed(file_, "cannot be put in place", errno);
    }
    is_kept_ = true;
    return sync_directory(file_);
  }

  Error exists() const {
    return {ErrorCode::already_exists, "backup " + file_ + ": there is a file of that name; --force replaces it", {}};
  }

 private:
  const std::string file_;
  const std::string path_;
  bool is_kept_ = false;
};

Result<void> check_is_not_the_store(const std::string& store_path, const std::string& file) {
  std::error_code fault;
  const auto place = fs::weakly_canonical(file, fault);
  for (const char* const suffix : files_of_a_store) {
    std::error_code none;
    const bool is_its_name = !fault && place == fs::weakly_canonical(store_path + suffix, none) && !none;
    if (is_its_name || is_same_file(store_path + suffix, file))
      return not_a_place(file, "is a file of the store itself; name another one, best on another disk");
  }
  return {};
}

Result<void> check_target(const BackupSettings& settings, const PartFile& part) {
  const auto& file = settings.file;
  if (file.empty() || file.back() == '/') return not_a_place(file, "expected the name of a file");
  if (auto checked = check_is_not_the_store(settings.store_path, file); !checked) return checked;
  const auto parent = fs::path(file).parent_path();
  struct stat status {};
  if (!parent.empty() && stat(parent.c_str(), &status) != 0)
    return backup_failed(file, "its directory " + parent.string(), errno);
  if (lstat(file.c_str(), &status) != 0)
    return errno == ENOENT ? Result<void>() : backup_failed(file, "cannot be looked at", errno);
  if (S_ISLNK(status.st_mode))
    return not_a_place(file, "expected a file, found a symbolic link; name what it points to");
  if (S_ISDIR(status.st_mode)) return not_a_place(file, "expected a file, found a directory");
  if (!S_ISREG(status.st_mode)) return not_a_place(file, "expected a regular file, found another kind");
  if (!settings.overwrites) return part.exists();
  return {};
}

Result<Connection> open_source(const std::string& path) {
  if (access(path.c_str(), R_OK) != 0) {
    const int number = errno;
    const std::string advice = number == EACCES ? "; run this as the user that runs gantryd, or as root" : "";
    return Error{number == EACCES ? ErrorCode::permission_denied : ErrorCode::failed_precondition,
                 "store " + path + ": cannot be read: " + files::errno_text(number) + advice,
                 {}};
  }
  auto source = Connection::open_to_read(path);
  if (source) sqlite3_busy_timeout(source->handle(), busy_milliseconds);
  return source;
}

// The error of SQLite speaks of the store's next change.
Error of_backup(Error error, const std::string& file) {
  if (error.code != ErrorCode::resource_exhausted) return std::move(error).within("backup " + file);
  return {ErrorCode::resource_exhausted,
          "backup " + file + ": no space left on its disk; what was written was removed, the store is as it was",
          {}};
}

Result<void> run_copy(Connection& from, Connection& to, const CopyProgress& progress) {
  struct Finish {
    void operator()(sqlite3_backup* backup) const { sqlite3_backup_finish(backup); }
  };
  std::unique_ptr<sqlite3_backup, Finish> backup(sqlite3_backup_init(to.handle(), "main", from.handle(), "main"));
  if (!backup) return sqlite_error(to.handle(), to.path());
  auto patience = std::chrono::milliseconds(busy_milliseconds);
  constexpr std::chrono::milliseconds pause{20};
  for (;;) {
    const int code = sqlite3_backup_step(backup.get(), pages_at_once) & 0xff;
    if (progress && (code == SQLITE_OK || code == SQLITE_DONE)) {
      const auto all = static_cast<std::uint64_t>(sqlite3_backup_pagecount(backup.get()));
      progress(all - static_cast<std::uint64_t>(sqlite3_backup_remaining(backup.get())), all);
    }
    if (code == SQLITE_OK) continue;
    if ((code != SQLITE_BUSY && code != SQLITE_LOCKED) || patience <= pause) break;
    std::this_thread::sleep_for(pause);
    patience -= pause;
  }
  if (sqlite3_backup_finish(backup.release()) != SQLITE_OK) return sqlite_error(to.handle(), to.path());
  return {};
}

Result<void> check_beginning(const std::string& file) {
  const files::Descriptor opened(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat status {};
  if (!opened.is_open() || fstat(opened.number(), &status) != 0) {
    const int number = errno;
    return Error{
        number == EACCES ? ErrorCode::permission_denied : ErrorCode::invalid_argument,
        "backup " + file + ": cannot be opened: " + files::errno_text(number) +
            (number == EACCES ? "; uid " + std::to_string(geteuid()) + ", whose the store is, must be able to read it"
                              : ""),
        {}};
  }
  if (!S_ISREG(status.st_mode)) return not_a_place(file, "expected a regular file, found another kind");
  constexpr std::string_view magic("SQLite format 3\0", 16);
  std::array<char, magic.size()> found{};
  const auto got = pread(opened.number(), found.data(), found.size(), 0);
  if (got == static_cast<ssize_t>(magic.size()) && std::string_view(found.data(), found.size()) == magic) return {};
  return Error{ErrorCode::failed_precondition,
               "backup " + file + ": expected a backup of gantry's, an SQLite database, found a file of " +
                   std::to_string(status.st_size) + " bytes with another beginning",
               {}};
}

Result<void> check_schema(const std::string& file, int schema) {
  const auto known = newest_schema();
  if (schema > 0 && schema <= known) return {};
  const std::string found = schema == 0 ? "none, for it is empty" : std::to_string(schema) + ", of a newer gantry";
  return Error{ErrorCode::failed_precondition,
               "backup " + file + ": expected schema 1 to " + std::to_string(known) + ", found " + found,
               {}};
}

}  // namespace

bool is_same_file(const std::string& one, const std::string& other) {
  struct stat first {};
  struct stat second {};
  return stat(one.c_str(), &first) == 0 && stat(other.c_str(), &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

// Immutable: SQLite would make files beside a database that was in use with a log, also to read it.
Result<Connection> open_backup(const std::string& file) {
  std::error_code fault;
  auto backup = fs::exists(file + "-wal", fault) ? Connection::open_to_read(file) : Connection::open_immutable(file);
  // As a start reads the store.
  if (backup) limit_documents(*backup, SqliteSettings().bytes_per_document);
  return backup;
}

Result<BackupFacts> facts_of(Connection& connection) {
  BackupFacts facts;
  const auto schema = connection.ask("PRAGMA user_version");
  if (!schema) return schema.error();
  facts.schema = static_cast<int>(*schema);
  const auto commits = last_commit(connection);
  if (!commits) return commits.error();
  facts.commits = *commits;
  const auto taken_at = backup_time(connection);
  if (!taken_at) return taken_at.error();
  facts.taken_at = *taken_at;
  const auto bytes = connection.ask("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()");
  if (!bytes) return bytes.error();
  facts.bytes = static_cast<std::uint64_t>(*bytes);
  auto kind = Kind::service;
  for (const char* table = table_of(kind); table != nullptr; table = table_of(kind)) {
    kind = static_cast<Kind>(static_cast<std::uint8_t>(kind) + 1);
    const auto there = has_table(connection, table);
    if (!there) return there.error();
    if (!*there) continue;
    const auto count = connection.ask(std::string("SELECT count(*) FROM ") + table);
    if (!count) return count.error();
    facts.documents.emplace_back(table, static_cast<std::uint64_t>(*count));
  }
  return facts;
}

Result<void> close_log(Connection& connection) {
  auto mode = connection.prepare("PRAGMA journal_mode=DELETE");
  if (!mode) return std::move(mode).error();
  const auto row = mode->step();
  if (!row) return row.error();
  if (mode->text(0) == "delete") return {};
  return Error{ErrorCode::internal,
               "store " + connection.path() + ": expected journal mode delete, found " + std::string(mode->text(0)),
               {}};
}

Result<void> copy_store(Connection& from, const std::string& to, const CopyProgress& progress) {
  auto target = Connection::open(to);
  if (!target) return std::move(target).error();
  // The file has no name yet that anybody reads, and it is synced when it is whole.
  if (auto set = target->run("PRAGMA synchronous=OFF"); !set) return set;
  // The read transaction holds the moment while the writer goes on.
  if (auto begun = from.run("BEGIN;SELECT count(*) FROM sqlite_schema"); !begun) return begun;
  auto copied = run_copy(from, *target, progress);
  if (auto ended = from.run("ROLLBACK"); copied && !ended) return ended;
  return copied;
}

Result<BackupFacts> examine_backup(const std::string& file) {
  if (auto checked = check_beginning(file); !checked) return std::move(checked).error();
  auto connection = open_backup(file);
  if (!connection) return std::move(connection).error();
  if (auto checked = check_database(*connection, PageCheck::whole); !checked) return std::move(checked).error();
  auto facts = facts_of(*connection);
  if (!facts) return facts;
  if (auto checked = check_schema(file, facts->schema); !checked) return std::move(checked).error();
  return facts;
}

Result<BackupFacts> examine_store(const std::string& store_path) {
  auto connection = open_source(store_path);
  if (!connection) return std::move(connection).error();
  if (auto checked = check_database(*connection); !checked) return std::move(checked).error();
  return facts_of(*connection);
}

int newest_schema() {
  return static_cast<int>(schema_steps().size());
}

Result<BackupFacts> write_backup(const BackupSettings& settings) {
  PartFile part(settings.file);
  if (auto checked = check_target(settings, part); !checked) return std::move(checked).error();
  auto source = open_source(settings.store_path);
  if (!source) return std::move(source).error();
  if (auto made = part.make(); !made) return std::move(made).error();
  if (auto given = part.give_to_owner_of(settings.store_path); !given) return std::move(given).error();
  if (auto copied = copy_store(*source, part.path(), settings.progress); !copied)
    return of_backup(std::move(copied).error(), settings.file);
  {
    auto copy = Connection::open(part.path());
    if (!copy) return std::move(copy).error();
    if (auto marked = mark_backup(*copy, settings.taken_at); !marked)
      return of_backup(std::move(marked).error(), settings.file);
    if (auto closed = close_log(*copy); !closed) return of_backup(std::move(closed).error(), settings.file);
  }
  auto facts = examine_backup(part.path());
  if (!facts) return std::move(facts).error().within("backup " + settings.file + " was not kept");
  if (auto synced = part.sync(); !synced) return std::move(synced).error();
  if (auto kept = part.keep(settings.overwrites); !kept) return std::move(kept).error();
  return facts;
}

}  // namespace gantry::store
