// SPDX-License-Identifier: Apache-2.0
#include "core/store/sqlite_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "core/files/errno_text.hpp"
#include "core/files/trusted_directory.hpp"
#include "core/files/write_access.hpp"
#include "core/store/lock_holder.hpp"

namespace gantry::store {

namespace {

ErrorCode code_for(int number) {
  switch (number) {
    case EACCES:
    case EPERM:
    case EROFS: return ErrorCode::permission_denied;
    case ENOSPC:
    case EDQUOT: return ErrorCode::resource_exhausted;
    default: return ErrorCode::unavailable;
  }
}

std::string directory_of(const std::string& store_path) {
  const auto parent = std::filesystem::path(store_path).parent_path();
  return parent.empty() ? "." : parent.string();
}

// The lock file holds two lines of fixed width: the process's number, filled up with blanks, and the commit record.
Result<CommitNumber> answered_by(const files::Descriptor& lock_file, const std::string& store_path) {
  std::string text(commit_record(0).size(), '\0');
  const ssize_t size = pread(lock_file.number(), text.data(), text.size(), lock_holder_size);
  if (size < 0) {
    const int number = errno;
    return Error{
        ErrorCode::unavailable,
        "store " + store_path + ": its lock file " + store_path + ".lock cannot be read: " + files::errno_text(number),
        {}};
  }
  return read_commit_record(std::string_view(text).substr(0, static_cast<std::size_t>(size)));
}

std::string hexadecimal(std::int64_t number) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "0x%08llx", static_cast<unsigned long long>(number));
  return text.data();
}

Error foreign(const std::string& path, const std::string& found) {
  return Error{ErrorCode::failed_precondition,
               "store " + path + ": not a Gantry store: " + found + "; name another file, this one was left as it is",
               {}};
}

std::int64_t size_of(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 ? status.st_size : 0;
}

// SQLite would take the empty file for a new database, and delete the log.
Result<void> check_empty(const std::string& path) {
  const auto log = size_of(path + "-wal");
  if (log == 0) return {};
  return Error{ErrorCode::failed_precondition,
               "store " + path + ": damaged: it is empty, while its log " + path + "-wal holds " + std::to_string(log) +
                   " bytes; both were left as they are: put a copy in its place",
               {}};
}

// The power failed while SQLite wrote the first page. SQLite rolls back with the journal and starts over.
bool is_cut_short(const std::string& path, std::string_view header) {
  return header.find_first_not_of('\0') == std::string_view::npos && size_of(path + "-journal") > 0;
}

constexpr int open_flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

std::string named_store(const std::string& store_path) {
  return "store " + store_path;
}

// A link or a second name would let two processes use one store, each with a lock and a log of its own. The owner of
// the file could change it at any time.
Result<void> check_is_own(const std::string& store_path, const std::string& path, const struct stat& status) {
  const auto no = [&](const std::string& why) {
    return Error{ErrorCode::permission_denied, named_store(store_path) + ": " + path + ": " + why, {}};
  };
  if (S_ISLNK(status.st_mode)) return no("expected the file itself, found a symbolic link; name what it points to");
  if (!S_ISREG(status.st_mode)) return no("expected a regular file, found another kind");
  if (!files::has_trusted_owner(status)) {
    return no("expected owner root or uid " + std::to_string(geteuid()) + ", found uid " +
              std::to_string(status.st_uid) + "; find out who put it there");
  }
  if (status.st_nlink != 1)
    return no("expected one name of the file, found " + std::to_string(status.st_nlink) + " (hard links)");
  return {};
}

// The application id in the header is 0 until the first checkpoint writes it.
Result<void> check_header(const std::string& path, const files::Descriptor& file, std::int64_t size) {
  if (size == 0) return check_empty(path);
  constexpr std::string_view magic("SQLite format 3\0", 16);
  std::array<unsigned char, 100> header{};
  const ssize_t got = pread(file.number(), header.data(), header.size(), 0);
  if (got < 0)
    return Error{ErrorCode::unavailable, "store " + path + ": cannot be read: " + files::errno_text(errno), {}};
  const std::string_view text(reinterpret_cast<const char*>(header.data()), static_cast<std::size_t>(got));
  if (is_cut_short(path, text)) return {};
  if (text.size() < header.size() || text.substr(0, magic.size()) != magic) {
    return foreign(
        path, "expected an SQLite database, found a file of " + std::to_string(size) + " bytes with another beginning");
  }
  std::int64_t found = 0;
  for (std::size_t i = 68; i < 72; ++i) found = found << 8 | header[i];
  if (found == application_id || found == 0) return {};
  return foreign(path, "expected application id " + hexadecimal(application_id) + ", found " + hexadecimal(found));
}

// A killed process may have written its last commit without syncing it. What this start reads, and answers from, has to
// survive a power loss.
Result<void> sync_log(const std::string& store_path) {
  const std::string path = store_path + "-wal";
  const files::Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  if (!file.is_open() && errno == ENOENT) return {};
  if (file.is_open() && fdatasync(file.number()) == 0) return {};
  const int number = errno;
  return Error{number == EACCES ? ErrorCode::permission_denied : ErrorCode::unavailable,
               "store " + store_path + ": its log " + path + " cannot be " +
                   (file.is_open() ? "synced" : "opened for reading") + ": " + files::errno_text(number),
               {}};
}

Error may_not_write(const std::string& store_path, const std::string& what) {
  const int number = errno;
  return Error{code_for(number),
               "store " + store_path + ": expected that this user may write " + what + ": " +
                   files::errno_text(number) + "; the user that runs gantry must be able to write that directory",
               {}};
}

bool may_write(const std::string& path, int mode) {
  return faccessat(AT_FDCWD, path.c_str(), mode, AT_EACCESS) == 0;
}

}  // namespace

