// SPDX-License-Identifier: Apache-2.0
//
// SIGTERM, SIGINT and SIGHUP, taken by a thread of their own.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace gantry::daemon {

// Made before any other thread: each inherits that these signals are not its own. Until hold is called, SIGTERM and
// SIGINT end the process at once, for nothing has been answered yet and a driver's create may hang; and so does a second
// one after it.
class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  // From here on requests may be answered: a signal waits for wait_for_stop.
  void hold();
  // Returns the signal that came. `hang_up` is called for the SIGHUPs since hold, on the caller's thread, and at each
  // SIGHUP from now on, on the thread of the signals.
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
