// SPDX-License-Identifier: Apache-2.0
#include "core/cli/upkeep/upgrade_check.hpp"

#include <sys/statvfs.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/cli/nova/helper_program.hpp"
#include "core/daemon/start_check.hpp"
#include "core/drivers/driver_check.hpp"
#include "core/encoding/json.hpp"
#include "core/store/archive/archive_segment.hpp"
#include "core/store/sqlite_backup.hpp"
#include "gantry/driver.h"

namespace gantry::cli {

namespace {

namespace fs = std::filesystem;

using Findings = std::vector<UpgradeFinding>;
using Status = UpgradeStatus;

std::string lines_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text.append(text.empty() ? "" : "\n").append(line);
  return text;
}

// ---- drivers

std::string accepted_text(const drivers::CheckedFile& driver, bool is_pinned) {
  const auto& manifest = driver.file->manifest;
  std::string text = "version " + manifest.version + ", built for ABI " + std::to_string(manifest.abi_major) + "." +
                     std::to_string(manifest.abi_minor) + ", this one has " GANTRY_ABI_TEXT;
  if (is_pinned) text += ", its pinned hash fits";
  return text;
}

void check_drivers(const config::Settings& settings, Findings& findings) {
  const auto checked = drivers::check_drivers(settings, nullptr);
  for (const auto& driver : checked.drivers) {
    const auto section = settings.drivers.find(driver.id);
    const bool is_pinned = section != settings.drivers.end() && !section->second.sha256.empty();
    findings.push_back({"driver " + driver.id, Status::success, accepted_text(driver, is_pinned)});
  }
  for (const auto& [id, error] : checked.skipped)
    findings.push_back({"driver " + id, Status::warning, "not required, would be left out: " + error.message});
  for (const auto& warning : checked.warnings) findings.push_back({"drivers", Status::warning, warning});
  for (const auto& problem : checked.problems) findings.push_back({"drivers", Status::failure, problem.message});
}

// ---- a deployment of Nova

// A default that a newer version of Gantry moves.
void check_level(const config::Settings& settings, Findings& findings) {
  const auto driver = settings.drivers.find("filter");
  if (driver == settings.drivers.end()) return;
  const auto level = driver->second.options.find("compatibility");
  if (level == driver->second.options.end() || level->second.origin != "default of Nova") return;
  findings.push_back({"nova", Status::warning,
                      "[driver.filter] compatibility does not name the release of the deployment, which counts as " +
                          settings.nova.release +
                          ", the newest that this version knows; gantry config import-nova --serve finds the release"});
}

// Its brokers and databases are not asked: gantry nova check takes up to a minute for that.
void check_nova(const config::Settings& settings, Findings& findings) {
  if (!settings.nova.is_configured()) return;
  check_level(settings, findings);
  if (const auto program = find_nova_check(); !program)
    findings.push_back({"nova", Status::failure, "nova.config_files is set: " + program.error().message});
  else
    findings.push_back({"nova", Status::success,
                        "its files can be read, and the programs for it are installed; its brokers and databases are "
                        "judged by: gantry nova check"});
}

// ---- files and directories

void check_places(const config::Loaded& loaded, Findings& findings) {
  const auto checked = daemon::check_start(loaded, daemon::DriverCheck::left_out);
  std::vector<std::string> warnings;
  for (const auto& warning : checked.warnings)
    if (std::ranges::find(loaded.warnings, warning) == loaded.warnings.end()) warnings.push_back(warning);
  if (!checked.problems.empty()) {
    findings.push_back({"files and directories", Status::failure, checked.problem_lines()});
  } else if (!warnings.empty()) {
    findings.push_back({"files and directories", Status::warning, lines_of(warnings)});
  } else {
    findings.push_back({"files and directories", Status::success,
                        "store, log, socket, certificate and key may be used by the service's user"});
  }
}

// ---- the store

std::uint64_t size_of(const std::string& path) {
  std::error_code fault;
  const auto size = fs::file_size(path, fault);
  return fault ? 0 : static_cast<std::uint64_t>(size);
}

std::string mebibytes(std::uint64_t bytes) {
  constexpr std::uint64_t mebi = std::uint64_t{1} << 20;
  return std::to_string((bytes + mebi - 1) / mebi) + " MiB";
}

void check_space(const std::string& store_path, bool migrates, Findings& findings) {
  const auto directory = fs::path(store_path).parent_path();
  struct statvfs space {};
  if (statvfs(directory.empty() ? "." : directory.c_str(), &space) != 0) return;
  const std::uint64_t free = std::uint64_t{space.f_bavail} * space.f_frsize;
  // A copy beside the store, and the log of the migration.
  const std::uint64_t wanted = 2 * (size_of(store_path) + size_of(store_path + "-wal"));
  const std::string text = mebibytes(free) + " free beside the store, a copy and its log take " + mebibytes(wanted);
  if (free >= wanted) {
    findings.push_back({"disk", Status::success, text});
  } else {
    findings.push_back({"disk", migrates ? Status::failure : Status::warning, text});
  }
}

UpgradeFinding store_finding(const std::string& path, int schema) {
  const int newest = store::newest_schema();
  const std::string found = "schema " + std::to_string(schema);
  if (schema == newest) return {"store", Status::success, found + ", as this version writes it: " + path};
  if (schema > newest)
    return {"store", Status::failure,
            found + " is of a newer gantry, this one knows " + std::to_string(newest) + ": " + path +
                "; install that version, or restore a backup of before"};
  if (schema == 0) return {"store", Status::success, "empty: " + path};
  return {"store", Status::warning,
          found + " is migrated to " + std::to_string(newest) + " at the start, after a copy to " + path + ".v" +
              std::to_string(schema) + ".bak; older versions cannot read the store from then on: take a backup first"};
}

void check_store(const std::string& path, Findings& findings) {
  std::error_code fault;
  if (!fs::exists(path, fault) && !fault) {
    findings.push_back({"store", Status::success, "none yet: " + path});
    return;
  }
  const auto facts = store::examine_store(path);
  if (!facts) {
    // A store of another user may be sound.
    const bool is_hidden = facts.error().code == ErrorCode::permission_denied;
    findings.push_back({"store", is_hidden ? Status::warning : Status::failure, facts.error().message});
    return;
  }
  findings.push_back(store_finding(path, facts->schema));
  check_space(path, facts->schema != 0 && facts->schema < store::newest_schema(), findings);
}

// ---- the archive of decisions

void check_archive(const config::Settings& settings, Findings& findings) {
  const fs::path directory = settings.decisions.directory.empty()
                                 ? fs::path(settings.store.path).parent_path() / "decisions"
                                 : fs::path(settings.decisions.directory);
  std::error_code fault;
  std::size_t known = 0;
  std::vector<std::string> refused;
  for (fs::directory_iterator each(directory, fault), end; !fault && each != end; each.increment(fault)) {
    if (!store::SegmentName::parse(each->path().filename().string())) continue;
    if (store::is_unfinished_segment(each->path().string())) continue;
    const auto opened = store::open_segment_to_read(each->path().string());
    if (opened)
      ++known;
    else
      refused.push_back(opened.error().message);
  }
  if (fault && fault != std::errc::no_such_file_or_directory) {
    findings.push_back({"decisions", Status::warning, directory.string() + ": " + fault.message()});
  } else if (!refused.empty()) {
    findings.push_back(
        {"decisions", Status::warning, "not readable, answers about that time are lost:\n" + lines_of(refused)});
  } else {
    findings.push_back({"decisions", Status::success, std::to_string(known) + " files of the archive, all readable"});
  }
}

// ---- the daemon

// A file that was replaced or removed since the process began is named so.
bool is_replaced(std::int64_t pid) {
  std::error_code fault;
  const auto program = fs::read_symlink("/proc/" + std::to_string(pid) + "/exe", fault);
  return !fault && program.string().ends_with(" (deleted)");
}

std::vector<std::string> pending_of(const json::object& status) {
  std::vector<std::string> pending;
  const auto version = std::string(json::find_string(status, "version").value_or(""));
  if (version != GANTRY_VERSION)
    pending.push_back("version " + version + " runs, " GANTRY_VERSION " is installed: restart it");
  else if (is_replaced(json::find_integer(status, "pid").value_or(0)))
    pending.emplace_back("the program was replaced since it began: restart it");
  const json::array* drivers = json::find_array(status, "drivers");
  if (drivers == nullptr) return pending;
  for (const json::value& value : *drivers) {
    if (!value.is_object()) continue;
    const auto& driver = value.get_object();
    const auto on_disk = json::find_string(driver, "on_disk").value_or("same");
    if (on_disk == "same") continue;
    pending.push_back("driver " + std::string(json::find_string(driver, "id").value_or("")) +
                      " runs, and its file is " + std::string(on_disk));
  }
  return pending;
}

void check_daemon(Session& session, Findings& findings) {
  auto status = session.call_if_running("status", {}, std::chrono::seconds(5));
  if (!status) {
    const bool is_off = status.error().code == ErrorCode::unavailable;
    findings.push_back({"daemon", is_off ? Status::success : Status::warning,
                        is_off ? "does not run, or is not reached" : status.error().message});
    return;
  }
  if (!status->is_object()) return;
  const auto& object = status->get_object();
  auto pending = pending_of(object);
  for (const char* const list : {"unready_reasons", "warnings"}) {
    const json::array* texts = json::find_array(object, list);
    if (texts == nullptr) continue;
    for (const json::value& text : *texts)
      if (text.is_string()) pending.emplace_back(text.get_string());
  }
  if (pending.empty())
    findings.push_back({"daemon", Status::success, "version " GANTRY_VERSION " runs, as installed"});
  else
    findings.push_back({"daemon", Status::warning, lines_of(pending)});
}

}  // namespace

std::vector<UpgradeFinding> check_upgrade(Session& session) {
  Findings findings;
  const auto loaded = config::load(session.sources());
  if (!loaded) {
    // Where things are is not known either.
    findings.push_back({"configuration", Status::failure, loaded.error().message});
    return findings;
  }
  if (loaded->warnings.empty())
    findings.push_back({"configuration", Status::success, "every key is known to this version"});
  else
    findings.push_back({"configuration", Status::warning, lines_of(loaded->warnings)});
  check_drivers(loaded->settings, findings);
  check_nova(loaded->settings, findings);
  check_places(*loaded, findings);
  check_store(loaded->settings.store.path, findings);
  check_archive(loaded->settings, findings);
  check_daemon(session, findings);
  return findings;
}

UpgradeStatus worst_of(const std::vector<UpgradeFinding>& findings) {
  auto worst = UpgradeStatus::success;
  for (const auto& finding : findings) worst = std::max(worst, finding.status);
  return worst;
}

}  // namespace gantry::cli
