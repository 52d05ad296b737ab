// SPDX-License-Identifier: Apache-2.0
//
// How a service ends.
#include <csignal>

#include "core/daemon/endings.hpp"
#include "core/daemon/readiness.hpp"
#include "core/daemon/service.hpp"

namespace gantry::daemon {

namespace {

constexpr std::chrono::seconds drain_time{10};

}  // namespace

void Service::end(int signal) {
  if (signal == Signals::woken) return end_behind_successor();
  if (signal == Signals::unwell) end_unreachable(settings_);
  end_by_signal(signal);
}

// All is with the successor, also what is said to clients and to the service manager.
void Service::end_behind_successor() {
  const auto limit = end_within(settings_.server.stop_timeout + drain_time, *drivers_, logger_);
  reloader_->end();
  server_->leave();
  server_.reset();
  manager_.reset();
  authority_.reset();
  store_.reset();
  reloader_->join();
  drivers_->end();
}

void Service::end_by_signal(int signal) {
  logger_->write(telemetry::Level::info, "stopping", {{"signal", signal == SIGTERM ? "SIGTERM" : "SIGINT"}});
  notify_service_manager("STOPPING=1\n");
  const auto stop_by = std::chrono::steady_clock::now() + settings_.server.stop_timeout;
  server_->begin_stop();
  if (authority_ && !authority_->end(stop_by)) end_without_waiting(*drivers_, *store_, *logger_);
  // Waiting receivers are answered and what is under way ends before the listener closes; the manager's end flushes the
  // store.
  if (!manager_->drain(stop_by)) end_without_waiting(*drivers_, *store_, *logger_);
  auto limit = end_within(settings_.server.stop_timeout + drain_time, *drivers_, logger_);
  server_->stop(std::chrono::steady_clock::now() + drain_time);
  server_.reset();
  manager_.reset();
  authority_.reset();
  store_.reset();
  limit = end_within(time_until(stop_by), *drivers_, logger_);
  reloader_->join();
  drivers_->end();
  limit = {};
  logger_->write(telemetry::Level::info, "stopped");
}

}  // namespace gantry::daemon
