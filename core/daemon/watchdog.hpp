// SPDX-License-Identifier: Apache-2.0
//
// Tells the service manager that the service is alive, by sd_watchdog's protocol: $WATCHDOG_USEC, $WATCHDOG_PID. It says so
// only as long as threads of the server and of the store do their work. Otherwise the service manager ends the process.
#pragma once

#include <chrono>
#include <memory>

#include "core/store/store.hpp"
#include "core/telemetry/log.hpp"
#include "core/transport/http_server.hpp"

namespace gantry::daemon {

// [control thread]
class Watchdog {
 public:
  // The server, the store and the logger outlive the object.
  Watchdog(transport::HttpServer& server, store::Store& store, std::shared_ptr<telemetry::Logger> logger);

  // Says that the service is alive if that is due and true. Call this often.
  void beat();
  // Says so without a look: while the service is handed over, this thread itself does the work.
  void beat_unseen();

 private:
  using Clock = std::chrono::steady_clock;
  bool is_due() const { return interval_.count() > 0 && Clock::now() >= due_; }
  bool store_answers() const;

  transport::HttpServer& server_;
  store::Store& store_;
  std::shared_ptr<telemetry::Logger> logger_;
  std::chrono::microseconds interval_{0};  // 0: the service manager does not ask
  Clock::time_point due_;
  bool has_warned_ = false;
};

}  // namespace gantry::daemon
