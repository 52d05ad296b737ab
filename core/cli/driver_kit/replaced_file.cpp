// SPDX-License-Identifier: Apache-2.0
#include "core/cli/driver_kit/replaced_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <fstream>
#include <iterator>

#include "core/files/descriptor.hpp"
#include "core/files/errno_text.hpp"
#include "core/files/write_all.hpp"

namespace gantry::cli {

namespace {

namespace fs = std::filesystem;

Error failed(const fs::path& path, const std::string& what) {
  const int number = errno;
  const bool is_denied = number == EACCES || number == EPERM || number == EROFS;
  return {is_denied ? ErrorCode::permission_denied : ErrorCode::failed_precondition,
          path.string() + ": " + what + ": " + files::errno_text(number), ""};
}

void sync_directory(const fs::path& directory) {
  const files::Descriptor open(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (open.is_open()) ::fsync(open.number());
}

}  // namespace

Result<std::optional<std::string>> content_of(const fs::path& path) {
  std::error_code none;
  if (!fs::exists(path, none)) return std::optional<std::string>();
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file) return failed(path, "cannot be read");
  return std::optional(std::move(content));
}

fs::path new_beside(const fs::path& path) {
  return path.parent_path() / ("." + path.filename().string() + ".new");
}

Result<void> replace_file(const fs::path& path, std::string_view content, mode_t mode) {
  const fs::path beside = new_beside(path);
  ::unlink(beside.c_str());
  files::Descriptor file(::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file.is_open()) return failed(path, "cannot be written");
  const bool is_whole = files::write_all(file.number(), content) && ::fchmod(file.number(), mode) == 0 &&
                        ::fsync(file.number()) == 0 && ::rename(beside.c_str(), path.c_str()) == 0;
  if (!is_whole) {
    const Error error = failed(path, "cannot be written");
    ::unlink(beside.c_str());
    return error;
  }
  sync_directory(path.parent_path());
  return {};
}

Result<ReplacedFile> ReplacedFile::replace(const fs::path& path, const std::optional<std::string>& content,
                                           mode_t mode) {
  ReplacedFile file;
  file.path_ = path;
  auto before = content_of(path);
  if (!before) return std::move(before).error();
  file.before_ = *std::move(before);
  struct stat status {};
  if (file.before_ && ::stat(path.c_str(), &status) == 0) file.mode_before_ = status.st_mode & 07777u;
  if (content) {
    if (auto written = replace_file(path, *content, mode); !written) return std::move(written).error();
  } else if (::unlink(path.c_str()) != 0 && errno != ENOENT) {
    return failed(path, "cannot be removed");
  }
  return file;
}

Result<void> ReplacedFile::put_back() const {
  if (before_) return replace_file(path_, *before_, mode_before_);
  if (::unlink(path_.c_str()) != 0 && errno != ENOENT) return failed(path_, "cannot be removed");
  return {};
}

}  // namespace gantry::cli
