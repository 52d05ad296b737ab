// SPDX-License-Identifier: Apache-2.0
#include "core/daemon/hang_up.hpp"

#include <ctime>

#include "core/daemon/readiness.hpp"
#include "core/daemon/reloader.hpp"

namespace gantry::daemon {

namespace {

using telemetry::Level;

// Type=notify-reload wants the time, by the clock that it compares with.
void say_reloading() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const auto microseconds = static_cast<long long>(now.tv_sec) * 1'000'000 + now.tv_nsec / 1000;
  notify_service_manager("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(microseconds) + "\n");
}

void reopen_log(telemetry::Logger& logger) {
  if (const auto reopened = logger.reopen(); !reopened)
    logger.write(Level::error, "the log file is not opened anew", {{"reason", reopened.error().message}});
  else
    logger.write(Level::info, "the log file is opened anew", {{"signal", "SIGHUP"}});
}

void reload_certificate(const HangUpParts& parts) {
  if (parts.server.access().certificate.empty()) return;
  if (const auto reloaded = parts.server.reload_certificate(); !reloaded)
    parts.logger.write(Level::error, "the TLS certificate is not read anew, the old one goes on",
                       {{"reason", reloaded.error().message}});
  else
    parts.logger.write(Level::info, "the TLS certificate is read anew",
                       {{"certificate", parts.server.access().certificate}, {"signal", "SIGHUP"}});
}

}  // namespace

void hang_up(const HangUpParts& parts) {
  say_reloading();
  reopen_log(parts.logger);
  if (parts.authority != nullptr) parts.authority->reload();
  reload_certificate(parts);
  reload_uncalled(parts.manager, "signal SIGHUP", [] { notify_service_manager("READY=1\n"); });
}

}  // namespace gantry::daemon
