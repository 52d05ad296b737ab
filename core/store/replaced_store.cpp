// SPDX-License-Identifier: Apache-2.0
#include "core/store/replaced_store.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/files/descriptor.hpp"
#include "core/files/errno_text.hpp"
#include "core/store/sqlite_file.hpp"
#include "core/telemetry/utc_text.hpp"

namespace gantry::store {

namespace {

Error restore_failed(const std::string& what, const std::string& path, int number) {
  const bool is_refused = number == EACCES || number == EPERM || number == EROFS;
  return {is_refused ? ErrorCode::permission_denied : ErrorCode::unavailable,
          "restore: " + what + " " + path + ": " + files::errno_text(number),
          {}};
}

}  // namespace

bool is_there(const std::string& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0;
}

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

Result<void> move_aside(const std::string& store_path, const std::string& kept_as) {
  // SQLite leaves an empty log behind a connection that only read.
  std::error_code none;
  if (std::filesystem::file_size(store_path + "-wal", none) == 0 && !none) unlink((store_path + "-wal").c_str());
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

Replacement::~Replacement() {
  if (!is_in_place_) remove_files();
}

Result<void> Replacement::make() const {
  remove_files();  // the remains of a restore that was interrupted
  const files::Descriptor made(open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  return made.is_open() ? Result<void>() : restore_failed("cannot make", path_, errno);
}

Result<void> Replacement::sync() const {
  const files::Descriptor file(open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  return file.is_open() && fsync(file.number()) == 0 ? Result<void>() : restore_failed("cannot sync", path_, errno);
}

Result<void> Replacement::put_in_place() {
  if (rename(path_.c_str(), store_path_.c_str()) != 0) return restore_failed("cannot rename", path_, errno);
  is_in_place_ = true;
  return sync_directory(store_path_);
}

void Replacement::remove_files() const {
  for (const char* const suffix : {"", "-wal", "-shm", "-journal"}) unlink((path_ + suffix).c_str());
}

}  // namespace gantry::store
