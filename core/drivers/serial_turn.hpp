// SPDX-License-Identifier: Apache-2.0
//
// The lock that lets one call at a time into a serial driver. A caller waits for the lock until a deadline.
// std::timed_mutex is not used, because clang's thread sanitizer does not see its timed lock.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace gantry::drivers {

class SerialTurn {
 public:
  // Returns false if the lock is not free before the deadline.
  bool try_lock_until(std::chrono::steady_clock::time_point deadline) {
    std::unique_lock lock(mutex_);
    if (!ended_.wait_until(lock, deadline, [this] { return !taken_; })) return false;
    taken_ = true;
    return true;
  }
  void unlock() {
    {
      const std::lock_guard lock(mutex_);
      taken_ = false;
    }
    ended_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool taken_ = false;
};

}  // namespace gantry::drivers
