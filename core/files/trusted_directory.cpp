// SPDX-License-Identifier: Apache-2.0
#include "core/files/trusted_directory.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "core/files/mode_text.hpp"
#include "core/files/write_access.hpp"

namespace gantry::files {

namespace {

Error distrusted(const std::string& whose, const std::string& what, const std::string& why) {
  return Error{ErrorCode::permission_denied, whose + ": " + what + ": " + why, {}};
}

// A user who may write to the directory could replace each of its files.
Result<void> check_directory(const std::string& whose, const std::string& directory) {
  struct stat status {};
  if (stat(directory.c_str(), &status) != 0) return {};  // told by the open that follows
  const auto no = [&](const std::string& why) { return distrusted(whose, "its directory " + directory, why); };
  if (!has_trusted_owner(status)) {
    return no("expected owner root or uid " + std::to_string(geteuid()) + ", found uid " +
              std::to_string(status.st_uid));
  }
  if (!strangers_may_write(status, GroupWrite::own_group_trusted)) return {};
  const std::string found = "expected that only its owner may write to it, found mode " + mode_text(status.st_mode);
  if ((status.st_mode & S_ISVTX) != 0) {
    return no(found + ", a directory for everybody such as /tmp; give it a directory of its own: install -d -m 0700 " +
              (std::filesystem::path(directory) / "gantry").string());
  }
  return no(found + "; run: chmod go-w " + directory + ", or give it a directory of its own");
}

}  // namespace

// A user who may write to a directory above could replace the directory.
Result<void> check_directories_above(const std::string& whose, const std::string& directory) {
  std::error_code fault;
  auto above = std::filesystem::canonical(directory, fault);
  while (!fault && above.has_relative_path()) {
    above = above.parent_path();
    struct stat status {};
    if (stat(above.c_str(), &status) != 0) continue;
    if (!strangers_may_write(status, GroupWrite::ignored, StickyBit::protects)) continue;
    return distrusted(whose, "directory " + above.string() + " above it",
                      "expected that not everybody may write to it, found mode " + mode_text(status.st_mode));
  }
  return {};
}

Result<void> check_trusted_directory(const std::string& whose, const std::string& directory) {
  if (auto checked = check_directory(whose, directory); !checked) return checked;
  return check_directories_above(whose, directory);
}

}  // namespace gantry::files
