// SPDX-License-Identifier: Apache-2.0
//
// Takes SIGTERM, SIGINT and SIGHUP on a thread of its own.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace gantry::daemon {

// Must be made before any other thread, since threads inherit that these signals are blocked. Before hold is called,
// SIGTERM and SIGINT end the process at once: no request has been answered, and a driver's create may hang. After hold,
// the second signal ends the process at once.
class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  // Makes the first signal wait for wait_for_stop. To be called before requests are answered.
  void hold();
  // Waits for SIGTERM or SIGINT and returns the signal. Calls `hang_up` for a SIGHUP since hold, on the caller's
  // thread, and for each later SIGHUP, on the thread of the signals.
  int wait_for_stop(std::function<void()> hang_up);

 private:
  void run();
  void take(int signal);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> hang_up_;
  bool holds_ = false;
  bool hung_up_ = false;  // before hang_up_ was known
  int stop_signal_ = 0;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace gantry::daemon
