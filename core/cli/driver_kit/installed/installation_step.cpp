// SPDX-License-Identifier: Apache-2.0
#include "core/cli/driver_kit/installed/installation_step.hpp"

#include <sys/stat.h>

#include "core/cli/terminal/output.hpp"
#include "core/cli/terminal/restart.hpp"
#include "core/daemon/start_check.hpp"

namespace gantry::cli {

namespace fs = std::filesystem;

Result<Installation> read_installation(const Session& session) {
  auto loaded = config::load(session.sources());
  if (!loaded) return std::move(loaded).error();
  auto configured = read_configured(session.sources());
  if (!configured) return std::move(configured).error();
  auto installed = read_installed(session.sources());
  if (!installed) return std::move(installed).error();
  if (loaded->settings.driver_directories.empty())
    return Error{ErrorCode::invalid_configuration, "driver_directories: expected a directory to install to, found none",
                 ""};
  const fs::path directory = loaded->settings.driver_directories.back();
  return Installation{*std::move(loaded), *std::move(configured), *std::move(installed), directory};
}

Result<Installation> hold_installation(const Session& session, std::optional<Staging>& staging) {
  auto before = read_installation(session);
  if (!before) return before;
  auto held = Staging::hold(before->directory);
  if (!held) return std::move(held).error();
  staging.emplace(*std::move(held));
  auto now = read_installation(session);  // another install may have ended meanwhile
  if (now) staging->clear_leftovers(now->installed, installed_drop_in(session.sources()));
  return now;
}

FileChanges::~FileChanges() {
  for (auto file = files_.rbegin(); file != files_.rend(); ++file)
    if (auto back = file->put_back(); !back) print_warning(session_, back.error().message);
}

Result<void> FileChanges::replace(const fs::path& path, const std::optional<std::string>& content) {
  auto file = ReplacedFile::replace(path, content, 0644);
  if (!file) return std::move(file).error();
  files_.push_back(*std::move(file));
  return {};
}

Result<void> write_drop_in(FileChanges& changes, const config::Sources& sources, const InstalledDrivers& installed,
                           const MergedDrivers& lists) {
  const fs::path path = installed_drop_in(sources);
  if (installed.empty()) return changes.replace(path, std::nullopt);
  std::error_code problem;
  fs::create_directories(path.parent_path(), problem);
  return changes.replace(path, drop_in_text(installed, lists));
}

Result<config::Loaded> check_configuration(const config::Sources& sources, bool tries_drivers_out) {
  auto loaded = config::load(sources);
  if (!loaded) return loaded;
  const auto checked =
      daemon::check_start(*loaded, tries_drivers_out ? daemon::DriverCheck::tried_out : daemon::DriverCheck::judged);
  if (checked.problems.empty()) return loaded;
  return Error{checked.problems.front().code, checked.problem_lines(), ""};
}

Result<void> restart_if_asked(Session& session, bool is_asked) {
  if (!is_asked) return {};
  const auto restarted = restart_and_wait(session, std::nullopt);
  if (!restarted) return restarted.error();
  return {};
}

}  // namespace gantry::cli
