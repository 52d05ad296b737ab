// SPDX-License-Identifier: Apache-2.0
#include "core/daemon/endings.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <string>
#include <utility>

#include "core/daemon/exit_status.hpp"
#include "core/daemon/start_check.hpp"
#include "core/drivers/driver.hpp"
#include "core/telemetry/crash_log.hpp"

namespace gantry::daemon {

// A driver in this process cannot be made to return. Answered changes are stored, and other calls are abandoned.
void end_without_waiting(const drivers::DriverSet& drivers, store::Store& store, telemetry::Logger& logger) {
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
void end_unreachable(const config::Settings& settings) {
  telemetry::CrashLog(log_settings(settings))
      .write(
          "a listening socket was closed by other code in the process; drivers may not close descriptors that they "
          "did not open; what was accepted is kept, the process ends",
          {});
  std::_Exit(1);
}

// Ends the process unless what follows ends within `time`: a driver's destroy may hang. Everything is on disk by then.
std::jthread end_within(std::chrono::milliseconds time, const drivers::DriverSet& drivers,
                        std::shared_ptr<telemetry::Logger> logger) {
  return std::jthread([time, &drivers, logger = std::move(logger)](const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any over;
    // cppcheck-suppress localMutex ; wait_for needs a mutex, and no other thread locks this one
    std::unique_lock lock(mutex);
    over.wait_for(lock, stop, time, [&stop] { return stop.stop_requested(); });
    // The wait's own answer may be false where the stop came as the wait began.
    if (stop.stop_requested()) return;
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

}  // namespace gantry::daemon
