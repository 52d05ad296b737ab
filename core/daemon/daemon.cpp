// SPDX-License-Identifier: Apache-2.0
#include "core/daemon/daemon.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <thread>

#include "core/daemon/descriptors.hpp"
#include "core/daemon/endings.hpp"
#include "core/daemon/exit_status.hpp"
#include "core/daemon/handover.hpp"
#include "core/daemon/predecessor.hpp"
#include "core/daemon/readiness.hpp"
#include "core/daemon/reloader.hpp"
#include "core/daemon/restart_desk.hpp"
#include "core/daemon/service_manager_sockets.hpp"
#include "core/daemon/signals.hpp"
#include "core/daemon/start_check.hpp"
#include "core/drivers/driver.hpp"
#include "core/drivers/driver_loader.hpp"
#include "core/drivers/driver_set.hpp"
#include "core/drivers/isolated/isolated_driver.hpp"
#include "core/drivers/load/crash_report.hpp"
#include "core/drivers/load/exit_report.hpp"
#include "core/fleet/fleet.hpp"
#include "core/scheduling/service/kept_beside_authority.hpp"
#include "core/scheduling/service/service_manager.hpp"
#include "core/scheduling/service/settings.hpp"
#include "core/store/partial_store.hpp"
#include "core/store/sqlite_store.hpp"
#include "core/transport/http_server.hpp"