Result<void> check_place(const std::string& store_path) {
  const std::string directory = directory_of(store_path);
  struct stat status {};
  if (stat(directory.c_str(), &status) != 0) {
    if (errno != ENOENT) return may_not_write(store_path, "its directory " + directory);
    const std::string above = directory_of(directory);
    if (may_write(above, W_OK | X_OK)) return files::check_directories_above(named_store(store_path), above);
    return may_not_write(store_path, above + ", for its directory " + directory + " is missing");
  }
  if (!S_ISDIR(status.st_mode)) {
    errno = ENOTDIR;
    return may_not_write(store_path, "its directory " + directory);
  }
  if (auto checked = files::check_trusted_directory(named_store(store_path), directory); !checked) return checked;
  if (!may_write(directory, W_OK | X_OK)) return may_not_write(store_path, "its directory " + directory);
  for (const char* const suffix : {"", "-wal", "-shm", "-journal", ".lock"}) {
    const std::string path = store_path + suffix;
    if (lstat(path.c_str(), &status) != 0) continue;
    if (auto own = check_is_own(store_path, path, status); !own) return own;
    if (!may_write(path, R_OK | W_OK)) return may_not_write(store_path, path);
  }
  return {};
}

Result<StoreLock> StoreLock::take(const std::string& store_path) {
  const std::string path = store_path + ".lock";
  const std::string directory = directory_of(store_path);
  if (auto checked = files::check_trusted_directory(named_store(store_path), directory); !checked)
    return std::move(checked).error();
  struct stat status {};
  if (lstat(path.c_str(), &status) == 0) {
    if (auto own = check_is_own(store_path, path, status); !own) return std::move(own).error();
  }
  files::Descriptor file(open(path.c_str(), open_flags, 0600));
  if (!file.is_open()) {
    const int number = errno;
    return Error{code_for(number),
                 "store " + store_path + ": cannot make " + path + ": " + files::errno_text(number) +
                     "; the user that runs gantry must be able to write that directory",
                 {}};
  }
  if (flock(file.number(), LOCK_EX | LOCK_NB) != 0) {
    return Error{ErrorCode::unavailable,
                 "store " + store_path + ": already used by " + lock_holder(file) +
                     "; a store serves one gantry at a time: stop that one or name another store",
                 {}};
  }
  const auto answered = answered_by(file, store_path);
  if (!answered) return answered.error();
  write_lock_holder(file);
  return StoreLock(store_path, std::move(file), *answered);
}

Result<void> StoreLock::check() const {
  struct stat own {};
  struct stat there {};
  if (fstat(file_.number(), &own) != 0) return {};
  const bool is_there = stat((store_path_ + ".lock").c_str(), &there) == 0;
  if (is_there ? own.st_dev == there.st_dev && own.st_ino == there.st_ino : errno != ENOENT) return {};
  return Error{ErrorCode::unavailable,
               "store " + store_path_ + ": its lock file " + store_path_ + ".lock was " +
                   (is_there ? "replaced" : "removed") +
                   " while this process uses the store, so that another one may use it as well; changes are refused: "
                   "end each gantryd that uses this store, and start one",
               {}};
}

void StoreLock::record(CommitNumber number) const {
  const auto text = commit_record(number);
  if (pwrite(file_.number(), text.data(), text.size(), lock_holder_size) < 0) return;
}

Result<void> make_directory(const std::string& store_path) {
  const std::string directory = directory_of(store_path);
  if (mkdir(directory.c_str(), 0750) == 0 || errno == EEXIST) return {};
  const int number = errno;
  return Error{code_for(number),
               "store " + store_path + ": its directory " + directory + " is missing and cannot be made: " +
                   files::errno_text(number) + "; make it, owned by the user that runs gantry",
               {}};
}

Result<void> sync_directory(const std::string& path) {
  const std::string directory = directory_of(path);
  const files::Descriptor file(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (file.is_open() && fsync(file.number()) == 0) return {};
  const int number = errno;
  return Error{code_for(number),
               "store " + path + ": cannot sync its directory " + directory + ": " + files::errno_text(number),
               {}};
}

Result<void> prepare_file(const std::string& store_path) {
  struct stat status {};
  for (const char* const suffix : {"", "-wal", "-shm", "-journal"}) {
    const std::string path = store_path + suffix;
    if (lstat(path.c_str(), &status) != 0) continue;
    if (auto own = check_is_own(store_path, path, status); !own) return own;
  }
  const files::Descriptor file(open(store_path.c_str(), open_flags, 0600));
  if (!file.is_open() || fstat(file.number(), &status) != 0) {
    const int number = errno;
    return Error{code_for(number),
                 "store " + store_path + ": cannot be opened for reading and writing: " + files::errno_text(number),
                 {}};
  }
  if (!S_ISREG(status.st_mode)) return foreign(store_path, "expected a regular file");
  if (auto checked = check_header(store_path, file, status.st_size); !checked) return checked;
  if (auto synced = sync_log(store_path); !synced) return synced;
  return status.st_size == 0 ? sync_directory(store_path) : Result<void>();
}

// By path: to close a descriptor of a file releases the locks that SQLite has on it.
void close_to_others(const std::string& store_path, telemetry::Logger& logger) {
  for (const char* const suffix : {"", "-wal", "-shm"}) {
    const std::string path = store_path + suffix;
    struct stat status {};
    if (lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || (status.st_mode & 0077) == 0) continue;
    if (chmod(path.c_str(), 0600) != 0) continue;
    logger.write(telemetry::Level::warning, "store was open to other users, its mode is now 0600", {{"path", path}});
  }
}

}  // namespace gantry::store
