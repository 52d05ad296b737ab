// SPDX-License-Identifier: Apache-2.0
#include "core/daemon/service.hpp"

#include <csignal>
#include <cstdlib>
#include <string>
#include <utility>

#include "core/daemon/descriptors.hpp"
#include "core/daemon/endings.hpp"
#include "core/daemon/exit_status.hpp"
#include "core/daemon/handover.hpp"
#include "core/daemon/hang_up.hpp"
#include "core/daemon/open_store.hpp"
#include "core/daemon/readiness.hpp"
#include "core/daemon/start_check.hpp"
#include "core/drivers/driver_loader.hpp"
#include "core/drivers/isolated/isolated_driver.hpp"
#include "core/drivers/load/crash_report.hpp"
#include "core/scheduling/service/service_manager.hpp"
#include "core/scheduling/service/settings.hpp"

namespace gantry::daemon {

namespace {

// A predecessor that was killed may still have the store open for a moment.
constexpr std::chrono::seconds longest_end{10};

// A start that goes on is given more time, too.
void say_status(const std::string& text) {
  notify_service_manager("STATUS=" + text + "\nEXTEND_TIMEOUT_USEC=30000000\n");
}

}  // namespace

Service::Service(const config::Loaded& loaded, Predecessor* predecessor, transport::HandedSockets given)
    : loaded_(loaded),
      settings_(loaded.settings),
      predecessor_(predecessor),
      sockets_(std::move(given)),
      is_main_(predecessor == nullptr),
      desk_(settings_.server.restart_timeout, [this] { signals_.wake(); }) {
  std::signal(SIGPIPE, SIG_IGN);
  drivers::install_crash_report(log_settings(settings_), drivers::fatal_requests_file(settings_));
}

void Service::say(const std::string& step) const {
  if (predecessor_ != nullptr) predecessor_->say(step);
}

Result<void> Service::load(MakeAuthority make) {
  // Before the fleet, which takes its memory from there.
  if (auto prepared = drivers::isolated::prepare_isolation(settings_); !prepared) return prepared;
  fleet_.emplace(scheduling::fleet_settings(settings_));
  if (auto loaded = load_drivers(); !loaded) return loaded;
  say("reads the store");
  auto store = open_store(settings_, logger_, counters_, predecessor_ != nullptr);
  if (!store) return std::move(store).error();
  store_ = *std::move(store);
  if (auto made = make_policy_services(); !made) return made;
  if (auto made = make_authority(make); !made) return made;
  return make_manager();
}

Result<void> Service::load_drivers() {
  auto checked = check_start(loaded_, *fleet_);
  if (!checked.problems.empty()) return Error{checked.problems.front().code, checked.problem_lines(), {}};
  auto logger = telemetry::Logger::open(log_settings(settings_));
  if (!logger) return std::move(logger).error();
  logger_ = *std::move(logger);
  for (const auto& warning : loaded_.warnings) logger_->write(telemetry::Level::warning, warning);
  say("loads its drivers");
  auto drivers = drivers::load_drivers(settings_, std::move(checked.drivers), logger_, counters_, end_start(logger_));
  if (!drivers) return std::move(drivers).error();
  drivers_.emplace(*std::move(drivers));
  reloader_.emplace(loaded_, *drivers_, logger_, counters_);
  return {};
}

Result<void> Service::take_turn() {
  if (predecessor_ != nullptr)
    if (auto taken = take_over(); !taken) return taken;
  if (auto made = make_server(); !made) return made;
  return authority_ ? authority_->prepare(*manager_) : Result<void>();
}

// If the predecessor is gone, this process goes on alone, with what has come from it.
Result<void> Service::take_over() {
  predecessor_->wait_for_turn();
  say("takes the store over");
  desk_.succeeded(predecessor_->facts());
  if (predecessor_->is_gone())
    logger_->write(telemetry::Level::warning, "the process that was to hand over has ended, this one goes on alone");
  sockets_ = predecessor_->take_sockets();
  return manager_->take_over(std::chrono::steady_clock::now() + longest_end, predecessor_->paused());
}

Result<void> Service::make_policy_services() {
  if (settings_.policy_services.empty()) return {};
  auto made = HttpPolicyServices::make(settings_.policy_services, logger_, counters_);
  if (!made) return std::move(made).error();
  policy_services_ = *std::move(made);
  return {};
}

Result<void> Service::make_authority(MakeAuthority make) {
  if (!settings_.nova.is_configured()) return {};
  say("reads Nova's databases");
  if (is_main_) notify_service_manager("STATUS=reading Nova's databases\nEXTEND_TIMEOUT_USEC=60000000\n");
  auto made = make(settings_, *fleet_, logger_, counters_);
  if (!made) return std::move(made).error();
  authority_ = *std::move(made);
  return {};
}

Result<void> Service::make_manager() {
  auto manager = scheduling::make_manager_ahead(manager_parts());
  if (!manager) return std::move(manager).error();
  manager_ = *std::move(manager);
  manager_->add_metrics([this](auto& into) { desk_.write_metrics(into); });
  return {};
}

scheduling::Parts Service::manager_parts() {
  scheduling::Parts parts{*fleet_, *store_, *drivers_, logger_, counters_, scheduling::manager_settings(settings_)};
  parts.progress = [this](const std::string& text) {
    if (is_main_) say_status(text);
  };
  parts.authority = authority_.get();
  parts.decisions = scheduling::decision_log_settings(settings_, logger_);
  parts.configuration = [this] { return reloader_->shown(); };
  parts.reloads = &*reloader_;
  parts.restarts = &desk_;
  parts.policy_services = policy_services_.get();
  return parts;
}

Result<void> Service::make_server() {
  auto settings = settings_.server;
  if (const auto warning = fit_connections(settings); !warning.empty())
    logger_->write(telemetry::Level::warning, warning);
  auto connections = std::move(sockets_.connections);
  auto server = transport::HttpServer::make(settings, *manager_, logger_, std::move(sockets_));
  if (!server) return std::move(server).error();
  server_ = *std::move(server);
  sockets_ = {};
  sockets_.connections = std::move(connections);
  return {};
}

void Service::begin() {
  if (predecessor_ != nullptr) {
    predecessor_->wait_for_end();
    sockets_.connections = predecessor_->take_sockets().connections;
    is_main_ = true;
  }
  signals_.hold();
  manager_->begin();
  server_->serve(std::move(sockets_.connections));
  reloader_->serve(*manager_, *server_);
  if (authority_) authority_->begin();
  say_ready();
  // The predecessor may have been asked for a reload after this process had read the configuration.
  if (predecessor_ != nullptr && reloader_->is_outdated()) reload_uncalled(*manager_, "take-over", [] {});
}

void Service::say_ready() const {
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begun_);
  const auto& socket = settings_.server.socket;
  for (const auto& address : server_->addresses())
    logger_->write(telemetry::Level::info, "listening", {{"address", address}});
  logger_->write(telemetry::Level::info, "ready",
                 {{"socket", socket}, {"store", store_->describe()}, {"milliseconds", std::to_string(took.count())}});
  notify_service_manager("READY=1\nSTATUS=serving on " + socket + "\n");
}

int Service::serve() {
  Watchdog watchdog(*server_, *store_, logger_);
  const HandoverParts parts{*server_, *manager_, authority_.get(), signals_,
                            desk_,    logger_,   watchdog,         "serving on " + settings_.server.socket};
  const auto on_hang_up = [this] { hang_up({*server_, *manager_, authority_.get(), *logger_}); };
  const auto is_well = [this, &watchdog] {
    watchdog.beat();
    return server_->is_listening();
  };
  for (;;) {
    const int signal = signals_.wait_for_stop(on_hang_up, is_well);
    if (signal != Signals::woken) return signal;
    const auto order = desk_.take_order();
    if (!order) continue;
    const auto ended = hand_over(parts, *order);
    if (ended == HandoverEnd::lost) std::_Exit(failed);
    if (ended == HandoverEnd::handed_over) return signal;
  }
}

}  // namespace gantry::daemon
