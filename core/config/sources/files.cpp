// SPDX-License-Identifier: Apache-2.0
#include "core/config/sources/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "core/files/descriptor.hpp"
#include "core/files/errno_text.hpp"
#include "core/files/write_access.hpp"

namespace gantry::config {

namespace {

constexpr std::size_t largest_file = std::size_t{4} << 20U;

Error unreadable(const std::string& path, const std::string& why) {
  return {ErrorCode::invalid_configuration, path + ": expected a readable file, found: " + why, ""};
}

}  // namespace

Result<std::optional<FileText>> read_file(const std::string& path) {
  const files::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) {
    if (errno == ENOENT) return std::optional<FileText>();
    return unreadable(path, files::errno_text(errno));
  }
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) return unreadable(path, files::errno_text(errno));
  if (S_ISDIR(status.st_mode)) return unreadable(path, "a directory");
  FileText read;
  read.others_may_write = S_ISREG(status.st_mode) && files::strangers_may_write(status, files::GroupWrite::ignored);
  read.others_may_read = S_ISREG(status.st_mode) && (status.st_mode & S_IROTH) != 0;
  std::array<char, 65536> buffer{};
  for (;;) {
    const ssize_t count = ::read(file.number(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return unreadable(path, files::errno_text(errno));
    if (count == 0) return std::optional<FileText>(std::move(read));
    read.text.append(buffer.data(), static_cast<std::size_t>(count));
    if (read.text.size() > largest_file) return unreadable(path, "more than 4 MiB");
  }
}

Result<std::optional<std::vector<std::string>>> drop_ins(const std::string& directory) {
  namespace fs = std::filesystem;
  std::error_code fault;
  fs::directory_iterator at(directory, fault);
  if (fault == std::errc::no_such_file_or_directory) return std::optional<std::vector<std::string>>();
  std::vector<std::string> names;
  for (; !fault && at != fs::directory_iterator(); at.increment(fault)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with('.') && name.ends_with(".toml")) names.push_back(at->path().string());
  }
  if (fault)
    return Error{ErrorCode::invalid_configuration,
                 directory + ": expected a readable directory of drop-in files, found: " + fault.message(), ""};
  std::sort(names.begin(), names.end());
  return std::optional<std::vector<std::string>>(std::move(names));
}

}  // namespace gantry::config
