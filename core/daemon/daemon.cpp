// SPDX-License-Identifier: Apache-2.0
#include "core/daemon/daemon.hpp"

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "core/daemon/descriptors.hpp"
#include "core/daemon/exit_status.hpp"
#include "core/daemon/readiness.hpp"
#include "core/daemon/signals.hpp"
#include "core/daemon/start_check.hpp"
#include "core/drivers/driver.hpp"
#include "core/drivers/driver_loader.hpp"
#include "core/drivers/driver_set.hpp"
#include "core/drivers/load/crash_report.hpp"
#include "core/drivers/load/exit_report.hpp"
#include "core/fleet/fleet.hpp"
#include "core/scheduling/service/kept_beside_authority.hpp"
#include "core/scheduling/service/service_manager.hpp"
#include "core/scheduling/service/settings.hpp"
#include "core/store/partial_store.hpp"
#include "core/store/sqlite_store.hpp"
#include "core/telemetry/crash_log.hpp"
#include "core/transport/http_server.hpp"

namespace gantry::daemon {

namespace {

constexpr std::chrono::seconds drain_time{10};

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

// The log and the sockets' threads may be without descriptors as well, so nothing is left that could end in order.
[[noreturn]] void end_unreachable(const config::Settings& settings) {
  telemetry::CrashLog(log_settings(settings))
      .write(
          "a listening socket was closed by other code in the process; drivers may not close descriptors that they "
          "did not open; what was accepted is kept, the process ends",
          {});
  std::_Exit(1);
}

// Every key with its value and its origin. Secrets are masked already.
json::array shown_configuration(const config::Loaded& loaded) {
  json::array keys;
  for (const auto& each : loaded.shown)
    keys.push_back(json::object{{"key", each.key}, {"value", each.value}, {"origin", each.origin}});
  return keys;
}

// The databases of a Nova deployment keep the facts of topic compute.
Result<std::unique_ptr<store::Store>> open_store(const config::Settings& settings,
                                                 const std::shared_ptr<telemetry::Logger>& logger,
                                                 const std::shared_ptr<telemetry::Counters>& counters) {
  store::SqliteSettings store_settings;
  store_settings.path = settings.store.path;
  store_settings.logger = logger;
  store_settings.counters = counters;
  notify_service_manager("STATUS=checking the store\n");
  auto store = store::open_sqlite(store_settings);
  if (!store || !settings.nova.is_configured()) return store;
  return std::unique_ptr<store::Store>(
      std::make_unique<store::PartialStore>(*std::move(store), scheduling::is_kept_beside_authority));
}

// Ends the process unless what follows ends within `time`: a driver's destroy may hang. Everything is on disk by then.
std::jthread end_within(std::chrono::milliseconds time, const drivers::DriverSet& drivers,
                        std::shared_ptr<telemetry::Logger> logger) {
  return std::jthread([time, &drivers, logger = std::move(logger)](const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any over;
    // cppcheck-suppress localMutex ; wait_for wants one, nobody else does
    std::unique_lock lock(mutex);
    if (over.wait_for(lock, stop, time, [&stop] { return stop.stop_requested(); })) return;
    if (const auto driver = drivers.ending(); !driver.empty())
      logger->write(telemetry::Level::error, "a driver's destroy has not returned", {{"driver", driver}});
    logger->write(telemetry::Level::error, "ended without waiting further, after server.stop_timeout");
    std::_Exit(1);
  });
}

// A driver that hangs cannot be made to return. The next start would find the same.
drivers::Late end_start(const std::shared_ptr<telemetry::Logger>& logger) {
  return [logger](const std::string& driver, const std::string& path, std::chrono::milliseconds time) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time).count();
    logger->write(telemetry::Level::error, "ended: the driver's code has not returned while it was loaded and created",
                  {{"driver", driver}, {"path", path}, {"seconds", std::to_string(seconds)}});
    std::_Exit(misconfigured);
  };
}

