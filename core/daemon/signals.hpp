// SPDX-License-Identifier: Apache-2.0
//
// Handles SIGTERM, SIGINT and SIGHUP on a thread of its own.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace gantry::daemon {

// Make this object before any other thread: it blocks the three signals, and only threads that are made later inherit
// that. Before hold is called, SIGTERM and SIGINT end the process at once, because no request has been answered and a
// driver's create may hang. After hold, the first SIGTERM or SIGINT ends wait_for_stop, and the second one ends the
// process at once.
class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  // Keeps the first SIGTERM or SIGINT for wait_for_stop instead of ending the process. Call hold before requests are
  // answered.
  void hold();
  // The results of wait_for_stop beside a signal.
  static constexpr int unwell = 0;
  static constexpr int woken = -1;
  // Waits for SIGTERM or SIGINT and returns that signal. Returns `woken` once after each call of wake(). If SIGHUP came between hold and this call, calls `hang_up`
  // once on the caller's thread. Calls it for each later SIGHUP on the thread of the signals. Calls `is_well` every
  // second and returns `unwell` once that says false.
  int wait_for_stop(std::function<void()> hang_up, const std::function<bool()>& is_well);
  // [any thread]
  void wake();
  // Returns whether SIGTERM or SIGINT has come. [any thread]
  bool has_to_stop() const;

 private:
  void run();
  void take(int signal);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> hang_up_;
  bool holds_ = false;
  bool hung_up_ = false;  // true: SIGHUP came after hold and before hang_up_ was set
  int stop_signal_ = 0;
  bool woken_ = false;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace gantry::daemon
