// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/driver_loader.hpp"

#include <algorithm>

#include "core/drivers/driver_set.hpp"
#include "core/drivers/driver_state.hpp"
#include "core/drivers/file/refusal.hpp"
#include "core/drivers/judge/driver_files.hpp"
#include "core/drivers/load/crash_report.hpp"
#include "core/drivers/load/create_call.hpp"
#include "core/drivers/load/entry.hpp"
#include "core/drivers/load/library.hpp"
#include "core/drivers/load/load_watch.hpp"
#include "core/drivers/offers/loaded_offers.hpp"
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

DriverLoader::DriverLoader(const config::Settings& settings, std::shared_ptr<telemetry::Logger> logger,
                           std::shared_ptr<telemetry::Counters> counters)
    : settings_(settings),
      logger_(std::move(logger)),
      counters_(std::move(counters)),
      check_(settings),
      watch_(std::make_shared<TurnWatch>()) {}

Result<void> DriverLoader::create(Driver& driver) const {
  Driver::State& state = *driver.state_;
  const std::string& id = state.file.manifest.id;
  const auto timeout = settings_.scheduling.call_timeout;
  Result<std::unique_ptr<LoadedOffers>> offers =
      LoadedOffers::load(state.file, {check_.section_of(id), timeout, settings_.seal_drivers, logger_, counters_});
  if (!offers) return std::move(offers).error();
  state.offers = *std::move(offers);
  state.host->set_offers(state.offers->table());
  CreateCall call(timeout);
  const CrashNote note(id, "create", {}, state.file.path);
  const auto run = [&]() noexcept {
    return state.ops.create(state.host->table(), call.handle(), state.options->table(), &state.instance);
  };
  const gantry_code code = run();
  state.is_created = code == GANTRY_OK;
  return call.outcome(code, id, "create", state.file.path);
}

Result<std::unique_ptr<Driver>> DriverLoader::start(DriverFile file) const {
  const std::string id = file.manifest.id;
  const LoadWatch watch(logger_, "driver", id, file.path);
  const auto load = [&] {
    const CrashNote note(id, "dlopen", {}, file.path);
    return load_library(file, settings_.seal_drivers, *logger_);
  };
  const Result<const Library*> library = load();
  if (!library) return library.error();
  const Result<gantry_driver_ops> ops = check_entry(file, **library);
  if (!ops) return ops.error();
  auto driver = std::make_unique<Driver>();
  auto options = std::make_unique<Options>(file.manifest, check_.section_of(id));
  const Turns::Bounds bounds{places_of(file.manifest, settings_), settings_.scheduling.call_timeout};
  driver->state_ =
      std::make_unique<Driver::State>(std::move(file), std::make_unique<HostServices>(id, logger_, counters_),
                                      std::move(options), bounds, logger_, watch_);
  driver->state_->ops = *ops;
  if (Result<void> created = create(*driver); !created) return std::move(created).error();
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
      for (const std::string& topic : (*started)->manifest().topics) set.state_->by_topic[topic] = started->get();
      set.state_->drivers.push_back(*std::move(started));
    }
  }
  if (!problems.empty()) return joined(problems);
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