// The time until then, a second at least.
std::chrono::milliseconds time_until(std::chrono::steady_clock::time_point then) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(then - std::chrono::steady_clock::now());
  return std::max(left, std::chrono::milliseconds(1000));
}

}  // namespace

Result<void> run(const config::Loaded& loaded, MakeAuthority make_authority) {
  const auto& settings = loaded.settings;
  const auto begun = std::chrono::steady_clock::now();
  Signals signals;
  std::signal(SIGPIPE, SIG_IGN);
  drivers::install_crash_report(log_settings(settings));
  const drivers::ExitIsACrash exit_is_a_crash;

  fleet::Fleet fleet(scheduling::fleet_settings(settings));
  auto checked = check_start(loaded, fleet);
  if (!checked.problems.empty()) return Error{checked.problems.front().code, checked.problem_lines(), {}};

  auto opened_log = telemetry::Logger::open(log_settings(settings));
  if (!opened_log) return std::move(opened_log).error();
  const auto logger = *opened_log;
  for (const auto& warning : loaded.warnings) logger->write(telemetry::Level::warning, warning);
  auto server_settings = settings.server;
  if (const auto warning = fit_connections(server_settings); !warning.empty())
    logger->write(telemetry::Level::warning, warning);
  const auto counters = std::make_shared<telemetry::Counters>();
  auto drivers = drivers::load_drivers(settings, std::move(checked.drivers), logger, counters, end_start(logger));
  if (!drivers) return std::move(drivers).error();

  auto store = open_store(settings, logger, counters);
  if (!store) return std::move(store).error();
  std::unique_ptr<scheduling::Authority> authority;
  if (settings.nova.is_configured()) {
    notify_service_manager("STATUS=reading Nova's databases\nEXTEND_TIMEOUT_USEC=60000000\n");
    auto made = make_authority(settings, fleet, logger, counters);
    if (!made) return std::move(made).error();
    authority = *std::move(made);
  }
  auto manager = scheduling::make_manager(
      {fleet, **store, *drivers, logger, counters, scheduling::manager_settings(settings), say_status, authority.get(),
       scheduling::decision_log_settings(settings, logger), [&loaded] { return shown_configuration(loaded); }});
  if (!manager) return std::move(manager).error();
  signals.hold();
  auto server = transport::HttpServer::start(server_settings, **manager, logger);
  if (!server) return std::move(server).error();
  if (authority) {
    if (auto begun_to_serve = authority->begin(**manager); !begun_to_serve) return begun_to_serve;
  }

  say_ready(*logger, settings.server.socket, (*server)->addresses(), **store, begun);
  const auto hang_up = [logger, &server, &settings, &authority] {
    reopen_log(*logger);
    if (authority) authority->reload();
    reload_certificate(**server, settings.server.tls_certificate, *logger);
  };
  const int signal = signals.wait_for_stop(hang_up, [&server] { return (*server)->is_listening(); });
  if (signal == 0) end_unreachable(settings);
  logger->write(telemetry::Level::info, "stopping", {{"signal", signal == SIGTERM ? "SIGTERM" : "SIGINT"}});
  notify_service_manager("STOPPING=1\n");
  const auto stop_by = std::chrono::steady_clock::now() + settings.server.stop_timeout;
  (*server)->begin_stop();
  if (authority && !authority->end(stop_by)) end_without_waiting(*drivers, **store, *logger);
  // Waiting receivers are answered and what is under way ends before the listener closes; the manager's end flushes the
  // store.
  if (!(*manager)->drain(stop_by)) end_without_waiting(*drivers, **store, *logger);
  auto watchdog = end_within(settings.server.stop_timeout + drain_time, *drivers, logger);
  (*server)->stop(std::chrono::steady_clock::now() + drain_time);
  server->reset();
  manager->reset();
  authority.reset();
  store->reset();
  watchdog = end_within(time_until(stop_by), *drivers, logger);
  drivers->end();
  watchdog = {};
  logger->write(telemetry::Level::info, "stopped");
  return {};
}

}  // namespace gantry::daemon
