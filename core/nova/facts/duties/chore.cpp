// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/duties/chore.hpp"

#include <algorithm>

namespace gantry::nova {

Chore::Chore(std::chrono::milliseconds first, std::chrono::milliseconds interval, std::function<void()> work)
    : work_(std::move(work)), thread_([this, first, interval] { run(first, interval); }) {}

Chore::~Chore() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Chore::run(std::chrono::milliseconds first, std::chrono::milliseconds interval) {
  using Clock = std::chrono::steady_clock;
  auto next = Clock::now() + first;
  std::unique_lock lock(mutex_);
  while (!changed_.wait_until(lock, next, [this] { return is_stopping_; })) {
    lock.unlock();
    work_();
    lock.lock();
    next = std::max(next + interval, Clock::now());
  }
}

}  // namespace gantry::nova
