// SPDX-License-Identifier: Apache-2.0
#include "core/transport/session/long_reads.hpp"

#include <pthread.h>

#include <algorithm>
#include <utility>

namespace gantry::transport {

void LongReads::start(std::uint32_t threads) {
  const std::uint32_t count = std::max(2U, threads);
  most_running_of_one_ = count - 1;
  for (std::uint32_t i = 0; i < count; ++i) {
    threads_.emplace_back([this, i] {
      pthread_setname_np(pthread_self(), ("gantry-long-" + std::to_string(i)).c_str());
      run();
    });
  }
}

void LongReads::join() {
  std::list<Queue> dropped;
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    for (auto& queue : queues_) {
      waiting_ -= queue.waiting.size();
      dropped.emplace_back().waiting.swap(queue.waiting);
    }
  }
  changed_.notify_all();
  dropped.clear();  // without the lock: the answers of these reads go out
  for (auto& thread : threads_) thread.join();
  threads_.clear();
}

bool LongReads::submit(const std::string& caller, std::function<void()> read) {
  {
    const std::lock_guard lock(mutex_);
    if (ending_ || waiting_ == most_waiting) return false;
    auto queue = std::ranges::find(queues_, caller, &Queue::caller);
    if (queue == queues_.end()) queue = queues_.insert(queues_.end(), Queue{caller, {}, 0});
    if (queue->waiting.size() == most_waiting_of_one) return false;
    queue->waiting.push_back(std::move(read));
    ++waiting_;
  }
  changed_.notify_one();
  return true;
}

LongReads::Place LongReads::next() {
  return std::ranges::find_if(
      queues_, [this](const Queue& queue) { return !queue.waiting.empty() && queue.running < most_running_of_one_; });
}

void LongReads::run_one(Place queue, std::unique_lock<std::mutex>& lock) {
  auto read = std::move(queue->waiting.front());
  queue->waiting.pop_front();
  --waiting_;
  ++queue->running;
  queues_.splice(queues_.end(), queues_, queue);
  lock.unlock();
  read();
  read = nullptr;
  lock.lock();
  --queue->running;
  if (!queue->waiting.empty())
    changed_.notify_one();
  else if (queue->running == 0)
    queues_.erase(queue);
}

void LongReads::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    auto queue = queues_.end();
    changed_.wait(lock, [&] { return (queue = next()) != queues_.end() || ending_; });
    if (queue == queues_.end()) return;
    run_one(queue, lock);
  }
}

bool LongReads::poll() {
  std::unique_lock lock(mutex_);
  const auto queue = next();
  if (queue == queues_.end()) return false;
  run_one(queue, lock);
  return true;
}

}  // namespace gantry::transport
