// SPDX-License-Identifier: Apache-2.0
#include "core/transport/session/worker_pool.hpp"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <system_error>

namespace gantry::transport {

namespace {

// A call that runs for so long holds its thread.
constexpr std::chrono::milliseconds long_call{10};
// How long a substitute goes on before it looks whether it is still needed.
constexpr std::chrono::seconds substitution{1};
// Drivers bound how many calls run in them at a time. This bound is for all drivers together.
constexpr std::size_t most_substitutes = 256;

}  // namespace

void WorkerPool::start(std::uint32_t count, std::string name, int nice) {
  // The first timer opens the context's descriptors: now, while there are descriptors left.
  const boost::asio::steady_timer opens_descriptors(context_);
  name_ = std::move(name);
  nice_ = nice;
  guard_.emplace(context_.get_executor());
  const std::lock_guard lock(mutex_);
  for (std::uint32_t i = 0; i < count; ++i) {
    threads_.emplace_back([this] {
      begin_thread();
      context_.run();
    });
  }
  watch_ = std::thread([this] { watch(); });
}

void WorkerPool::join() {
  let_end();
  for (auto& thread : threads_) thread.join();
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  if (watch_.joinable()) watch_.join();
  // No thread changes the lists any more, apart from substitutes that end.
  for (bool is_over = false; !is_over;) {
    std::list<std::thread> ended;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return substitutes_.empty() || !ended_.empty(); });
      ended.swap(ended_);
      is_over = substitutes_.empty();
    }
    end_all(ended);
  }
  threads_.clear();
}

void WorkerPool::begin_thread() {
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), nice_);
  const std::lock_guard lock(mutex_);
  pthread_setname_np(pthread_self(), (name_ + std::to_string(begun_++)).c_str());
}

void WorkerPool::enter(Entry& entry) {
  bool is_last_thread = false;
  {
    const std::lock_guard lock(mutex_);
    entry.index_ = calls_.size();
    calls_.push_back(&entry);
    is_last_thread = is_asleep_ && calls_.size() >= threads_.size() + substitutes_.size();
    if (is_last_thread) is_asleep_ = false;
  }
  if (is_last_thread) changed_.notify_all();
}

void WorkerPool::leave(const Entry& entry) {
  const std::lock_guard lock(mutex_);
  calls_[entry.index_] = calls_.back();
  calls_[entry.index_]->index_ = entry.index_;
  calls_.pop_back();
}

// While calls run on all threads, looks which of them hold their threads, and begins a substitute for each of these.
void WorkerPool::watch() {
  pthread_setname_np(pthread_self(), "gantry-watch");
  std::unique_lock lock(mutex_);
  while (!ending_) {
    is_asleep_ = calls_.size() < threads_.size() + substitutes_.size();
    changed_.wait(lock, [this] { return ending_ || !is_asleep_; });
    changed_.wait_for(lock, long_call, [this] { return ending_; });
    if (ending_) break;
    const auto wanted = std::min(threads_held(), most_substitutes);
    while (substitutes_.size() < wanted && begin_substitute()) continue;
    std::list<std::thread> ended;
    ended.swap(ended_);
    lock.unlock();
    end_all(ended);
    lock.lock();
  }
}

std::size_t WorkerPool::threads_held() const {
  const auto before = Clock::now() - long_call;
  return static_cast<std::size_t>(
      std::ranges::count_if(calls_, [before](const auto* call) { return call->began_ <= before; }));
}

bool WorkerPool::begin_substitute() {
  const auto self = substitutes_.emplace(substitutes_.end());
  try {
    *self = std::thread([this, self] { run_substitute(self); });
  } catch (const std::system_error&) {
    substitutes_.erase(self);  // the system has no thread left; the next look tries again
    return false;
  }
  return true;
}

void WorkerPool::run_substitute(std::list<std::thread>::iterator self) {
  begin_thread();
  for (bool is_needed = true; is_needed;) {
    for (const auto until = Clock::now() + substitution; Clock::now() < until && !context_.stopped();)
      context_.run_one_until(until);
    const std::lock_guard lock(mutex_);
    is_needed = !context_.stopped() && substitutes_.size() <= threads_held();
    if (is_needed) continue;
    ended_.splice(ended_.end(), substitutes_, self);
    is_asleep_ = false;  // calls may run on all threads now
  }
  changed_.notify_all();
  // The last handler may have left a continuation in the context's queue. Asio wakes no thread for a continuation.
  boost::asio::post(context_, [] {});
}

void WorkerPool::end_all(std::list<std::thread>& threads) {
  for (auto& thread : threads) thread.join();
}

}  // namespace gantry::transport
