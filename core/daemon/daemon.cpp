// SPDX-License-Identifier: Apache-2.0
#include "core/daemon/daemon.hpp"

#include <unistd.h>

#include <csignal>
#include <thread>

#include "core/daemon/readiness.hpp"
#include "core/drivers/driver.hpp"
#include "core/fleet/fleet.hpp"
#include "core/scheduling/make_manager.hpp"
#include "core/store/sqlite_store.hpp"
#include "core/transport/http_server.hpp"

namespace gantry::daemon {

namespace {

constexpr std::chrono::seconds drain_time{10};

sigset_t stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  return signals;
}

telemetry::LogSettings log_settings(const config::Settings& settings) {
  using telemetry::Level;
  telemetry::LogSettings log;
  log.level = settings.log.level == "debug"     ? Level::debug
              : settings.log.level == "warning" ? Level::warning
              : settings.log.level == "error"   ? Level::error
                                                : Level::info;
  log.json = settings.log.format == "json";
  log.file = settings.log.file;
  return log;
}

fleet::FleetSettings fleet_settings(const config::Settings& settings) {
  const auto nanoseconds = [](std::chrono::milliseconds time) { return std::chrono::nanoseconds(time).count(); };
  fleet::FleetSettings fleet;
  fleet.service_down_time = nanoseconds(settings.scheduling.service_down_time);
  fleet.claim_max_age = nanoseconds(settings.scheduling.claim_max_age);
  fleet.default_availability_zone = settings.scheduling.default_availability_zone;
  fleet.cpu_allocation_ratio = settings.scheduling.cpu_allocation_ratio;
  fleet.ram_allocation_ratio = settings.scheduling.ram_allocation_ratio;
  fleet.disk_allocation_ratio = settings.scheduling.disk_allocation_ratio;
  return fleet;
}

// The fleet has each column that a driver names, or the driver does not load.
Result<void> declare(fleet::Fleet& fleet, const drivers::Manifest& manifest) {
  for (const auto& topic : manifest.topics) fleet.declare_topic(topic);
  for (const auto* list : {&manifest.needs, &manifest.uses}) {
    for (const auto& column : *list) {
      if (column.type != 0) {
        if (auto declared = fleet.declare_column({column.name, column.type, manifest.id}); !declared) return declared;
      } else if (!fleet::Fleet::is_core_column(column.name)) {
        return Error{ErrorCode::invalid_configuration,
                     "driver " + manifest.id + " names column '" + column.name +
                         "', which is not one of the core's; a reported field is named stats.NAME:type",
                     {}};
      }
    }
  }
  return {};
}

void wait_for_stop(telemetry::Logger& logger) {
  const auto signals = stop_signals();
  int signal = 0;
  sigwait(&signals, &signal);
  logger.write(telemetry::Level::info, "stopping", {{"signal", signal == SIGTERM ? "SIGTERM" : "SIGINT"}});
  // A second one ends at once: what was answered is on disk anyway.
  std::signal(signal, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

}  // namespace

Result<std::string> check(const config::Settings& settings) {
  const auto judged = drivers::judge_drivers(settings);
  std::string lines;
  for (const auto& driver : judged) {
    if (driver.file) {
      if (const auto found = settings.drivers.find(driver.id); found != settings.drivers.end()) {
        if (auto checked = drivers::check_options(driver.file->manifest, found->second); !checked)
          return std::move(checked).error();
      }
      lines += "driver " + driver.id + " " + driver.file->manifest.version + ": " + driver.path + "\n";
      continue;
    }
    const auto found = settings.drivers.find(driver.id);
    if (found == settings.drivers.end() || found->second.required) return driver.file.error();
    lines += "driver " + driver.id + ": skipped, it is not required: " + driver.file.error().message + "\n";
  }
  if (auto distinct = drivers::check_topics(judged); !distinct) return std::move(distinct).error();
  return lines;
}

Result<void> run(const config::Loaded& loaded) {
  const auto& settings = loaded.settings;
  const auto begun = std::chrono::steady_clock::now();
  // Before the first thread: each inherits it, and only wait_for_stop takes these signals.
  const auto signals = stop_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  drivers::install_crash_report();

  auto opened_log = telemetry::Logger::open(log_settings(settings));
  if (!opened_log) return std::move(opened_log).error();
  const auto logger = *opened_log;
  for (const auto& warning : loaded.warnings) logger->write(telemetry::Level::warning, warning);
  const auto counters = std::make_shared<telemetry::Counters>();

  fleet::Fleet fleet(fleet_settings(settings));
  auto drivers = drivers::load_drivers(
      settings, logger, counters, [&fleet](const drivers::Manifest& manifest) { return declare(fleet, manifest); });
  if (!drivers) return std::move(drivers).error();

  store::SqliteSettings store_settings;
  store_settings.path = settings.store.path;
  auto store = store::open_sqlite(store_settings);
  if (!store) return std::move(store).error();
  auto manager =
      scheduling::make_manager({fleet,
                                **store,
                                *drivers,
                                logger,
                                counters,
                                {settings.scheduling.call_timeout, settings.scheduling.default_availability_zone}});
  if (!manager) return std::move(manager).error();
  auto server = transport::HttpServer::start(settings.server, **manager, logger);
  if (!server) return std::move(server).error();

  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begun);
  logger->write(telemetry::Level::info, "ready",
                {{"socket", settings.server.socket},
                 {"store", (*store)->describe()},
                 {"milliseconds", std::to_string(took.count())}});
  notify_service_manager("READY=1\nSTATUS=serving on " + settings.server.socket + "\n");
  wait_for_stop(*logger);
  notify_service_manager("STOPPING=1\n");
  // Waiting receivers are answered and what is under way ends before the listener closes; the manager's end flushes the
  // store.
  (*manager)->drain();
  (*server)->stop(std::chrono::steady_clock::now() + drain_time);
  server->reset();
  manager->reset();
  logger->write(telemetry::Level::info, "stopped");
  return {};
}

}  // namespace gantry::daemon
