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

void WorkQueue::add(const std::string& name) {
  {
    const std::lock_guard lock(mutex_);
    if (std::ranges::find(waiting_, name) != waiting_.end()) return;
    waiting_.push_back(name);
  }
  changed_.notify_all();
}

void WorkQueue::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto next = [this] {
    return std::ranges::find_if(waiting_, [this](const std::string& name) { return !under_way_.contains(name); });
  };
  while (changed_.wait(lock, stop, [&] { return next() != waiting_.end(); }) && !stop.stop_requested()) {
    const auto found = next();
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
