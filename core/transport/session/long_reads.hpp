// SPDX-License-Identifier: Apache-2.0
//
// The lane of reads that take long by nature: lists, exports, reports, examinations. A few threads run them, so that
// other calls never wait behind them. Callers take turns. Each has a bounded number of reads here, and all together, too.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace gantry::transport {

// [any thread] unless said otherwise
class LongReads {
 public:
  static constexpr std::size_t most_waiting = 64;         // all callers together
  static constexpr std::size_t most_waiting_of_one = 16;  // one caller

  LongReads() = default;
  ~LongReads() { join(); }
  LongReads(const LongReads&) = delete;
  LongReads& operator=(const LongReads&) = delete;

  // Starts `threads`, two at least: one caller's reads take all but one of them. [control thread]
  void start(std::uint32_t threads);
  // Drops what waits, waits for the reads that run, and ends the threads. [control thread]
  void join();
  // Runs a read that waits on the calling thread. False: none waits. For use without start().
  bool poll();

  // Runs the read on a thread of the lane, in the caller's turn. False: there is no room.
  bool submit(const std::string& caller, std::function<void()> read);

 private:
  // The reads of one caller. There is a queue only while it has some.
  struct Queue {
    std::string caller;
    std::deque<std::function<void()>> waiting;
    std::size_t running = 0;
  };
  using Place = std::list<Queue>::iterator;

  // Returns the next queue whose turn it is. queues_.end(): none may run. Under mutex_.
  Place next();
  // Takes the first read of the queue, which goes behind the others, and runs it. Unlocks meanwhile.
  void run_one(Place queue, std::unique_lock<std::mutex>& lock);
  void run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Queue> queues_;  // in the order of their turns
  std::size_t waiting_ = 0;
  std::size_t most_running_of_one_ = 1;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace gantry::transport
