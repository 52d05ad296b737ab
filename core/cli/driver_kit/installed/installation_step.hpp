// SPDX-License-Identifier: Apache-2.0
//
// The change of a driver directory and of the configuration as a whole: all of the files, or none.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/cli/driver_kit/installed/installed_drivers.hpp"
#include "core/cli/driver_kit/installed/staging.hpp"
#include "core/cli/driver_kit/replaced_file.hpp"
#include "core/cli/terminal/session.hpp"

namespace gantry::cli {

// The configuration as install and remove find it.
struct Installation {
  config::Loaded loaded;
  ConfiguredDrivers configured;
  InstalledDrivers installed;
  std::filesystem::path directory;  // where drivers are installed: the last of driver_directories
};
Result<Installation> read_installation(const Session& session);

// Reads the configuration for a change. The staging then holds the directory of drivers, and is clear of leftovers.
Result<Installation> hold_installation(const Session& session, std::optional<Staging>& staging);

// Replaces several files. Without a call of keep() its destructor puts everything back.
class FileChanges {
 public:
  explicit FileChanges(Session& session) : session_(session) {}
  ~FileChanges();
  FileChanges(const FileChanges&) = delete;
  FileChanges& operator=(const FileChanges&) = delete;

  // nullopt in place of a content removes the file.
  Result<void> replace(const std::filesystem::path& path, const std::optional<std::string>& content);
  void keep() { files_.clear(); }

 private:
  Session& session_;
  std::vector<ReplacedFile> files_;
};

// Writes the drop-in for these drivers, or removes the drop-in if nothing is installed.
Result<void> write_drop_in(FileChanges& changes, const config::Sources& sources, const InstalledDrivers& installed,
                           const MergedDrivers& lists);

// Checks the configuration as `gantry config check` does. The error has all problems, one on each line.
Result<config::Loaded> check_configuration(const config::Sources& sources, bool tries_drivers_out);

// Has the daemon restart and waits for it, if the user asks so.
Result<void> restart_if_asked(Session& session, bool is_asked);

}  // namespace gantry::cli
