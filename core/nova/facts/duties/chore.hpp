// SPDX-License-Identifier: Apache-2.0
//
// Work that a thread of its own does every few seconds.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace gantry::nova {

class Chore {
 public:
  // Does the work after `first`, and then every `interval`.
  Chore(std::chrono::milliseconds first, std::chrono::milliseconds interval, std::function<void()> work);
  ~Chore();
  Chore(const Chore&) = delete;
  Chore& operator=(const Chore&) = delete;

 private:
  void run(std::chrono::milliseconds first, std::chrono::milliseconds interval);

  const std::function<void()> work_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_stopping_ = false;
  std::thread thread_;
};

}  // namespace gantry::nova
