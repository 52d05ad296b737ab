// SPDX-License-Identifier: Apache-2.0
#include "core/whatif/loading.hpp"

#include "core/drivers/driver_loader.hpp"

namespace gantry::whatif {

std::string names_of(const config::Settings& settings) {
  std::string names;
  for (const auto& driver : settings.scheduler_driver) names += (names.empty() ? "'" : ", '") + driver + "'";
  return (settings.scheduler_driver.size() == 1 ? "driver " : "drivers ") + names;
}

Result<std::shared_ptr<telemetry::Logger>> logger_of(bool logs) {
  if (!logs) return telemetry::Logger::none();
  telemetry::LogSettings log;
  log.level = telemetry::Level::debug;
  return telemetry::Logger::open(log);
}

Result<drivers::DriverSet> load_drivers(const Loading& loading, const std::shared_ptr<telemetry::Logger>& logger,
                                        const std::shared_ptr<telemetry::Counters>& counters,
                                        const drivers::Prepare& prepare) {
  const TimeLimit limit(loading.timeout, "loading " + names_of(loading.settings), loading.give_up);
  auto drivers = drivers::load_drivers(loading.settings, logger, counters, prepare);
  if (drivers && !drivers->skipped().empty()) return drivers->skipped().front().second;
  return drivers;
}

}  // namespace gantry::whatif