namespace gantry::daemon {

namespace {

constexpr std::chrono::seconds drain_time{10};
constexpr std::chrono::seconds longest_end{10};

constexpr const char* no_restart_with_nova =
    "with nova.config_files set, the service is not restarted in this way: use systemctl restart gantryd; requests of "
    "Nova wait in their queue meanwhile";

void say_step(Predecessor* predecessor, const std::string& step) {
  if (predecessor != nullptr) predecessor->say(step);
}

// A driver that crashes or hangs as it is created does so in a process of its own, so that the reason can be told.
Result<void> try_out_for(Predecessor* predecessor, const config::Loaded& loaded) {
  if (predecessor == nullptr) return {};
  predecessor->say("tries out its drivers");
  const auto checked = check_start(loaded, DriverCheck::tried_out);
  if (checked.problems.empty()) return {};
  return Error{checked.problems.front().code, checked.problem_lines(), {}};
}

// Returns what the predecessor hands over to this process. Nothing if it is gone: then this process starts alone.
transport::HandedSockets wait_for_turn(Predecessor* predecessor, transport::HandedSockets given, RestartDesk& desk,
                                       telemetry::Logger& logger) {
  if (predecessor == nullptr) return given;
  predecessor->wait_for_turn();
  desk.succeeded(predecessor->facts());
  if (predecessor->is_gone())
    logger.write(telemetry::Level::warning, "the process that was to hand over has ended, this one goes on alone");
  return predecessor->take_sockets();
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

// Type=notify-reload wants the time, by the clock that it compares with.
void say_reloading() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const auto microseconds = static_cast<long long>(now.tv_sec) * 1'000'000 + now.tv_nsec / 1000;
  notify_service_manager("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(microseconds) + "\n");
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

// The databases of a Nova deployment keep the facts of topic compute. A predecessor that was killed may still have the
// store open for a moment.
Result<std::unique_ptr<store::Store>> open_store(const config::Settings& settings,
                                                 const std::shared_ptr<telemetry::Logger>& logger,
                                                 const std::shared_ptr<telemetry::Counters>& counters,
                                                 const Predecessor* predecessor) {
  store::SqliteSettings store_settings;
  store_settings.path = settings.store.path;
  store_settings.logger = logger;
  store_settings.counters = counters;
  store_settings.was_let_go = predecessor != nullptr && !predecessor->is_gone();
  if (predecessor == nullptr) notify_service_manager("STATUS=checking the store\n");
  const auto until =
      std::chrono::steady_clock::now() + (predecessor != nullptr ? longest_end : std::chrono::seconds(0));
  auto store = store::open_sqlite(store_settings);
  while (!store && store.error().code == ErrorCode::unavailable && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    store = store::open_sqlite(store_settings);
  }
  if (!store || !settings.nova.is_configured()) return store;
  return std::unique_ptr<store::Store>(
      std::make_unique<store::PartialStore>(*std::move(store), scheduling::is_kept_beside_authority));
}

// Serves, and carries out restarts. Returns the signal that ends the process, `unwell`, or `woken` once a successor has
// taken over.
int serve(const HandoverParts& parts, Signals& signals, const std::function<void()>& hang_up) {
  const auto is_well = [&parts] {
    parts.watchdog.beat();
    return parts.server.is_listening();
  };
  for (;;) {
    const int signal = signals.wait_for_stop(hang_up, is_well);
    if (signal != Signals::woken) return signal;
    const auto order = parts.desk.take_order();
    if (!order) continue;
    const auto ended = hand_over(parts, *order);
    if (ended == HandoverEnd::lost) std::_Exit(failed);
    if (ended == HandoverEnd::handed_over) return signal;
  }
}

}  // namespace

Result<void> run(const config::Loaded& loaded, MakeAuthority make_authority, Predecessor* predecessor) {
  const auto& settings = loaded.settings;
  const auto begun = std::chrono::steady_clock::now();
  auto given = take_service_manager_sockets();
  if (auto tried = try_out_for(predecessor, loaded); !tried) return tried;
  Signals signals;
  std::signal(SIGPIPE, SIG_IGN);
  drivers::install_crash_report(log_settings(settings));
  const drivers::ExitIsACrash exit_is_a_crash;

  if (auto prepared = drivers::isolated::prepare_isolation(settings); !prepared) return std::move(prepared).error();
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
  say_step(predecessor, "loads its drivers");
  auto drivers = drivers::load_drivers(settings, std::move(checked.drivers), logger, counters, end_start(logger));
  if (!drivers) return std::move(drivers).error();
  Reloader reloader(loaded, *drivers, logger, counters);

  RestartDesk desk(settings.server.restart_timeout, [&signals] { signals.wake(); });
  if (settings.nova.is_configured()) desk.refuse(no_restart_with_nova);
  auto handed = wait_for_turn(predecessor, std::move(given), desk, *logger);
  auto store = open_store(settings, logger, counters, predecessor);
  if (!store) return std::move(store).error();
  std::unique_ptr<scheduling::Authority> authority;
  if (settings.nova.is_configured()) {
    notify_service_manager("STATUS=reading Nova's databases\nEXTEND_TIMEOUT_USEC=60000000\n");
    auto made = make_authority(settings, fleet, logger, counters);
    if (!made) return std::move(made).error();
    authority = *std::move(made);
  }
  scheduling::Parts parts{fleet, **store, *drivers, logger, counters, scheduling::manager_settings(settings)};
  // A successor is not the main process yet, and not heard.
  bool is_main = predecessor == nullptr;
  parts.progress = [&is_main](const std::string& text) {
    if (is_main) say_status(text);
  };
  parts.authority = authority.get();
  parts.decisions = scheduling::decision_log_settings(settings, logger);
  parts.configuration = [&reloader] { return reloader.shown(); };
  parts.reloads = &reloader;
  parts.restarts = &desk;
  auto manager = scheduling::make_manager(std::move(parts));
  if (!manager) return std::move(manager).error();
  (*manager)->add_metrics([&desk](auto& into) { desk.write_metrics(into); });
  auto connections = std::move(handed.connections);
  auto server = transport::HttpServer::make(server_settings, **manager, logger, std::move(handed));
  if (!server) return std::move(server).error();
  if (predecessor != nullptr) {
    predecessor->wait_for_end();
    connections = predecessor->take_sockets().connections;
    is_main = true;
  }
  signals.hold();
  (*server)->serve(std::move(connections));
  reloader.serve(**manager, **server);
  if (authority) {
    if (auto begun_to_serve = authority->begin(**manager); !begun_to_serve) return begun_to_serve;
  }

  say_ready(*logger, settings.server.socket, (*server)->addresses(), **store, begun);
  const auto hang_up = [logger, &server, &settings, &authority, &manager] {
    say_reloading();
    reopen_log(*logger);
    if (authority) authority->reload();
    reload_certificate(**server, settings.server.tls_certificate, *logger);
    reload_by_signal(**manager);
    notify_service_manager("READY=1\n");
  };
  Watchdog watchdog_of_manager(**server, **store, logger);
  const HandoverParts serving{
      **server, **manager, signals, desk, logger, watchdog_of_manager, "serving on " + settings.server.socket};
  const int signal = serve(serving, signals, hang_up);
  if (signal == Signals::woken) {
    const auto watchdog = end_within(settings.server.stop_timeout + drain_time, *drivers, logger);
    reloader.end();
    (*server)->leave();
    server->reset();
    manager->reset();
    store->reset();
    reloader.join();
    drivers->end();
    return {};
  }
  if (signal == Signals::unwell) end_unreachable(settings);
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
  reloader.join();
  drivers->end();
  watchdog = {};
  logger->write(telemetry::Level::info, "stopped");
  return {};
}

}  // namespace gantry::daemon
