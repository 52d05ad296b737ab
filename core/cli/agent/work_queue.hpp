// SPDX-License-Identifier: Apache-2.0
//
// A queue of names with a few threads that call one function for each name. Names are taken in the order in which they
// were added. The function never runs twice at the same time for one name.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace gantry::cli::agent {

class WorkQueue {
 public:
  using Work = std::function<void(const std::string& name, const std::stop_token& stop)>;

  // The destructor waits for the calls under way. Names that still wait are dropped.
  WorkQueue(std::size_t threads, Work work);
  ~WorkQueue();
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  // Queues a name, unless it is waiting already. If a call for the name is under way, another call follows it. [any
  // thread]
  void add(const std::string& name);
  // Does the same after the delay. [any thread]
  void add_later(const std::string& name, std::chrono::milliseconds delay);
  // Triggers the stop token of the calls under way. No waiting name is taken any more.
  void request_stop();

 private:
  using Clock = std::chrono::steady_clock;

  void run(const std::stop_token& stop);
  // The caller of the next four functions holds the mutex.
  void enqueue(const std::string& name);
  void enqueue_what_is_due();
  std::deque<std::string>::iterator next();
  void rest(std::unique_lock<std::mutex>& lock, const std::stop_token& stop);

  Work work_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::string> waiting_;
  std::multimap<Clock::time_point, std::string> later_;
  std::set<std::string> under_way_;
  std::vector<std::jthread> threads_;
};

}  // namespace gantry::cli::agent
