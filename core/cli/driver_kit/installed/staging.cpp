// SPDX-License-Identifier: Apache-2.0
#include "core/cli/driver_kit/installed/staging.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "core/cli/driver_kit/replaced_file.hpp"
#include "core/files/errno_text.hpp"

namespace gantry::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* note_name = "file";

Error cannot_write(const fs::path& directory) {
  const int number = errno;
  const std::string problem = directory.string() + ": cannot be written: " + files::errno_text(number);
  if (number == EACCES || number == EPERM)
    return {ErrorCode::permission_denied, problem + "; run the command as the directory's owner, with sudo say", ""};
  if (number == EROFS)
    return {ErrorCode::permission_denied, problem + "; name a directory that can be last in driver_directories", ""};
  return {ErrorCode::failed_precondition, problem, ""};
}

// Returns whether the path still leads to the open directory, which its holder before may have removed.
bool is_in_place(const files::Descriptor& open, const fs::path& path) {
  struct stat held {};
  struct stat found {};
  return ::fstat(open.number(), &held) == 0 && ::lstat(path.c_str(), &found) == 0 && held.st_ino == found.st_ino &&
         held.st_dev == found.st_dev;
}

bool is_named(const InstalledDrivers& installed, const fs::path& file) {
  return std::ranges::any_of(installed.drivers, [&](const auto& driver) { return driver.second == file.string(); }) ||
         std::ranges::find(installed.libraries, file.filename().string()) != installed.libraries.end();
}

}  // namespace

Result<Staging> Staging::hold(const fs::path& drivers) {
  std::error_code problem;
  fs::create_directories(drivers, problem);
  const fs::path path = drivers / ".install";
  for (;;) {
    if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return cannot_write(drivers);
    files::Descriptor open(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!open.is_open() && errno == ENOENT) continue;
    if (!open.is_open()) return cannot_write(drivers);
    if (::flock(open.number(), LOCK_EX | LOCK_NB) != 0)
      return Error{ErrorCode::failed_precondition,
                   drivers.string() +
                       ": another `gantry driver install` or `gantry driver remove` works there; try again after it",
                   ""};
    if (is_in_place(open, path)) return Staging(path, std::move(open));
  }
}

Staging::~Staging() {
  std::error_code ignored;
  if (held_.is_open()) fs::remove_all(path_, ignored);
}

void Staging::clear_leftovers(const InstalledDrivers& installed, const fs::path& drop_in) const {
  std::error_code ignored;
  fs::remove(new_beside(drop_in), ignored);
  for (const fs::directory_entry& entry : fs::directory_iterator(path_.parent_path(), ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with('.') && name.ends_with(".so.new")) fs::remove(entry.path(), ignored);
  }
  const auto noted = content_of(path_ / note_name);
  const std::string file = noted ? noted->value_or("") : "";
  if (!file.empty() && !is_named(installed, file)) fs::remove(file, ignored);
  for (const fs::directory_entry& entry : fs::directory_iterator(path_, ignored)) fs::remove_all(entry.path(), ignored);
}

Result<void> Staging::note(const fs::path& file) const {
  return replace_file(path_ / note_name, file.string(), 0600);
}

}  // namespace gantry::cli
