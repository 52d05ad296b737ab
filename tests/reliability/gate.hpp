// SPDX-License-Identifier: Apache-2.0
//
// Where threads wait between two steps while somebody looks at what they have done.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace gantry::reliability {

// [any thread]
class Gate {
 public:
  explicit Gate(std::size_t threads) : threads_(threads) {}

  // Before each step; false: no more of them.
  bool pass() {
    std::unique_lock lock(mutex_);
    if (closed_ && !ended_) {
      ++waiting_;
      changed_.notify_all();
      changed_.wait(lock, [this] { return !closed_ || ended_; });
      --waiting_;
    }
    return !ended_;
  }

  // Returns when all wait.
  void close() {
    std::unique_lock lock(mutex_);
    closed_ = true;
    changed_.wait(lock, [this] { return waiting_ == threads_; });
  }
  void open() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = false;
    }
    changed_.notify_all();
  }
  void end() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::size_t threads_;
  std::size_t waiting_ = 0;
  bool closed_ = false;
  bool ended_ = false;
};

}  // namespace gantry::reliability
