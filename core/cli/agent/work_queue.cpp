// SPDX-License-Identifier: Apache-2.0
#include "core/cli/agent/work_queue.hpp"

#include <algorithm>

namespace gantry::cli::agent {

WorkQueue::WorkQueue(std::size_t threads, Work work) : work_(std::move(work)) {
  for (std::size_t made = 0; made < threads; ++made)
    threads_.emplace_back([this](const std::stop_token& stop) { run(stop); });
}

WorkQueue::~WorkQueue() {
  request_stop();
  threads_.clear();
}

void WorkQueue::request_stop() {
  for (std::jthread& thread : threads_) thread.request_stop();
}

void WorkQueue::enqueue(const std::string& name) {
  if (std::ranges::find(waiting_, name) == waiting_.end()) waiting_.push_back(name);
}

void WorkQueue::add(const std::string& name) {
  {
    const std::lock_guard lock(mutex_);
    enqueue(name);
  }
  changed_.notify_all();
}

void WorkQueue::add_later(const std::string& name, std::chrono::milliseconds delay) {
  {
    const std::lock_guard lock(mutex_);
    later_.emplace(Clock::now() + delay, name);
  }
  changed_.notify_all();
}

void WorkQueue::enqueue_what_is_due() {
  const auto end = later_.upper_bound(Clock::now());
  for (auto due = later_.begin(); due != end; ++due) enqueue(due->second);
  later_.erase(later_.begin(), end);
}

std::deque<std::string>::iterator WorkQueue::next() {
  return std::ranges::find_if(waiting_, [this](const std::string& name) { return !under_way_.contains(name); });
}

void WorkQueue::rest(std::unique_lock<std::mutex>& lock, const std::stop_token& stop) {
  if (later_.empty()) {
    changed_.wait(lock, stop, [this] { return next() != waiting_.end() || !later_.empty(); });
    return;
  }
  const auto until = later_.begin()->first;
  changed_.wait_until(lock, stop, until, [this, until] {
    return next() != waiting_.end() || (!later_.empty() && later_.begin()->first < until);
  });
}

void WorkQueue::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    enqueue_what_is_due();
    const auto found = next();
    if (found == waiting_.end()) {
      rest(lock, stop);
      continue;
    }
    const std::string name = *found;
    waiting_.erase(found);
    under_way_.insert(name);
    lock.unlock();
    work_(name, stop);
    lock.lock();
    under_way_.erase(name);
    changed_.notify_all();
  }
}

}  // namespace gantry::cli::agent
