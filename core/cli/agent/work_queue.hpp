// SPDX-License-Identifier: Apache-2.0
//
// Work on named things by a few threads: never two at a time on one name, in the order in which it was asked for.
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

  // Ends with its threads; what is waiting then is left.
  WorkQueue(std::size_t threads, Work work);
  ~WorkQueue();
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  // [any thread] A name that waits already is not added again; one that is under way is done once more.
  void add(const std::string& name);
  // [any thread] The same when the time has passed.
  void add_later(const std::string& name, std::chrono::milliseconds delay);
  void request_stop();

 private:
  using Clock = std::chrono::steady_clock;

  void run(const std::stop_token& stop);
  // With the mutex held:
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
