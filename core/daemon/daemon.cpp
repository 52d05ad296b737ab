// SPDX-License-Identifier: Apache-2.0
#include "core/daemon/daemon.hpp"

#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "core/daemon/descriptors.hpp"
#include "core/daemon/readiness.hpp"
#include "core/daemon/signals.hpp"
#include "core/drivers/driver.hpp"
#include "core/drivers/driver_check.hpp"
#include "core/drivers/driver_loader.hpp"
#include "core/drivers/driver_set.hpp"
#include "core/drivers/load/crash_report.hpp"
#include "core/fleet/fleet.hpp"
#include "core/scheduling/service/service_manager.hpp"
#include "core/scheduling/service/settings.hpp"
#include "core/store/sqlite_store.hpp"
#include "core/transport/http_server.hpp"

namespace gantry::daemon {

namespace {

constexpr std::chrono::seconds drain_time{10};

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

void reload_certificate(transport::HttpServer& server, const std::string& file, telemetry::Logger& logger) {
  if (file.empty()) return;
  if (const auto reloaded = server.reload_certificate(); !reloaded)
    logger.write(telemetry::Level::error, "the TLS certificate is not read anew, the old one goes on",
                 {{"reason", reloaded.error().message}});
  else
    logger.write(telemetry::Level::info, "the TLS certificate is read anew", {{"file", file}, {"signal", "SIGHUP"}});
}

// A start that goes on is given more time, too.
void say_status(const std::string& text) {
  notify_service_manager("STATUS=" + text + "\nEXTEND_TIMEOUT_USEC=30000000\n");
}

void reopen_log(telemetry::Logger& logger) {
  if (const auto reopened = logger.reopen(); !reopened)
    logger.write(telemetry::Level::error, "the log file is not opened anew", {{"reason", reopened.error().message}});
  else
    logger.write(telemetry::Level::info, "the log file is opened anew", {{"signal", "SIGHUP"}});
}

void say_ready(telemetry::Logger& logger, const std::string& socket, const std::vector<std::string>& addresses,
               const store::Store& store, std::chrono::steady_clock::time_point begun) {
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begun);
  for (const auto& address : addresses) logger.write(telemetry::Level::info, "listening", {{"address", address}});
  logger.write(telemetry::Level::info, "ready",
               {{"socket", socket}, {"store", store.describe()}, {"milliseconds", std::to_string(took.count())}});
  notify_service_manager("READY=1\nSTATUS=serving on " + socket + "\n");
}

// A driver in this process cannot be made to return. Answered changes are stored, and other calls are abandoned.
[[noreturn]] void end_without_waiting(const drivers::DriverSet& drivers, store::Store& store,
                                      telemetry::Logger& logger) {
  for (const auto* driver : drivers.all()) {
    if (driver->calls_under_way() == 0) continue;
    logger.write(telemetry::Level::error, "a driver has not returned",
                 {{"driver", driver->manifest().id}, {"calls", std::to_string(driver->calls_under_way())}});
  }
  store.flush();
  logger.write(telemetry::Level::error, "ended with requests unanswered after server.stop_timeout");
  std::_Exit(1);
}

// A driver's destroy may hang as well. Everything is on disk by then.
std::jthread end_within(std::chrono::milliseconds time, std::shared_ptr<telemetry::Logger> logger) {
  return std::jthread([time, logger = std::move(logger)](const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any over;
    // cppcheck-suppress localMutex ; wait_for wants one, nobody else does
    std::unique_lock lock(mutex);
    if (over.wait_for(lock, stop, time, [&stop] { return stop.stop_requested(); })) return;
    logger->write(telemetry::Level::error, "ended without the drivers' own end, which took too long");
    std::_Exit(1);
  });
}

}  // namespace

Checked check(const config::Loaded& loaded) {
  const auto drivers = drivers::check_drivers(loaded.settings);
  Checked checked;
  for (const auto& warning : loaded.warnings) checked.remarks += "warning: " + warning + "\n";
  for (const auto& warning : drivers.warnings) checked.remarks += "warning: " + warning + "\n";
  const auto server = transport::HttpServer::problems_of(loaded.settings.server);
  for (const auto* problems : {&drivers.problems, &server}) {
    for (const auto& problem : *problems) checked.remarks += problem.message + "\n";
  }
  for (const auto& driver : drivers.drivers)
    checked.drivers += "driver " + driver.id + " " + driver.file->manifest.version + ": " + driver.path + "\n";
  checked.is_valid = drivers.problems.empty() && server.empty();
  return checked;
}

Result<void> run(const config::Loaded& loaded) {
  const auto& settings = loaded.settings;
  const auto begun = std::chrono::steady_clock::now();
  Signals signals;
  std::signal(SIGPIPE, SIG_IGN);
  drivers::install_crash_report();

  auto opened_log = telemetry::Logger::open(log_settings(settings));
  if (!opened_log) return std::move(opened_log).error();
  const auto logger = *opened_log;
  for (const auto& warning : loaded.warnings) logger->write(telemetry::Level::warning, warning);
  auto server_settings = settings.server;
  if (const auto warning = fit_connections(server_settings); !warning.empty())
    logger->write(telemetry::Level::warning, warning);
  const auto counters = std::make_shared<telemetry::Counters>();
  std::jthread watchdog;  // at the end: outlives the drivers, whose destroy it watches

  fleet::Fleet fleet(scheduling::fleet_settings(settings));
  auto drivers = drivers::load_drivers(settings, logger, counters, [&fleet](const drivers::Manifest& manifest) {
    return scheduling::declare(fleet, manifest);
  });
  if (!drivers) return std::move(drivers).error();

  store::SqliteSettings store_settings;
  store_settings.path = settings.store.path;
  store_settings.logger = logger;
  store_settings.counters = counters;
  notify_service_manager("STATUS=checking the store\n");
  auto store = store::open_sqlite(store_settings);
  if (!store) return std::move(store).error();
  auto manager = scheduling::make_manager(
      {fleet, **store, *drivers, logger, counters, scheduling::manager_settings(settings), say_status});
  if (!manager) return std::move(manager).error();
  signals.hold();
  auto server = transport::HttpServer::start(server_settings, **manager, logger);
  if (!server) return std::move(server).error();

  say_ready(*logger, settings.server.socket, (*server)->addresses(), **store, begun);
  const int signal = signals.wait_for_stop([logger, &server, &settings] {
    reopen_log(*logger);
    reload_certificate(**server, settings.server.tls_certificate, *logger);
  });
  logger->write(telemetry::Level::info, "stopping", {{"signal", signal == SIGTERM ? "SIGTERM" : "SIGINT"}});
  notify_service_manager("STOPPING=1\n");
  (*server)->begin_stop();
  // Waiting receivers are answered and what is under way ends before the listener closes; the manager's end flushes the
  // store.
  if (!(*manager)->drain(std::chrono::steady_clock::now() + settings.server.stop_timeout))
    end_without_waiting(*drivers, **store, *logger);
  watchdog = end_within(settings.server.stop_timeout + drain_time, logger);
  (*server)->stop(std::chrono::steady_clock::now() + drain_time);
  server->reset();
  manager->reset();
  logger->write(telemetry::Level::info, "stopped");
  return {};
}

}  // namespace gantry::daemon
