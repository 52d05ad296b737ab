// SPDX-License-Identifier: Apache-2.0
//
// The threads that run one io_context. A call may hold its thread for long, above all if a driver hangs. Another thread
// then takes the place of that thread until the call returns.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace gantry::transport {

class WorkerPool {
 public:
  WorkerPool() = default;
  ~WorkerPool() { join(); }
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Starts `count` threads. [control thread]
  void start(std::uint32_t count, std::string name, int nice);
  // Lets the threads end once all work is done: context() is stopped then. [control thread]
  void let_end() { guard_.reset(); }
  // Waits until all work is done, and ends the threads. [control thread]
  void join();
  bool is_started() const { return watch_.joinable(); }

  // Gives strands, timers and sockets their work. That work may hold its thread only within an Entry.
  boost::asio::io_context& context() { return context_; }

  using Clock = std::chrono::steady_clock;

  // Lives while a thread of the pool makes a call that may hold the thread for long.
  class Entry {
   public:
    explicit Entry(WorkerPool& pool) : pool_(pool) { pool_.enter(*this); }
    ~Entry() { pool_.leave(*this); }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

   private:
    friend class WorkerPool;
    WorkerPool& pool_;
    const Clock::time_point began_ = Clock::now();
    std::size_t index_ = 0;  // in calls_
  };

  // Makes such a call on a thread of the pool. [any thread]
  template <class Call>
  void run(Call call) {
    boost::asio::post(context_, [this, call = std::move(call)]() mutable {
      const Entry entry(*this);
      call();
    });
  }

 private:
  void enter(Entry& entry);
  void leave(const Entry& entry);
  void watch();
  std::size_t threads_held() const;
  void begin_thread();
  bool begin_substitute();
  void run_substitute(std::list<std::thread>::iterator self);
  static void end_all(std::list<std::thread>& threads);

  boost::asio::io_context context_;
  std::optional<boost::asio::executor_work_guard<boost::asio::io_context::executor_type>> guard_;
  std::string name_;
  int nice_ = 0;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Entry*> calls_;
  std::vector<std::thread> threads_;
  std::list<std::thread> substitutes_;
  std::list<std::thread> ended_;  // substitutes that have ended, not joined yet
  std::uint32_t begun_ = 0;       // threads begun so far, for their names
  bool is_asleep_ = false;        // watch() waits for calls on all threads
  bool ending_ = false;
  std::thread watch_;
};

}  // namespace gantry::transport
