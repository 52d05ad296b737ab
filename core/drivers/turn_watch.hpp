// SPDX-License-Identifier: Apache-2.0
//
// The thread that looks after the turns of all drivers: it finds the calls whose deadline has passed.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace gantry::drivers {

class Turns;

// [any thread]
class TurnWatch {
 public:
  using Clock = std::chrono::steady_clock;

  TurnWatch() = default;
  ~TurnWatch();
  TurnWatch(const TurnWatch&) = delete;
  TurnWatch& operator=(const TurnWatch&) = delete;

  void add(Turns& turns);
  // Waits for a look at the turns that is under way.
  void remove(Turns& turns);
  // Looks at the turns at that time, or before. Starts the thread. Cheap if a look is due by then anyway.
  void look_by(Clock::time_point when) {
    if (when < next_.load()) wake_by(when);
  }

 private:
  void wake_by(Clock::time_point when);
  void run();
  Clock::time_point look();

  std::mutex turns_mutex_;  // held during a look
  std::vector<Turns*> turns_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::atomic<Clock::time_point> next_{Clock::time_point::max()};
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace gantry::drivers
