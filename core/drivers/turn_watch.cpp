// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/turn_watch.hpp"

#include <algorithm>

#include "core/drivers/turns.hpp"

namespace gantry::drivers {

TurnWatch::~TurnWatch() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void TurnWatch::add(Turns& turns) {
  const std::lock_guard lock(turns_mutex_);
  turns_.push_back(&turns);
}

void TurnWatch::remove(Turns& turns) {
  const std::lock_guard lock(turns_mutex_);
  std::erase(turns_, &turns);
}

void TurnWatch::wake_by(Clock::time_point when) {
  {
    const std::lock_guard lock(mutex_);
    if (when >= next_.load()) return;
    next_ = when;
    if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  }
  changed_.notify_all();
}

void TurnWatch::run() {
  std::unique_lock lock(mutex_);
  while (!ending_) {
    const auto next = next_.load();
    if (Clock::now() < next) {
      changed_.wait_until(lock, next);
      continue;
    }
    // A call that begins during the look either is seen by it or sets next_.
    next_ = Clock::time_point::max();
    lock.unlock();
    const auto again = look();
    lock.lock();
    next_ = std::min(next_.load(), again);
  }
}

TurnWatch::Clock::time_point TurnWatch::look() {
  const std::lock_guard lock(turns_mutex_);
  auto again = Clock::time_point::max();
  for (auto* turns : turns_) again = std::min(again, turns->look(Clock::now()));
  return again;
}

}  // namespace gantry::drivers
