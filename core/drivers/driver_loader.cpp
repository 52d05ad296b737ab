// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/driver_loader.hpp"

#include <algorithm>
#include <filesystem>

#include "core/drivers/driver_set.hpp"
#include "core/drivers/driver_state.hpp"
#include "core/drivers/file/refusal.hpp"
#include "core/drivers/isolated/isolated_driver.hpp"
#include "core/drivers/judge/driver_files.hpp"
#include "core/drivers/load/crash_report.hpp"
#include "core/drivers/load/entry.hpp"
#include "core/drivers/load/library.hpp"
#include "core/drivers/load/load_watch.hpp"
#include "core/drivers/turn_watch.hpp"

namespace gantry::drivers {
namespace {

// How many calls may run in a driver at a time. A re-entrant driver may use every worker. Some hold their threads for
// long, and others take the place of these threads.
std::uint32_t places_of(const Manifest& manifest, const config::Settings& settings) {
  constexpr std::uint32_t least = 4;
  return manifest.threads == Threads::serial ? 1 : std::max(least, settings.server.worker_count());
}

}  // namespace

std::string fatal_requests_file(const config::Settings& settings) {
  return (std::filesystem::path(settings.store.path).parent_path() / "crashed-requests").string();
}

DriverLoader::DriverLoader(const config::Settings& settings, std::shared_ptr<telemetry::Logger> logger,
                           std::shared_ptr<telemetry::Counters> counters)
    : settings_(settings),
      logger_(std::move(logger)),
      counters_(std::move(counters)),
      check_(settings),
      watch_(std::make_shared<TurnWatch>()),
      fatal_requests_(std::make_shared<FatalRequests>(fatal_requests_file(settings))) {}

Result<gantry_driver_ops> DriverLoader::load_code(const DriverFile& file) const {
  const auto load = [&] {
    const CrashNote note(file.manifest.id, "dlopen", {}, file.path);
    return load_library(file, settings_.seal_drivers, *logger_);
  };
  const Result<const Library*> library = load();
  if (!library) return library.error();
  return check_entry(file, **library);
}

Result<std::unique_ptr<Driver>> DriverLoader::start(DriverFile file) const {
  const std::string id = file.manifest.id;
  const LoadWatch watch(logger_, "driver", id, file.path);
  // In a process of its own the driver is loaded there.
  const bool is_isolated = isolated::runs_apart(file.manifest, check_.section_of(id));
  const Result<gantry_driver_ops> ops = is_isolated ? Result<gantry_driver_ops>(gantry_driver_ops{}) : load_code(file);
  if (!ops) return ops.error();
  auto driver = std::make_unique<Driver>();
  const auto timeout = settings_.scheduling.call_timeout;
  const Turns::Bounds bounds{places_of(file.manifest, settings_), timeout};
  driver->state_ = std::make_unique<Driver::State>(std::move(file), bounds, logger_, watch_, fatal_requests_);
  auto instance = DriverInstance::create(driver->file(), *ops,
                                         {check_.section_of(id), timeout, settings_.seal_drivers, logger_, counters_});
  if (!instance) return std::move(instance).error();
  driver->state_->instance = *std::move(instance);
  driver->state_->ops = driver->state_->instance->ops();
  const DriverFile& kept = driver->file();
  logger_->write(telemetry::Level::info, "The driver is ready",
                 {{"driver", id}, {"version", kept.manifest.version}, {"path", kept.path}, {"sha256", kept.sha256}});
  return driver;
}

void DriverLoader::skip(DriverSet& set, const std::string& id, Error error) const {
  logger_->write(telemetry::Level::warning, "The driver is not loaded, the start goes on without it",
                 {{"driver", id}, {"reason", error.message}});
  set.state_->skipped.emplace_back(id, std::move(error));
}

void DriverLoader::load_fallbacks(DriverSet& set, CheckedDrivers& checked, std::vector<Error>& problems,
                                  const Late& late) const {
  for (CheckedFile& fallback : checked.fallbacks) {
    const CreationLimit limit(fallback.id, fallback.path, longest_creation(settings_), late);
    Result<std::unique_ptr<Driver>> started = start(*std::move(fallback.file));
    if (!started) {
      problems.push_back(std::move(started).error().within("loading driver '" + fallback.id + "'"));
      continue;
    }
    set.state_->drivers.push_back(*std::move(started));
  }
  for (const auto& driver : set.state_->drivers) {
    auto* const fallback = set.named(check_.section_of(driver->manifest().id).fallback);
    if (fallback != nullptr) set.state_->fallbacks[driver.get()] = fallback;
  }
}

Result<DriverSet> DriverLoader::load(CheckedDrivers checked, const Late& late) {
  if (!checked.problems.empty()) return joined(checked.problems);
  for (const std::string& warning : checked.warnings) logger_->write(telemetry::Level::warning, warning);
  DriverSet set;
  for (auto& [id, error] : checked.skipped) skip(set, id, std::move(error));
  std::vector<Error> problems;
  for (CheckedFile& driver : checked.drivers) {
    const CreationLimit limit(driver.id, driver.path, longest_creation(settings_), late);
    Result<std::unique_ptr<Driver>> started = start(*std::move(driver.file));
    if (!started && check_.section_of(driver.id).required) {
      problems.push_back(std::move(started).error().within("loading driver '" + driver.id + "'"));
    } else if (!started) {
      skip(set, driver.id, std::move(started).error());
    } else {
      for (const std::string& topic : (*started)->manifest().topics)
        set.state_->by_topic.emplace(topic, started->get());
      set.state_->drivers.push_back(*std::move(started));
    }
  }
  load_fallbacks(set, checked, problems, late);
  if (!problems.empty()) return joined(problems);
  DriverInstances::Held held;
  for (const auto& driver : set.state_->drivers) held.emplace_back(driver.get(), driver->instance());
  set.state_->in_use = std::make_shared<DriverInstances>(std::move(held));
  return set;
}

Result<DriverSet> load_drivers(const config::Settings& settings, CheckedDrivers checked,
                               std::shared_ptr<telemetry::Logger> logger, std::shared_ptr<telemetry::Counters> counters,
                               const Late& late) {
  return DriverLoader(settings, std::move(logger), std::move(counters)).load(std::move(checked), late);
}

Result<DriverSet> load_drivers(const config::Settings& settings, std::shared_ptr<telemetry::Logger> logger,
                               std::shared_ptr<telemetry::Counters> counters, const Prepare& prepare) {
  return load_drivers(settings, check_drivers(settings, prepare), std::move(logger), std::move(counters));
}

}  // namespace gantry::drivers
