// SPDX-License-Identifier: Apache-2.0
#include "core/daemon/start_check.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/config/nova/wanted_files.hpp"
#include "core/daemon/policy/http_policy_services.hpp"
#include "core/daemon/service_user.hpp"
#include "core/drivers/creation_limit.hpp"
#include "core/drivers/driver_trial.hpp"
#include "core/scheduling/profiles/profile_check.hpp"
#include "core/scheduling/service/settings.hpp"
#include "core/store/archive/decision_archive.hpp"
#include "core/store/sqlite_store.hpp"
#include "core/transport/http_server.hpp"

namespace gantry::daemon {

namespace {

void try_out(const config::Settings& settings, drivers::CheckedDrivers& checked) {
  std::vector<drivers::CheckedFile> accepted;
  for (drivers::CheckedFile& driver : checked.drivers) {
    auto tried = drivers::try_driver(settings, driver, drivers::longest_creation(settings));
    const auto section = settings.drivers.find(driver.id);
    if (tried) {
      accepted.push_back(std::move(driver));
    } else if (section == settings.drivers.end() || section->second.required) {
      checked.problems.push_back(std::move(tried).error());
    } else {
      checked.skipped.emplace_back(driver.id, std::move(tried).error());
    }
  }
  checked.drivers = std::move(accepted);
}

void judge_drivers(const config::Settings& settings, DriverCheck kind, fleet::Fleet& fleet, StartCheck& found) {
  if (kind == DriverCheck::left_out) return;
  found.drivers = drivers::check_drivers(
      settings, [&](const drivers::Manifest& manifest) { return scheduling::declare(fleet, manifest, settings); });
}

void judge_profiles(const config::Settings& settings, StartCheck& found) {
  std::vector<scheduling::ProfileDriver> drivers;
  for (const auto& driver : found.drivers.drivers) drivers.push_back({driver.id, driver.file->manifest.topics});
  auto profiles = scheduling::check_profiles(settings, drivers);
  std::ranges::move(profiles.problems, std::back_inserter(found.problems));
  std::ranges::move(profiles.warnings, std::back_inserter(found.warnings));
}

// No code of a driver runs for a configuration that is refused anyway.
void take_drivers(const config::Settings& settings, DriverCheck kind, StartCheck& found) {
  if (kind == DriverCheck::tried_out && found.problems.empty() && found.drivers.problems.empty())
    try_out(settings, found.drivers);
  auto& problems = found.drivers.problems;
  found.problems.insert(found.problems.begin(), std::make_move_iterator(problems.begin()),
                        std::make_move_iterator(problems.end()));
  problems.clear();
  // The start logs these two as it loads the drivers.
  if (kind == DriverCheck::judged) return;
  std::ranges::move(found.drivers.warnings, std::back_inserter(found.warnings));
  for (const auto& [id, error] : found.drivers.skipped)
    found.warnings.push_back("driver " + id + " is not required and would be left out: " + error.message);
}

void take_places(const config::Settings& settings, DriverCheck drivers, StartCheck& found) {
  auto server = transport::HttpServer::check(settings.server);
  std::ranges::move(server.problems, std::back_inserter(found.problems));
  // The start logs these as it opens the sockets.
  if (drivers != DriverCheck::judged) std::ranges::move(server.warnings, std::back_inserter(found.warnings));
  std::ranges::move(HttpPolicyServices::check(settings.policy_services), std::back_inserter(found.problems));
  if (auto log = telemetry::Logger::check(log_settings(settings)); !log)
    found.problems.push_back(std::move(log).error());
  for (std::string& problem : config::nova::read_wanted_files(settings.nova.config_files).problems)
    found.problems.push_back(Error{ErrorCode::permission_denied, std::move(problem), ""});
  if (auto store = store::check_sqlite_place(settings.store.path); !store)
    found.problems.push_back(std::move(store).error());
  if (const auto decisions = scheduling::decision_log_settings(settings, nullptr)) {
    if (auto archive = store::check_archive_place(decisions->archive.directory); !archive)
      found.problems.push_back(std::move(archive).error());
  }
}

}  // namespace

telemetry::LogSettings log_settings(const config::Settings& settings) {
  telemetry::LogSettings log;
  log.level = telemetry::level_of(settings.log.level).value_or(telemetry::Level::info);
  log.format = telemetry::format_of(settings.log.format);
  log.file = settings.log.file;
  return log;
}

std::string StartCheck::problem_lines() const {
  std::string lines;
  for (const Error& problem : problems) lines.append(lines.empty() ? "" : "\n").append(problem.message);
  return lines;
}

StartCheck check_start(const config::Loaded& loaded, fleet::Fleet& fleet) {
  StartCheck found;
  found.warnings = loaded.warnings;
  judge_drivers(loaded.settings, DriverCheck::judged, fleet, found);
  judge_profiles(loaded.settings, found);
  take_places(loaded.settings, DriverCheck::judged, found);
  take_drivers(loaded.settings, DriverCheck::judged, found);
  return found;
}

StartCheck check_start(const config::Loaded& loaded, DriverCheck drivers) {
  fleet::Fleet fleet(scheduling::fleet_settings(loaded.settings));
  StartCheck found;
  found.warnings = loaded.warnings;
  const ServiceUser user(loaded.settings);
  judge_drivers(loaded.settings, drivers, fleet, found);
  judge_profiles(loaded.settings, found);
  if (user.obstacle().empty()) {
    take_places(loaded.settings, drivers, found);
  } else {
    found.warnings.push_back(user.obstacle());
  }
  take_drivers(loaded.settings, drivers, found);
  return found;
}

}  // namespace gantry::daemon
